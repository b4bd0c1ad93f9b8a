"""Whether a matrix of expressions can be solved with at all, and without exchanging rows: its leading minors, generically."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import sympy as sp

from semidirect.core import exact

POINTS = 2


def leading_minors(rows: Sequence[Sequence[sp.Expr]]) -> list[bool] | None:
    """Whether each leading minor, the determinant last, differs from 0 at a generic point.

    Symbols are given random fractions: a minor that vanishes at two of them does so everywhere, but for a coincidence of
    probability below 1e-9. ``None`` where an entry is not rational there, so that nothing is known.
    """
    symbols = sorted(set().union(*(e.free_symbols for row in rows for e in row)), key=lambda s: s.name)
    random, nonzero = Random("leading minors"), [False] * len(rows)
    for _ in range(POINTS):
        point = {x: sp.Rational(random.randint(1, 10**6), random.randint(1, 10**6)) for x in symbols}
        values = [[e if e.is_Number else e.xreplace(point) for e in row] for row in rows]
        if not all(e.is_Rational for row in values for e in row):
            return None
        numbers = [[Fraction(int(e.p), int(e.q)) for e in row] for row in values]
        nonzero = [before or now for before, now in zip(nonzero, _minors(numbers), strict=True)]
    return nonzero


def _minors(matrix: list[list[Fraction]]) -> list[bool]:
    """Whether each leading minor of numbers differs from 0: by one elimination, as long as pivots do."""
    rows = [{j: x for j, x in enumerate(row) if x} for row in matrix]
    for k, row in enumerate(rows):
        if k not in row:
            return [True] * k + [_regular([r[: m + 1] for r in matrix[: m + 1]]) for m in range(k, len(matrix))]
        for other in rows[k + 1 :]:
            if k in other:
                factor = other.pop(k) / row[k]
                for j, x in row.items():
                    if j > k and not (left := other.pop(j, 0) - factor * x) == 0:
                        other[j] = left
    return [True] * len(matrix)


def _regular(matrix: list[list[Fraction]]) -> bool:
    try:
        exact.solve_exactly(matrix, [Fraction(0)] * len(matrix))
    except ZeroDivisionError:
        return False
    return True
