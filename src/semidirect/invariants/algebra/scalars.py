"""Programs evaluated on exact scalars of any kind: residues, polynomials, degrees, duals of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from semidirect.core import exact, ops
from semidirect.invariants.algebra.sloped import regular
from semidirect.invariants.algebra.unordered import no_cases


class Numbers(ABC):
    """A kind of numbers: it makes constants, draws numbers at random, and solves linear systems.

    Attributes
    ----------
    ordered : bool
        Whether they are single real numbers, which ``float`` accepts.
    """

    ordered: ClassVar[bool] = False

    @abstractmethod
    def number(self, p: int, q: int = 1) -> Any:
        """The rational p/q."""

    @abstractmethod
    def constant(self, name: str) -> Any:
        """π and its like."""

    @abstractmethod
    def draw(self) -> Any:
        """A random number, or a variable."""

    def positive(self) -> Any:
        """The same, but positive if the numbers have signs."""
        return self.draw()

    def solve(self, matrix: Sequence[Sequence[Any]], rhs: Sequence[Any]) -> list[Any]:
        """Solve by elimination on the row whose pivot differs from 0 at most points.

        Raises
        ------
        ZeroDivisionError
            If the matrix is singular everywhere.
        """
        return exact.solve_exactly(matrix, rhs, regular)

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions for emitted programs, see :func:`semidirect.equations.emission.exact_function`."""
        table: dict[str, Callable[..., Any]] = {
            "number": self.number, "constant": self.constant, "solve_symmetric": self.solve, "solve_pivoted": self.solve,
            "where": no_cases, "interpolate": ops.interpolate,
        }  # fmt: skip
        return table | {name: getattr(ops, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "absolute")}
