"""Degrees of rational functions, bounded by running their programs on degrees."""

from __future__ import annotations

from typing import final

from semidirect.invariants.algebra.fractional import Fractional, Numerators


@final
class Degree:
    """What is known of a polynomial: that its degree is at most ``value``, −1 for 0. Two are the same only if identical."""

    __slots__ = ("value",)

    def __init__(self, value: int):
        self.value = value

    def __add__(self, other: Degree) -> Degree:
        return Degree(max(self.value, other.value))

    def __mul__(self, other: Degree) -> Degree:
        return Degree(-1 if min(self.value, other.value) < 0 else self.value + other.value)

    def __neg__(self) -> Degree:
        return self

    def __bool__(self) -> bool:
        return self.value >= 0


@final
class Degrees(Numerators):
    """Bounds of degrees in what is drawn at random.

    A square root of a polynomial of degree d counts d/2, rounded up, and is counted in ``roots``: the norm of an expression
    with r roots is a product of 2^r conjugates. A sine and a cosine are rational in one more variable, of degree 2.
    """

    def __init__(self) -> None:
        super().__init__()
        self.roots = 0

    def draw(self) -> Fractional:
        """A variable."""
        return Fractional(Degree(1), {}, self)

    def rational(self, p: int, q: int) -> Degree:
        """A constant."""
        return Degree(0 if p else -1)

    def reduced(self, numerator: Degree) -> Degree:
        """As it is."""
        return numerator

    def multiplied(self, one: Degree, other: Degree) -> Degree:
        """The sum of the degrees."""
        return one * other

    def root(self, numerator: Degree) -> Degree:
        """Half the degree."""
        self.roots += numerator.value > 0
        return Degree((numerator.value + 1) // 2)

    def function(self, name: str, x: Fractional | None) -> Fractional:
        """A rational function of a new variable."""
        if name in ("sin", "cos", "tan"):
            return Fractional(Degree(2), {self.factor(Degree(2)): 1}, self)
        return self.draw()

    def reciprocal(self, numerator: Degree) -> Degree | None:
        """Of constants."""
        return Degree(0) if numerator.value == 0 else None

    def of(self, x: Fractional | int) -> int:
        """The degree of the numerator of an expression, of its norm where it has roots."""
        degree: int = max(x.numerator.value, 0) if isinstance(x, Fractional) else 0
        return int(degree * 2**self.roots)
