"""Polynomials that vanish along orbits: those of a few variables that vanish at one point with all derivatives in time.

A polynomial Q with dQ = ΛQ stays 0 where it is 0, so there all of its derivatives in time vanish. At a generic point only those
polynomials have this property that vanish on its orbit, such as F − F(y) with a first integral F. So the matrix of the
derivatives of all monomials has a smaller rank where Q = 0: these points are the zeros of the extactic polynomial (Pereira 2001;
Chèze 2011). Modulo a small prime p a fraction 1/p of all points has Q = 0, so that some thousand random points find all
Q. Newton's method lifts their coefficients from p to a large power of p.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.invariants.algebra.linear_algebra import echelon, null_space
from semidirect.invariants.algebra.modular import ranks, unique_solution
from semidirect.invariants.algebra.power_series import PowerSeriesRing, Series
from semidirect.invariants.fields import Fields
from semidirect.invariants.monomials import Monomials
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.points import Drawn, at_random

SPARE, HITS, MOST, CHUNK, BITS = 4, 8, 12, 1024, 240
"""Derivatives beyond the number of monomials, expected points on Q = 0, 1 + MOST/4 times as many beside many integrals, points at
once, and bits of p^k."""

TRIED, PAIRS, TRIED_ORDERS = 64, 8, 6
"""Points by which a prime is tried, pairs of generic points, and orders in which kernels are intersected."""


@final
@dataclass(frozen=True)
class Candidate:
    """A polynomial modulo p with points where it is 0.

    Attributes
    ----------
    coefficients : int array (monomials,)
        The last of them that is not 0 is 1.
    draws : int array (draws, points)
        The random numbers of the points.
    p : int
    """

    coefficients: np.ndarray
    draws: np.ndarray
    p: int


@final
@dataclass(frozen=True)
class Lifted:
    """The coefficients of a candidate modulo p^k."""

    coefficients: tuple[int, ...]
    modulus: int
    p: int


@final
class Jets:
    """Monomials and their derivatives along the drift, at points of the invariant set or of a level.

    Attributes
    ----------
    monomials : Monomials
        Of the variables with these indices in the state.
    independent : list of int
        Those that are used, in order; the first is 1.
    """

    def __init__(self, fields: Fields, parameters: ParameterSet, monomials: Monomials, indices: Sequence[int],
                 independent: Sequence[int]):  # fmt: skip
        self.fields, self.parameters, self.monomials = fields, parameters, monomials
        self.indices, self.independent = list(indices), list(independent)

    def at(self, ring: PowerSeriesRing, width: int) -> np.ndarray:
        """Coefficients ``(points, order, width)`` of the first of the monomials that are kept."""
        at = at_random(self.fields, ring, self.parameters)
        y = [ring.variable(x if isinstance(x, Series) else ring.number(x)) for x in at.y]
        rates = at.rates(0, y)
        last = self.independent[width - 1]
        series = [ring.number(1)]
        for parent, j in self.monomials.parents[1 : last + 1]:
            series.append(y[self.indices[j]] if parent == 0 else series[parent] * y[self.indices[j]])
        ring.flow(y, rates)
        out = np.zeros((width, ring.order, ring.count), dtype=ring.dtype)
        for i, j in enumerate(self.independent[:width]):
            out[i, : len(series[j].terms)] = series[j].terms
        return out.transpose(2, 1, 0)

    def regular(self, p: int, rng: np.random.Generator) -> bool:
        """Whether there are points modulo a prime: a constant √2 has no root at half of them."""
        ring = PowerSeriesRing(p, p, 1, TRIED, lambda: rng.integers(0, p, TRIED))
        try:
            self.at(ring, 1)
        except ZeroDivisionError:
            return False
        return 4 * int(np.count_nonzero(ring.valid)) >= TRIED

    def candidates(self, width: int, p: int, earlier: Sequence[np.ndarray], rng: np.random.Generator
                   ) -> Iterator[Candidate]:  # fmt: skip
        """Polynomials of the first monomials modulo p, at points where those that are known do not vanish."""
        special, draws, generic, least, tries = list[np.ndarray](), list[Any](), list[np.ndarray](), width, 0
        while tries < HITS * p * (1 + min(least, MOST) / 4):
            numbers = Drawn(lambda: rng.integers(0, p, CHUNK))
            ring = PowerSeriesRing(p, p, width + SPARE, CHUNK, numbers)
            jets = self.at(ring, width)
            good = np.flatnonzero(ring.valid)
            tries += max(len(good), 1)
            for q in earlier:
                good = good[(jets[good, 0, : len(q)] @ q % p) != 0]
            rank = ranks(jets[good], p)
            least = min(least, width - int(rank.max(initial=0)))
            generic += list(jets[good[rank == width - least][: 2 * PAIRS]])
            special += list(jets[good[rank < width - least]])
            draws += [[x[i] for x in numbers.values] for i in good[rank < width - least]]
        yield from _common(special, draws, generic[-2 * PAIRS :], p, rng)

    def lifted(self, candidate: Candidate, rng: np.random.Generator) -> Lifted | None:
        """Its coefficients modulo p^k by Newton's method, ``None`` if it is none modulo p².

        The unknowns are the coefficients and one number for each point, by which the point is moved along a line.
        """
        c, p = candidate.coefficients.astype(object), candidate.p
        width, points = len(c), candidate.draws.shape[1]
        last = int(np.flatnonzero(c)[-1])
        others = [j for j in range(width) if j != last]
        start = np.concatenate([candidate.draws] * 2, axis=1).astype(object)
        line = rng.integers(1, p, (len(start), 1)).astype(object)
        offset, precision = np.zeros(points, dtype=object), p
        while precision < 2**BITS:
            modulus = precision * precision
            at = iter(start + line * np.concatenate([offset, offset + precision]))
            ring = PowerSeriesRing(modulus, p, width + SPARE, 2 * points, at.__next__)
            jets = self.at(ring, width)
            values = jets @ c % modulus
            rest, slopes = values[:points], (values[points:] - values[:points]) % modulus
            if not ring.valid.all() or np.any(rest % precision) or np.any(slopes % precision):
                return None
            blocks = np.zeros((points, width + SPARE, points), dtype=object)
            for i in range(points):
                blocks[i, :, i] = slopes[i] // precision
            matrix = np.concatenate([jets[:points][:, :, others], blocks], axis=2)
            step = unique_solution(
                matrix.reshape(-1, width - 1 + points), -(rest // precision).reshape(-1), precision, p
            )
            if step is None:
                return None
            c[others] = c[others] + precision * step[: width - 1]
            offset, precision = offset + precision * step[width - 1 :], modulus
        return Lifted(tuple(int(x) for x in c), precision, p)

    def cofactor(self, q: Lifted, width: int, draw: Any) -> tuple[int, ...] | None:
        """The coefficients modulo p^k of a polynomial Λ of the first monomials with dQ = ΛQ, ``None`` if there is none.

        Parameters
        ----------
        draw : callable(modulus, count)
            Random whole numbers below a modulus.
        """
        count = 2 * (width + SPARE)
        ring = PowerSeriesRing(q.modulus, q.p, 2, count, lambda: np.array(draw(q.modulus, count), dtype=object))
        jets = self.at(ring, max(width, len(q.coefficients)))[ring.valid]
        value, rate = (jets[:, k, : len(q.coefficients)] @ np.array(q.coefficients, dtype=object) for k in (0, 1))
        solution = unique_solution(jets[:, 0, :width] * value[:, None] % q.modulus, rate, q.modulus, q.p)
        return None if solution is None else tuple(int(x) for x in solution)


def _common(special: Sequence[np.ndarray], draws: Sequence[Any], generic: Sequence[np.ndarray], p: int,
            rng: np.random.Generator) -> Iterator[Candidate]:  # fmt: skip
    """Vectors that the kernels at several special points have in common.

    A kernel consists of Q and of other polynomials that vanish on the orbit of its point, such as F − F(y), or all those that
    vanish at the point if it does not move. So the kernels at two points of Q = 0 have more in common than those at two generic
    points, and those at some more of them Q alone.
    """
    if not special:
        return
    width = special[0].shape[1]
    rows = [(echelon(jet, p)[0], draw) for jet, draw in zip(special, draws, strict=True)]
    rows.sort(key=lambda row: -len(row[0]))  # small kernels first
    pairs = [np.concatenate(pair) for pair in zip(generic[::2], generic[1::2], strict=False)]
    most = int(ranks(np.array(pairs), p).max(initial=0)) if pairs else width
    visited: set[int] = set()
    for i, (first, _) in enumerate(rows):
        if i in visited:
            continue
        both = np.zeros((len(rows), 2 * width, width), dtype=np.int64)
        for pair, (other, _) in zip(both, rows, strict=True):
            pair[: len(first)], pair[width : width + len(other)] = first, other
        together = ranks(both, p)
        linked = [k for k, r in enumerate(together) if k != i and k not in visited and r < most]
        for _ in range(TRIED_ORDERS):
            members, common = [i], first
            for k in rng.permutation(linked):
                if len(common) == width - 1:
                    break
                less = echelon(np.concatenate([common, rows[k][0]]), p)[0]
                if len(less) < width:
                    members, common = [*members, int(k)], less
            if len(common) < width - 1:
                continue
            (q,) = null_space(common, p)
            on = [k for k, (reduced, _) in enumerate(rows) if not np.any(reduced @ q % p)]
            if len(on) > len(members):
                visited |= set(on)
                yield Candidate(
                    q * pow(int(q[np.flatnonzero(q)[-1]]), -1, p) % p, np.array([rows[k][1] for k in members]).T, p
                )
                break
