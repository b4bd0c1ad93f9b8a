"""Numbers with a derivative along one direction, over numbers of any kind; nested they give iterated derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, final

from semidirect.core import dual, interpolation, ops
from semidirect.invariants.algebra.unordered import Unordered

_generations = count(1)


@final
class Sloped(Unordered):
    """``value + slope ε`` with ε² = 0.

    Attributes
    ----------
    value, slope : numbers of an earlier generation
    generation : int
        Which call of :func:`along` made it; an operand of an earlier one is a constant beside it.
    """

    __slots__ = ("generation", "slope", "value")

    def __init__(self, value: Any, slope: Any, generation: int):
        self.value, self.slope, self.generation = value, slope, generation

    def _pair(self, other: Any) -> tuple[int, Any, Any, Any, Any]:
        if isinstance(other, Sloped):
            if other.generation == self.generation:
                return self.generation, self.value, self.slope, other.value, other.slope
            if other.generation > self.generation:
                return other.generation, self, 0, other.value, other.slope
        return self.generation, self.value, self.slope, other, 0

    def __add__(self, other: Any) -> Sloped:
        g, a, da, b, db = self._pair(other)
        return Sloped(a + b, _sum(da, db), g)

    __radd__ = __add__

    def __neg__(self) -> Sloped:
        return Sloped(-self.value, -self.slope, self.generation)

    def __pos__(self) -> Sloped:
        return self

    def __sub__(self, other: Any) -> Sloped:
        return self + (-other)

    def __rsub__(self, other: Any) -> Sloped:
        return -self + other

    def __mul__(self, other: Any) -> Sloped:
        g, a, da, b, db = self._pair(other)
        return Sloped(a * b, _sum(_product(da, b), _product(a, db)), g)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Sloped:
        g, a, da, b, db = self._pair(other)
        inverse = 1 / b
        quotient = a * inverse
        return Sloped(quotient, _product(_sum(da, -_product(quotient, db)), inverse), g)

    def __rtruediv__(self, other: Any) -> Sloped:
        inverse = 1 / self.value
        quotient = other * inverse
        return Sloped(quotient, -_product(self.slope, quotient * inverse), self.generation)

    def __pow__(self, exponent: Any) -> Any:
        whole = int(exponent)
        if whole != exponent:
            raise ArithmeticError(f"the power {exponent} is not an integer")
        out: Any = 1
        for _ in range(abs(whole)):
            out = out * self
        return out if whole >= 0 else 1 / out

    def elementary(self, name: str | interpolation.Interpolant) -> Sloped:
        """The elementary function ``name``, with its derivative."""
        x = self.value
        value = ops.elementwise(name, x)
        slope = x / value if name == "absolute" else dual.derivative(name, x, value)  # numbers without an order
        return Sloped(value, _product(self.slope, slope), self.generation)

    def regular(self) -> float:
        """The share of points at which the value is not 0."""
        return regular(self.value)

    def __repr__(self) -> str:
        return f"Sloped({self.value}, {self.slope})"


def regular(x: Any) -> float:
    """The share of points at which a number of any kind differs from 0."""
    return float(x.regular()) if isinstance(x, ops.Scalar) else float(x != 0)  # type: ignore[attr-defined]


def along(function: Callable[[Sequence[Any]], Sequence[Any]], at: Sequence[Any], direction: Sequence[Any]) -> list[Any]:
    """The derivative Df(at)[direction] of a function of several numbers."""
    generation = next(_generations)
    inputs = [Sloped(x, v, generation) for x, v in zip(at, direction, strict=True)]
    return [y.slope if isinstance(y, Sloped) and y.generation == generation else 0 for y in function(inputs)]


def _is_zero(x: Any) -> bool:
    return type(x) is int and x == 0


def _sum(a: Any, b: Any) -> Any:
    return b if _is_zero(a) else a if _is_zero(b) else a + b


def _product(a: Any, b: Any) -> Any:
    return 0 if _is_zero(a) or _is_zero(b) else a * b
