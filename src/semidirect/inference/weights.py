"""Weights of particles: effective number, systematic resampling, means, quantiles."""

from __future__ import annotations

import numpy as np

from semidirect.compile import row_functions
from semidirect.inference import weighted_loops as loops

__all__ = [
    "ancestors",
    "changes",
    "effective_size",
    "mean",
    "normalised",
    "quantiles",
    "second_moments",
    "spread",
    "tempered",
    "turns",
    "variances",
]

FEWEST_BINS = 512
"""Into which weighted values are divided before those next to a quantile are sorted; more for more than 4,096 values."""


def normalised(log_weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights with the sum 1, and the logarithm of the sum before; without any weight, zeros and −∞."""
    top = float(np.max(log_weights))
    if not np.isfinite(top):
        return np.zeros_like(log_weights), -np.inf
    weights = np.exp(log_weights - top)
    total = float(np.sum(weights))
    return weights / total, top + float(np.log(total))


def effective_size(weights: np.ndarray) -> float:
    """1/Σw² of weights with the sum 1: how many equal weights have the same variance; 0 without any."""
    square = float(np.sum(weights * weights))
    return 1 / square if square else 0.0


def ancestors(weights: np.ndarray, u: float) -> np.ndarray:
    """Systematic resampling: the numbers of the particles that replace all, ascending, with one uniform number u in [0, 1).

    Particle i is taken for each of the points (k + u)/n, k = 0, …, n − 1, in its part of [0, 1).
    """
    n = len(weights)
    out = np.empty(n, np.int64)
    loops.ancestors(np.ascontiguousarray(weights), out, u, float(np.cumsum(weights)[-1]), n)
    return out


def changes(roots: np.ndarray, weights: np.ndarray, before: np.ndarray) -> np.ndarray:
    """By how much the weights of families, of particles that descend from the same one, differ from that of its root, for each of
    the roots ``before (paths,)``; ``roots (paths,)`` are numbers.
    """
    out = np.empty(len(before))
    loops.changes(roots, np.ascontiguousarray(weights), np.ascontiguousarray(before), out, len(roots), len(before))
    return out


def tempered(log_weights: np.ndarray, log_likelihood: np.ndarray, most: float, share: float) -> float:
    """The largest exponent δ ≤ ``most`` for which the weights times likelihood^δ have a share of their effective number, by
    bisection; particles of the likelihood 0 count as having no weight before.
    """
    before = effective_size(normalised(np.where(np.isneginf(log_likelihood), -np.inf, log_weights))[0])

    def suffices(delta: float) -> bool:
        return effective_size(normalised(log_weights + delta * log_likelihood)[0]) >= share * before

    if suffices(most):
        return most
    low, high = 0.0, most
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if suffices(middle) else (low, middle)
    return low if low > 0 else high


def mean(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Σ w x ``(d,)`` of rows ``(d, paths)``."""
    rows, weights, out = row_functions.apart(rows), np.ascontiguousarray(weights), np.empty(len(rows))
    loops.mean(rows, weights, out, np.empty(loops.LANES), *rows.shape, row_functions.width_of(rows))
    return out


def turns(angles: np.ndarray, weights: np.ndarray, middle: float) -> tuple[np.ndarray, float, float]:
    """The angles from a middle ``(paths,)`` in [−π, π], their weighted mean, and the largest of them, without signs."""
    angles, weights = np.ascontiguousarray(angles), np.ascontiguousarray(weights)
    out, summary = np.empty(len(angles)), np.empty(2)
    loops.turns(angles, weights, middle, out, summary, *np.empty((2, loops.LANES)), len(angles))
    return out, float(summary[0]), float(summary[1])


def variances(rows: np.ndarray, weights: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Σ w (x − m)² ``(d,)`` of rows ``(d, paths)``."""
    rows, weights, out = row_functions.apart(rows), np.ascontiguousarray(weights), np.empty(len(rows))
    loops.variances(rows, weights, middle, out, np.empty(loops.LANES), *rows.shape, row_functions.width_of(rows))
    return out


def second_moments(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Σ w x xᵀ ``(d, d)`` of rows ``(d, paths)``."""
    rows, weights, out = row_functions.apart(rows), np.ascontiguousarray(weights), np.empty((len(rows), len(rows)))
    loops.second_moments(rows, weights, out, np.empty(loops.LANES), *rows.shape, row_functions.width_of(rows))
    return out


def spread(
    rows: np.ndarray, weights: np.ndarray, middle: np.ndarray, families: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Σ_f (Σ_{i in f} w_i (x_i − m))² over families f, and Σ w (x − m)², ``(d,)`` of rows ``(d, paths)``.

    Families are numbers in ascending order, ``(paths + 1,)``, the last of which is that of none.
    """
    rows, weights, (error, variance) = (
        row_functions.apart(rows),
        np.ascontiguousarray(weights),
        np.empty((2, len(rows))),
    )
    loops.spread(
        rows, weights, families, middle, error, variance, *np.empty((3, 4)), *rows.shape, row_functions.width_of(rows)
    )
    return error, variance


def quantiles(rows: np.ndarray, weights: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Weighted quantiles ``(levels, d)`` of rows ``(d, paths)``.

    They are interpolated between the values, of which each is the quantile of the weight below it and half of its own.
    """
    rows, weights, (d, n) = row_functions.apart(rows), np.ascontiguousarray(weights), np.shape(rows)
    out, ready, bins = np.empty((len(levels), d)), np.empty(d, np.int64), 1 << max(FEWEST_BINS, n // 8).bit_length()
    head, following, mass = np.empty(bins, np.int64), np.empty(n, np.int64), np.empty(bins)
    loops.quantiles(rows, weights, np.ascontiguousarray(levels), out, ready, head, following, mass, *np.empty((2, loops.LANES)),
                    *np.empty((2, loops.NEAR)), d, n, row_functions.width_of(rows), len(levels), bins)  # fmt: skip
    # outliers may leave nearly all values in few bins, and some may not be finite
    for i in np.flatnonzero(ready == 0):
        out[:, i] = _of_sorted(rows[i], weights, levels)
    return out


def _of_sorted(values: np.ndarray, weights: np.ndarray, levels: np.ndarray) -> np.ndarray:
    order = np.argsort(values, kind="stable")
    w = weights[order]
    return np.asarray(np.interp(levels, np.cumsum(w) - 0.5 * w, values[order]))
