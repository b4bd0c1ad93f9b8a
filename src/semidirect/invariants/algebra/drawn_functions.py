"""Random values for functions that are not algebraic: a relation that holds for all values holds for the true ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable
from typing import Any, ClassVar

from semidirect.core import interpolation
from semidirect.invariants.algebra.scalars import Numbers


class DrawnFunctions(Numbers):
    """Numbers with random values of functions, the same for the same argument.

    Their values have sin² + cos² = 1 and the symmetries of sine, cosine and exponential, and are the true ones where these are
    known fractions.

    Attributes
    ----------
    transcendental : bool
        Whether a function was drawn.
    """

    KNOWN: ClassVar = {"sin": (0, 0), "tan": (0, 0), "cos": (0, 1), "exp": (0, 1), "log": (1, 0)}
    """Where functions that are not algebraic have a fraction for a value: name → (x, f(x))."""

    def __init__(self) -> None:
        self.transcendental = False
        self._functions: dict[tuple[str | interpolation.Interpolant, Hashable], Any] = {}

    @abstractmethod
    def key(self, x: Any) -> Hashable:
        """The key that identifies a number."""

    def constant(self, name: str) -> Any:
        """π and its like: drawn too."""
        return self.function(name, self.number(1))

    def function(self, name: str | interpolation.Interpolant, x: Any) -> Any:
        """The value of a function."""
        if name in self.KNOWN and self.key(x) == self.key(self.number(self.KNOWN[name][0])):
            return self.number(self.KNOWN[name][1])
        self.drawing(name)
        if name == "tan":
            return self.function("sin", x) / self.function("cos", x)
        if name in ("sin", "cos"):
            half = self._drawn_at("angle", x, self.draw, odd=True)
            scale = 1 / (1 + half * half)
            return 2 * half * scale if name == "sin" else (1 - half * half) * scale
        if name == "exp":
            opposite = self._functions.get(("exp", self.key(-x)))
            return self._drawn_at("exp", x, self.positive) if opposite is None else 1 / opposite
        return self._drawn_at(name, x, self.draw)

    def drawing(self, name: str | interpolation.Interpolant) -> None:
        """Called before a function is drawn, which numbers may refuse."""
        self.transcendental = True

    def _drawn_at(
        self, name: str | interpolation.Interpolant, x: Any, draw: Callable[[], Any], odd: bool = False
    ) -> Any:
        opposite = self._functions.get((name, self.key(-x))) if odd else None
        if opposite is not None:
            return -opposite
        place = (name, self.key(x))
        if place not in self._functions:
            self._functions[place] = draw()
        return self._functions[place]
