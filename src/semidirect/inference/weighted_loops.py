"""Loops over weighted values, which are compiled at their first call.

Sums run in 64 lanes, so that the compiler makes vectors of them; their order, and so every bit, is the same on all processors.
Rows ``X (d, n)`` are ``width`` numbers apart.
"""

from __future__ import annotations

import math

import numpy as np

from semidirect.machine import machine_function

__all__ = [
    "LANES",
    "NEAR",
    "ancestors",
    "changes",
    "mean",
    "quantiles",
    "second_moments",
    "spread",
    "turns",
    "variances",
]

SHIFT = 6
LANES = 1 << SHIFT
TURN = 2 * math.pi
NEAR = 256
"""Values next to a quantile at most that are sorted here."""


@machine_function(w="f8[:]", out="i8[:]", u="f8", total="f8", n="i8")
def ancestors(w, out, u, total, n):  # type: ignore[no-untyped-def]
    """Particle i stands in ``out (n,)`` once for each of the points (k + u)/n in its part of [0, 1); ``total`` is Σ w, added up
    one by one.
    """
    last, end, reached, scale = 0, 0.0, 0, n / total
    for i in range(n):
        last = i if w[i] > 0.0 else last
    for i in range(last):
        end += w[i]
        point = end * scale - u
        # the number of points below the end of this part
        below = np.int64(np.floor(point)) if point > 0.0 else 0
        below = below + 1 if (point > 0.0) & (below < point) else below
        for k in range(reached, (below if below < n else n)):
            out[k] = i
        reached = below if below > reached else reached  # type: ignore[assignment]  # NumPy has integers of its own
    for k in range(reached, n):  # whatever the rounding
        out[k] = last


@machine_function(roots="i8[:]", w="f8[:]", before="f8[:]", out="f8[:]", n="i8", m="i8")
def changes(roots, w, before, out, n, m):  # type: ignore[no-untyped-def]
    """out_f = Σ w over the columns with the root f, less the weight before, ``out`` and ``before (m,)``."""
    for f in range(m):
        out[f] = 0.0
    for i in range(n):
        out[roots[i]] += w[i]
    for f in range(m):
        out[f] -= before[f]


@machine_function(X="f8[:, width]", w="f8[:]", out="f8[:]", A="f8[:]", d="i8", n="i8", width="i8")
def mean(X, w, out, A, d, n, width):  # type: ignore[no-untyped-def]
    """out_i = Σ w x_i of rows ``X (d, n)``; ``A`` has 64 numbers."""
    for i in range(d):
        for k in range(LANES):
            A[k] = 0.0
        for b in range(n >> SHIFT):
            for k in range(LANES):
                A[k] += w[LANES * b + k] * X[i, LANES * b + k]
        rest = n >> SHIFT << SHIFT
        for k in range(n - rest):
            A[k] += w[rest + k] * X[i, rest + k]
        total = 0.0
        for k in range(LANES):
            total += A[k]
        out[i] = total


@machine_function(x="f8[:]", w="f8[:]", middle="f8", out="f8[:]", summary="f8[:]", A="f8[:]", B="f8[:]", n="i8")
def turns(x, w, middle, out, summary, A, B, n):  # type: ignore[no-untyped-def]
    """The angles ``out`` in [−π, π] of x − m, their mean, and the largest of them, without signs; ``A, B`` have 64 numbers."""
    for k in range(LANES):
        A[k] = 0.0
        B[k] = 0.0
    for block in range(n >> SHIFT):
        for k in range(LANES):
            angle = x[LANES * block + k] - middle
            angle = angle - TURN * np.rint(angle / TURN)
            out[LANES * block + k] = angle
            A[k] += w[LANES * block + k] * angle
            B[k] = np.abs(angle) if np.abs(angle) > B[k] else B[k]
    rest = n >> SHIFT << SHIFT
    for k in range(n - rest):
        angle = x[rest + k] - middle
        angle = angle - TURN * np.rint(angle / TURN)
        out[rest + k] = angle
        A[k] += w[rest + k] * angle
        B[k] = np.abs(angle) if np.abs(angle) > B[k] else B[k]
    total, largest = 0.0, 0.0
    for k in range(LANES):
        total += A[k]
        largest = B[k] if B[k] > largest else largest
    summary[0] = total
    summary[1] = largest


def _product(w, X, i, j, a, b, A, n):  # type: ignore[no-untyped-def]
    """Σ w (x_i − a)(x_j − b)."""
    for k in range(LANES):
        A[k] = 0.0
    for block in range(n >> SHIFT):
        for k in range(LANES):
            A[k] += w[LANES * block + k] * (X[i, LANES * block + k] - a) * (X[j, LANES * block + k] - b)
    rest = n >> SHIFT << SHIFT
    for k in range(n - rest):
        A[k] += w[rest + k] * (X[i, rest + k] - a) * (X[j, rest + k] - b)
    total = 0.0
    for k in range(LANES):
        total += A[k]
    return total


@machine_function(X="f8[:, width]", w="f8[:]", middle="f8[:]", out="f8[:]", A="f8[:]", d="i8", n="i8", width="i8")
def variances(X, w, middle, out, A, d, n, width):  # type: ignore[no-untyped-def]
    """out_i = Σ w (x_i − m_i)² of rows ``X (d, n)``; ``A`` has 64 numbers."""
    for i in range(d):
        out[i] = _product(w, X, i, i, middle[i], middle[i], A, n)


@machine_function(X="f8[:, width]", w="f8[:]", out="f8[:, d]", A="f8[:]", d="i8", n="i8", width="i8")
def second_moments(X, w, out, A, d, n, width):  # type: ignore[no-untyped-def]
    """out_ij = out_ji = Σ w x_i x_j of rows ``X (d, n)``; ``A`` has 64 numbers."""
    for i in range(d):
        for j in range(i + 1):
            out[i, j] = _product(w, X, i, j, 0.0, 0.0, A, n)
            out[j, i] = out[i, j]


@machine_function(
    X="f8[:, width]", w="f8[:]", family="i8[:]", middle="f8[:]", error="f8[:]", variance="f8[:]", S="f8[:]", E="f8[:]", V="f8[:]",
    d="i8", n="i8", width="i8",
)  # fmt: skip
def spread(X, w, family, middle, error, variance, S, E, V, d, n, width):  # type: ignore[no-untyped-def]
    """error_i = Σ_f (Σ_{k in f} w_k (x_ik − m_i))² over families, which are ascending, and variance_i = Σ w (x_i − m_i)².

    Four rows are added up side by side: an addition waits for the one before. ``family`` has one entry more than there are
    columns, a number of no family; ``S, E, V`` have four numbers.
    """
    for g in range((d + 3) >> 2):
        for k in range(4):
            S[k] = 0.0
            E[k] = 0.0
            V[k] = 0.0
        for j in range(n):
            ends = family[j + 1] != family[j]
            for k in range(4):
                i = 4 * g + k if 4 * g + k < d else d - 1
                away = X[i, j] - middle[i]
                part = w[j] * away
                total = S[k] + part
                E[k] += total * total if ends else 0.0
                S[k] = 0.0 if ends else total
                V[k] += part * away
        for k in range(4):
            if 4 * g + k < d:
                error[4 * g + k] = E[k]
                variance[4 * g + k] = V[k]


@machine_function(
    X="f8[:, width]", w="f8[:]", levels="f8[:]", out="f8[:, d]", ready="i8[:]", head="i8[:]", following="i8[:]", mass="f8[:]",
    low="f8[:]", high="f8[:]", V="f8[:]", W="f8[:]", d="i8", n="i8", width="i8", m="i8", bins="i8",
)  # fmt: skip
def quantiles(X, w, levels, out, ready, head, following, mass, low, high, V, W, d, n, width, m, bins):  # type: ignore[no-untyped-def]
    """The weighted quantiles ``out (m, d)`` of rows ``X (d, n)``; ``ready`` is 0 for rows that have to be sorted as a whole.

    The values of a row are divided into bins, chains ``head`` and ``following``, of which only those next to a level are sorted.
    ``low, high`` have 64 numbers, ``head`` and ``mass`` as many as there are bins, ``following`` as many as there are columns,
    ``V, W`` room for the values that are sorted.
    """
    for i in range(d):
        ready[i] = 0
        for k in range(LANES):
            low[k] = X[i, 0]
            high[k] = X[i, 0]
            mass[k] = 0.0
        for b in range(n >> SHIFT):
            for k in range(LANES):
                x = X[i, LANES * b + k]
                low[k] = x if x < low[k] else low[k]
                high[k] = x if x > high[k] else high[k]
                mass[k] += x - x  # nan where a number is not finite
        rest = n >> SHIFT << SHIFT
        for k in range(n - rest):
            x = X[i, rest + k]
            low[k] = x if x < low[k] else low[k]
            high[k] = x if x > high[k] else high[k]
            mass[k] += x - x
        lowest, highest, sure = low[0], high[0], 0.0
        for k in range(LANES):
            lowest = low[k] if low[k] < lowest else lowest
            highest = high[k] if high[k] > highest else highest
            sure += mass[k]
        if (sure == 0.0) & (lowest == highest):
            ready[i] = 1
            for l in range(m):
                out[l, i] = lowest
        scale = (bins - 1.0) / (highest - lowest)
        if (sure == 0.0) & (scale > 0.0) & (scale < math.inf):
            ready[i] = 1
            for k in range(bins):
                head[k] = -1
                mass[k] = 0.0
            for j in range(n):  # by itself, so that the compiler makes vectors of it
                following[j] = np.int64(np.floor((X[i, j] - lowest) * scale))
            for j in range(n):
                at = following[j]
                following[j] = head[at]
                head[at] = j
                mass[at] += w[j]
            whole = 0.0
            for k in range(bins):
                whole += mass[k]
            for l in range(m):
                level = levels[l] if levels[l] < whole else whole
                # the bin of the level, and the filled ones before and after it
                first, last, here, total, below = -1, 0, -1, 0.0, 0.0
                for k in range(bins):
                    if mass[k] > 0.0:
                        last = k
                        if here >= 0:
                            break
                        if total + mass[k] >= level:
                            here = k
                        else:
                            first = k
                            below = total
                        total += mass[k]
                first = here if first < 0 else first
                count = 0
                for k in range(first, last + 1):
                    at = head[k]
                    for _step in range(n):
                        if at < 0:
                            break
                        if count < NEAR:
                            V[count] = X[i, at]
                            W[count] = w[at]
                        count += 1
                        at = following[at]
                if count > NEAR:
                    ready[i] = 0
                else:
                    for k in range(count):
                        value, weight, place = V[k], W[k], k
                        for step in range(k):
                            if V[k - 1 - step] < value:
                                break
                            place = k - 1 - step
                            V[place + 1] = V[place]
                            W[place + 1] = W[place]
                        V[place] = value
                        W[place] = weight
                    # each value is the quantile of the weight below it and half of its own
                    middle = below + 0.5 * W[0]
                    quantile, previous = V[0], middle
                    for k in range(1, count):
                        middle = below + W[k - 1] + 0.5 * W[k]
                        below += W[k - 1]
                        if level > previous:
                            part = (level - previous) / (middle - previous)
                            quantile = V[k - 1] + part * (V[k] - V[k - 1]) if part < 1.0 else V[k]
                        previous = middle
                    out[l, i] = quantile
