"""Linear systems over polynomials: what has constant pivots is eliminated without denominators, the rest by determinants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from semidirect.invariants.algebra.duals import regular
from semidirect.invariants.algebra.fractional import Fractional
from semidirect.invariants.algebra.polynomials import Polynomials
from semidirect.invariants.algebra.scalars import cramer

if TYPE_CHECKING:
    from semidirect.invariants.fields import Fields


def reduce_and_solve(matrix: Sequence[Sequence[Any]], rhs: Sequence[Any]) -> list[Any]:
    """Solve a linear system, one denominator for what is left when all constant pivots are used.

    Of the matrix [H −C; A 0] of dξ and dλ with a constant H there remains A H⁻¹C.

    Raises
    ------
    ZeroDivisionError
        If the matrix is singular.
    """
    n = len(rhs)
    rows = [[*row, b] for row, b in zip(matrix, rhs, strict=True)]
    pivots: list[int] = []
    while (at := _constant(rows, pivots, n)) is not None:
        _eliminate(rows, *at, pivots)
    left, last = [j for j in range(n) if j not in pivots], rows[len(pivots) :]
    found: dict[int, Any] = {}
    if left:
        found = dict(zip(left, cramer([[row[j] for j in left] for row in last], [row[n] for row in last]), strict=True))
    for row, j in zip(rows, pivots, strict=False):
        found[j] = row[n]
        for k in left:
            found[j] = found[j] - row[k] * found[k]
    return [found[j] for j in range(n)]


def admissible(fields: Fields, point: Mapping[Any, Any], numbers: Polynomials) -> dict[Any, Any]:
    """Velocities with A ξ = b: as many as there are covectors as functions of a and of the others, on constant pivots if any.

    Raises
    ------
    ZeroDivisionError
        If the covectors are dependent everywhere.
    """
    xi = list(fields.sde.setting.xi)
    A, b = fields.covectors(numbers, cramer)(point)
    rows = [[*row, value] for row, value in zip(A, b, strict=True)]
    pivots: list[int] = []
    while len(pivots) < len(rows):
        at = _constant(rows, pivots, len(xi)) or _simplest(rows, pivots, len(xi))
        _eliminate(rows, *at, pivots)
    found = {}
    for row, j in zip(rows, pivots, strict=True):
        value = row[-1]
        for k, x in enumerate(xi):
            if k not in pivots:
                value = value - row[k] * point[x]
        found[xi[j]] = value
    return found


def _eliminate(rows: list[list[Any]], i: int, j: int, pivots: list[int]) -> None:
    """Clear column j but for row i, which becomes the next of the rows that are done."""
    done = len(pivots)
    rows[done], rows[i] = rows[i], rows[done]
    scale = 1 / rows[done][j]
    rows[done] = [x * scale for x in rows[done]]
    for other, row in enumerate(rows):
        factor = row[j]
        if other != done and regular(factor):
            rows[other] = [x - factor * y for x, y in zip(row, rows[done], strict=True)]
    pivots.append(j)


def _constant(rows: Sequence[Sequence[Any]], pivots: Sequence[int], n: int) -> tuple[int, int] | None:
    """A row and a column that are left with a number where they meet."""
    for i in range(len(pivots), len(rows)):
        for j in range(n):
            x = rows[i][j]
            if j in pivots or not isinstance(x, Fractional) or x.factors or not x.numerator:
                continue
            if x.over.reciprocal(x.numerator) is not None:
                return i, j
    return None


def _simplest(rows: Sequence[Sequence[Any]], pivots: Sequence[int], n: int) -> tuple[int, int]:
    left = [
        (len(rows[i][j].numerator), i, j)
        for i in range(len(pivots), len(rows)) for j in range(n) if j not in pivots and regular(rows[i][j])
    ]  # fmt: skip
    if not left:
        raise ZeroDivisionError("dependent covectors in an exact solve")
    _, i, j = min(left)
    return i, j
