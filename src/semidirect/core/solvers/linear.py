"""Small linear systems as straight-line array code, for any entries: rows of paths, fractions, tracer scalars.

Matrices are nested lists of entries; an entry that is the integer 0 is a structural zero and costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from semidirect.core import ops

Matrix = Sequence[Sequence[Any]]


def _is_zero(x: Any) -> bool:
    return type(x) is int and x == 0


def _minus(x: Any, a: Any, b: Any) -> Any:
    """x − a b with structural zeros."""
    if _is_zero(a) or _is_zero(b):
        return x
    return -(a * b) if _is_zero(x) else x - a * b


def _reciprocal(x: Any) -> Any:
    """1/x; of a constant 0 infinite, as in arrays and compiled code. Exact numbers raise their error."""
    return float(np.copysign(np.inf, x)) if type(x) is float and x == 0 else 1 / x


def solve_symmetric(matrix: Matrix, rhs: Sequence[Any]) -> list[Any]:
    """Solve with a symmetric matrix whose leading minors do not vanish (a locked inertia), by L D Lᵀ without pivoting.

    A full 3 × 3 matrix is solved by its cofactors, with one division instead of three.
    """
    n = len(rhs)
    if n == 3 and not any(_is_zero(matrix[i][j]) for i in range(n) for j in range(i + 1)):
        return _solve_by_cofactors(matrix, rhs)
    work = [list(row) for row in matrix]
    x = list(rhs)
    reciprocals: list[Any] = []
    multipliers: list[list[Any]] = [[0] * n for _ in range(n)]
    for j in range(n):
        reciprocals.append(_reciprocal(work[j][j]))
        for i in range(j + 1, n):
            if _is_zero(work[i][j]):
                continue
            multipliers[i][j] = work[i][j] * reciprocals[j]
            for k in range(j + 1, i + 1):
                work[i][k] = _minus(work[i][k], multipliers[i][j], work[k][j])
    for i in range(n):
        for j in range(i):
            x[i] = _minus(x[i], multipliers[i][j], x[j])
    for i in range(n):
        x[i] = 0 if _is_zero(x[i]) else x[i] * reciprocals[i]
    for i in reversed(range(n)):
        for j in range(i + 1, n):
            x[i] = _minus(x[i], multipliers[j][i], x[j])
    return x


def _solve_by_cofactors(matrix: Matrix, rhs: Sequence[Any]) -> list[Any]:
    (a, *_), (b, d, *_), (c, e, f) = matrix
    p, q, r = d * f - e * e, c * e - b * f, b * e - c * d
    s, t, u = a * f - c * c, b * c - a * e, a * d - b * b
    reciprocal = _reciprocal(a * p + b * q + c * r)
    sides = [(i, x * reciprocal) for i, x in enumerate(rhs) if not _is_zero(x)]
    return [_sum([row[i] * x for i, x in sides]) for row in ((p, q, r), (q, s, t), (r, t, u))]


def _sum(terms: Sequence[Any]) -> Any:
    """The sum in order; the integer 0 where there are no terms."""
    total: Any = 0
    for i, term in enumerate(terms):
        total = total + term if i else term
    return total


def solve_pivoted(matrix: Matrix, rhs: Sequence[Any]) -> list[Any]:
    """Solve by elimination with partial pivoting, rows exchanged by ``ops.where``: branch-free, so each path pivots alone."""
    n = len(rhs)
    rows = [[*row, b] for row, b in zip(matrix, rhs, strict=True)]
    for j in range(n):
        for i in range(j + 1, n):
            if _is_zero(rows[i][j]):
                continue
            if _is_zero(rows[j][j]):
                rows[i], rows[j] = rows[j], rows[i]
                continue
            larger = ops.absolute(rows[i][j]) > ops.absolute(rows[j][j])
            top = [_select(larger, rows[i][k], rows[j][k]) for k in range(j, n + 1)]
            low = [_select(larger, rows[j][k], rows[i][k]) for k in range(j, n + 1)]
            rows[j][j:], rows[i][j:] = top, low
        reciprocal = _reciprocal(rows[j][j])
        for i in range(j + 1, n):
            if _is_zero(rows[i][j]):
                continue
            factor = rows[i][j] * reciprocal
            for k in range(j + 1, n + 1):
                rows[i][k] = _minus(rows[i][k], factor, rows[j][k])
        for k in range(j + 1, n + 1):
            rows[j][k] = 0 if _is_zero(rows[j][k]) else rows[j][k] * reciprocal
    x: list[Any] = [0] * n
    for i in reversed(range(n)):
        x[i] = rows[i][n]
        for j in range(i + 1, n):
            x[i] = _minus(x[i], rows[i][j], x[j])
    return x


def _select(condition: Any, if_true: Any, if_false: Any) -> Any:
    if _is_zero(if_true) and _is_zero(if_false):
        return 0
    return ops.where(condition, if_true, if_false)
