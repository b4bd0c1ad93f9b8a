"""Programs evaluated on exact scalars of any kind: residues, polynomials, degrees, duals of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from semidirect.core import ops
from semidirect.core.elimination import solve_exactly
from semidirect.invariants.algebra.duals import regular
from semidirect.invariants.algebra.unordered import no_cases


class Numbers(Protocol):
    """A kind of numbers: it makes constants, and draws numbers at random."""

    def number(self, p: int, q: int = 1) -> Any:
        """The rational p/q."""

    def constant(self, name: str) -> Any:
        """π and its like."""

    def draw(self) -> Any:
        """A random number, or a variable."""

    def positive(self) -> Any:
        """The same, of numbers with signs a positive one."""


def functions(numbers: Numbers, solve: Callable[..., list[Any]]) -> dict[str, Callable[..., Any]]:
    """The functions of a field, for :func:`semidirect.equations.emission.exact_function`."""
    found: dict[str, Callable[..., Any]] = {
        "number": numbers.number, "constant": numbers.constant, "solve_symmetric": solve, "solve_pivoted": solve,
        "where": no_cases,
    }  # fmt: skip
    return found | {name: getattr(ops, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "absolute")}


def eliminate(matrix: Sequence[Sequence[Any]], rhs: Sequence[Any]) -> list[Any]:
    """Solve by elimination on the row whose pivot differs from 0 at most points.

    Raises
    ------
    ZeroDivisionError
        If the matrix is singular everywhere.
    """
    return solve_exactly(matrix, rhs, regular)


def cramer(matrix: Sequence[Sequence[Any]], rhs: Sequence[Any]) -> list[Any]:
    """Solve by determinants, so that one denominator serves all."""
    n = len(rhs)
    whole = _determinant(matrix)
    if not regular(whole):
        raise ZeroDivisionError("singular matrix in an exact solve")
    scale = 1 / whole
    out = []
    for j in range(n):
        replaced = [[rhs[i] if k == j else matrix[i][k] for k in range(n)] for i in range(n)]
        out.append(_times(_determinant(replaced), scale))
    return out


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
