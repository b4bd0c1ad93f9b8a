"""Elimination over a field: fractions, exact numbers of other kinds, and floats with a test for 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Matrix = Sequence[Sequence[Any]]
Weight = Callable[[Any], Any]
"""How good a pivot an entry is; a false value excludes the entry, so that it counts as 0."""


def not_zero(x: Any) -> bool:
    """The weight of numbers that are all equally good."""
    return bool(x != 0)


def reduce_rows(rows: list[list[Any]], columns: Sequence[int], weight: Weight = not_zero, *, anywhere: bool = False
                ) -> list[tuple[int, int]]:  # fmt: skip
    """Gauss and Jordan, in place: each pivot becomes 1 and everything else in its column 0.

    Parameters
    ----------
    rows : list of lists
        An entry that is the integer 0 costs nothing.
    columns : sequence of int
        Where pivots may stand.
    weight : callable
        The first entry with the largest one becomes the next pivot.
    anywhere : bool
        Whether the next pivot is searched in all remaining columns instead of in one column after the other.

    Returns
    -------
    list of (row, column)
        The pivots.
    """
    pivots: list[tuple[int, int]] = []
    rows_left, columns_left = list(range(len(rows))), list(columns)
    while rows_left and columns_left:
        places = [(i, j) for j in (columns_left if anywhere else columns_left[:1]) for i in rows_left]
        weights = [(w, place) for place in places if (w := weight(rows[place[0]][place[1]]))]
        if not weights:
            if anywhere:
                break
            columns_left.pop(0)
            continue
        i, j = max(weights, key=lambda pair: pair[0])[1]
        scale = 1 / Fraction(rows[i][j]) if isinstance(rows[i][j], int) else 1 / rows[i][j]
        rows[i] = [x if _absent(x) else x * scale for x in rows[i]]
        for other, row in enumerate(rows):
            factor = row[j]
            if other != i and not _absent(factor):
                rows[other] = [_less(x, factor, y) for x, y in zip(row, rows[i], strict=True)]
        pivots.append((i, j))
        rows_left.remove(i)
        columns_left.remove(j)
    return pivots


def solve_exactly(matrix: Matrix, rhs: Sequence[Any], weight: Weight = not_zero) -> list[Any]:
    """Solve a square system.

    Raises
    ------
    ZeroDivisionError
        If the matrix is singular.
    """
    n = len(rhs)
    rows = [[*row, b] for row, b in zip(matrix, rhs, strict=True)]
    pivots = reduce_rows(rows, range(n), weight)
    if len(pivots) < n:
        raise ZeroDivisionError("singular matrix in an exact solve")
    return [rows[i][n] for i, _ in pivots]


def null_space(matrix: Matrix, size: int, weight: Weight = not_zero, *, anywhere: bool = False) -> list[list[Any]]:
    """A basis of {w: matrix · w = 0}, each vector with a 1 where the others have a 0."""
    rows = [list(row) for row in matrix]
    pivots = reduce_rows(rows, range(size), weight, anywhere=anywhere)
    basis = []
    for free in sorted(set(range(size)) - {j for _, j in pivots}):
        vector: list[Any] = [int(j == free) for j in range(size)]
        for i, j in pivots:
            vector[j] = -rows[i][free]
        basis.append(vector)
    return basis


def nearest_solution(matrix: Matrix, rhs: Sequence[Any], x: Sequence[Any], weight: Weight = not_zero) -> list[Any]:
    """x + Aᵀ(AAᵀ)⁻¹(b − Ax), the solution of A x = b nearest to x."""
    gram = [[_dot(row, other) for other in matrix] for row in matrix]
    weights = solve_exactly(gram, [b - _dot(row, x) for row, b in zip(matrix, rhs, strict=True)], weight)
    return [y + _dot(column, weights) for y, column in zip(x, zip(*matrix, strict=True), strict=True)]


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _absent(x: Any) -> bool:
    return isinstance(x, (int, Fraction)) and x == 0


def _less(x: Any, a: Any, b: Any) -> Any:
    """x − a b."""
    return x if _absent(b) else -(a * b) if _absent(x) else x - a * b
