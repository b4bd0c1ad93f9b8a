"""Ranges of functions on the whole invariant set, by running their programs on ranges."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter, sqrt
from typing import final

from semidirect.core import interpolation
from semidirect.invariants.algebra.field_element import FieldElement
from semidirect.invariants.algebra.scalars import Numbers


@final
class Bounds(Numbers):
    """Ranges of real numbers; a random number may be any real number.

    Attributes
    ----------
    positive_roots : list of bool
        For each root and absolute value of a program, in the order of evaluation: whether it is the root of a function
        that is positive everywhere, or the absolute value of one that never changes sign.
    """

    def __init__(self) -> None:
        self.positive_roots: list[bool] = []

    def number(self, p: int, q: int = 1) -> Range:
        """The rational p/q."""
        x = Fraction(int(p), int(q))
        return Range(*_around(x), (x > 0) - (x < 0), self)

    def constant(self, name: str) -> Range:
        """π and e lie between 2 and 4."""
        return Range(2.0, 4.0, 1, self)

    def draw(self) -> Range:
        """Any number."""
        return Range(-inf, inf, 0, self)

    def positive(self) -> Range:
        """Any positive number."""
        return Range(0.0, inf, 1, self)

    def between(self, low: float, high: float) -> Range:
        """Any number between two."""
        return Range(low, high, (low > 0) - (high < 0), self)


@final
class Range(FieldElement):
    """Numbers from ``low`` to ``high``; ``sign`` is 1 or −1 if all have that sign, else 0."""

    __slots__ = ("high", "low", "over", "sign")

    def __init__(self, low: float, high: float, sign: int, over: Bounds):
        self.low, self.high, self.over = low, high, over
        self.sign = sign or (low > 0) - (high < 0)

    @property
    def one_sided(self) -> int:
        """1 if no number is negative, −1 if none is positive, else 0."""
        return self.sign or (self.low >= 0) - (self.high <= 0)

    def rational_of(self, x: Fraction | int) -> Range:
        """A fraction."""
        return self.over.number(x.numerator, x.denominator)

    def plus(self, other: Range) -> Range:
        """The sum; positive if one is positive and the other nonnegative."""
        up = (self.sign > 0 and other.low >= 0) or (other.sign > 0 and self.low >= 0)
        down = (self.sign < 0 and other.high <= 0) or (other.sign < 0 and self.high <= 0)
        return Range(_down(self.low + other.low), _up(self.high + other.high), int(up) - int(down), self.over)

    def __neg__(self) -> Range:
        return Range(-self.high, -self.low, -self.sign, self.over)

    def times(self, other: Range) -> Range:
        """The product; the square if both are the same number."""
        ends = [0.0 if not (x and y) else x * y for x in (self.low, self.high) for y in (other.low, other.high)]
        low, high = _down(min(ends)), _up(max(ends))
        if other is self or (self.sign * other.sign > 0):
            low = max(low, 0.0)
        if self.sign * other.sign < 0:
            high = min(high, 0.0)
        return Range(low, high, abs(self.sign) if other is self else self.sign * other.sign, self.over)

    def inverse(self) -> Range:
        """1/x; any number if x may be 0."""
        if not self.sign:
            return self.over.draw()
        ends = sorted((1 / self.low if self.low else self.sign * inf, 1 / self.high if self.high else self.sign * inf))
        low, high = _down(ends[0]), _up(ends[1])
        return Range(
            max(low, 0.0) if self.sign > 0 else low, min(high, 0.0) if self.sign < 0 else high, self.sign, self.over
        )

    def elementary(self, name: str | interpolation.Interpolant) -> Range:
        """A function."""
        if name in ("sqrt", "absolute"):
            self.over.positive_roots.append(self.sign > 0 if name == "sqrt" else self.one_sided != 0)
        if name == "absolute":
            least = 0.0 if not self.sign else min(abs(self.low), abs(self.high))
            return Range(least, max(abs(self.low), abs(self.high)), abs(self.sign), self.over)
        if name == "sqrt":
            low = max(_down(sqrt(max(self.low, 0.0))), 0.0)
            return Range(low, _up(sqrt(max(self.high, 0.0))), int(self.sign > 0), self.over)
        if name == "exp":
            return self.over.positive()
        return Range(-1.0, 1.0, 0, self.over) if name in ("sin", "cos") else self.over.draw()

    def regular(self) -> float:
        """How likely this is not 0: certainly, perhaps, or not at all."""
        return 1.0 if self.sign else 0.5 * (self.low != 0 or self.high != 0)

    def __repr__(self) -> str:
        return f"Range({self.low}, {self.high}, {self.sign})"


def _around(x: Fraction) -> tuple[float, float]:
    try:
        near = float(x)
    except OverflowError:
        return (nextafter(inf, 0), inf) if x > 0 else (-inf, nextafter(-inf, 0))
    return (near, near) if Fraction(near) == x else (_down(near), _up(near))


def _down(x: float) -> float:
    return -inf if x != x else nextafter(x, -inf) if x else x


def _up(x: float) -> float:
    return inf if x != x else nextafter(x, inf) if x else x
