"""Linear systems over polynomials: constant pivots are eliminated without denominators, the rest is solved by determinants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from semidirect.core import exact
from semidirect.invariants.algebra.sloped import regular


def is_constant(x: Any) -> bool:
    """Whether this is a fraction of polynomials that is a number, not 0."""
    return bool(getattr(x, "constant", False))


def reduce_and_solve(matrix: Sequence[Sequence[Any]], rhs: Sequence[Any]) -> list[Any]:
    """Solve a linear system, with one denominator for the part without constant pivots.

    Of the matrix [H −C; A 0] of dξ and dλ with a constant H there remains A H⁻¹C.

    Raises
    ------
    ZeroDivisionError
        If the matrix is singular.
    """
    n = len(rhs)
    rows = [[*row, b] for row, b in zip(matrix, rhs, strict=True)]
    pivots = exact.reduce_rows(rows, range(n), is_constant, anywhere=True)
    solved, pivot_rows = {j: i for i, j in pivots}, {i for i, _ in pivots}
    left, last = [j for j in range(n) if j not in solved], [row for i, row in enumerate(rows) if i not in pivot_rows]
    solution = dict(zip(left, cramer([[row[j] for j in left] for row in last], [row[n] for row in last]), strict=True))
    for j, i in solved.items():
        solution[j] = rows[i][n]
        for k in left:
            solution[j] = solution[j] - rows[i][k] * solution[k]
    return [solution[j] for j in range(n)]


def cramer(matrix: Sequence[Sequence[Any]], rhs: Sequence[Any]) -> list[Any]:
    """Solve by determinants, so that one denominator serves all."""
    n = len(rhs)
    whole = _determinant(matrix)
    if not regular(whole):
        raise ZeroDivisionError("singular matrix in an exact solve")
    replaced = ([[rhs[i] if k == j else matrix[i][k] for k in range(n)] for i in range(n)] for j in range(n))
    return [_times(_determinant(m), 1 / whole) for m in replaced]


def _determinant(matrix: Sequence[Sequence[Any]]) -> Any:
    """By minors of the first rows, each computed once."""
    n = len(matrix)
    minors: dict[tuple[int, ...], Any] = {(): 1}
    for row in range(n):
        following: dict[tuple[int, ...], Any] = {}
        for columns, minor in minors.items():
            for j in range(n):
                if j in columns or _absent(matrix[row][j]) or _absent(minor):
                    continue
                term = _times(minor, matrix[row][j])
                term = -term if sum(c > j for c in columns) % 2 else term
                key = tuple(sorted((*columns, j)))
                following[key] = following[key] + term if key in following else term
        minors = following
    return minors.get(tuple(range(n)), 0)


def _absent(x: Any) -> bool:
    return type(x) is int and x == 0


def _times(a: Any, b: Any) -> Any:
    return 0 if _absent(a) or _absent(b) else a * b
