"""Linear systems over polynomials: what has constant pivots is eliminated without denominators, the rest by determinants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from semidirect.core.elimination import reduce_rows
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
    pivots = reduce_rows(rows, range(n), _constant, anywhere=True)
    solved, done = {j: i for i, j in pivots}, {i for i, _ in pivots}
    left, last = [j for j in range(n) if j not in solved], [row for i, row in enumerate(rows) if i not in done]
    found = dict(zip(left, cramer([[row[j] for j in left] for row in last], [row[n] for row in last]), strict=True))
    for j, i in solved.items():
        found[j] = rows[i][n]
        for k in left:
            found[j] = found[j] - rows[i][k] * found[k]
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
    pivots = reduce_rows(rows, range(len(xi)), lambda x: 2 * _constant(x) or _simplicity(x), anywhere=True)
    if len(pivots) < len(rows):
        raise ZeroDivisionError("dependent covectors in an exact solve")
    found, given = {}, set(range(len(xi))) - {j for _, j in pivots}
    for i, j in pivots:
        found[xi[j]] = rows[i][-1]
        for k in given:
            found[xi[j]] = found[xi[j]] - rows[i][k] * point[xi[k]]
    return found


def _constant(x: Any) -> bool:
    """Whether this is a number that is not 0."""
    return (
        isinstance(x, Fractional) and not x.factors and bool(x.numerator) and x.over.reciprocal(x.numerator) is not None
    )


def _simplicity(x: Any) -> float:
    return 1 / len(x.numerator) if isinstance(x, Fractional) and x.numerator else 0.0
