"""Interval arithmetic, which proves that the value of a sine at a state differs from 0."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, final

import mpmath

from semidirect.core import interpolation
from semidirect.invariants.algebra.field_element import FieldElement
from semidirect.invariants.algebra.radicals import Radical, exact_value
from semidirect.invariants.algebra.scalars import Numbers

if TYPE_CHECKING:
    import sympy as sp


@final
class Intervals(Numbers):
    """Interval arithmetic with so many binary digits, rounded outward.

    Draws are those of the numbers it is made with, so that a state is the same at any number of digits.
    """

    def __init__(self, numbers: Any, bits: int):
        self._numbers = numbers
        self.context = mpmath.ctx_iv.MPIntervalContext()
        self.context.prec = bits

    ordered: ClassVar[bool] = True

    def number(self, p: int, q: int = 1) -> Interval:
        """The rational p/q."""
        return Interval(self.context.mpf(int(p)) / int(q), self, Fraction(int(p), int(q)))

    def constant(self, name: str) -> Interval:
        """π and its like."""
        return Interval(self.context.mpf(getattr(self.context, {"pi": "pi", "E": "e"}[name])), self)

    def draw(self) -> Interval:
        """A number drawn by the wrapped numbers."""
        return self.holding(self._numbers.draw())

    def positive(self) -> Interval:
        """A positive number drawn by the wrapped numbers."""
        return self.holding(self._numbers.positive())

    def between(self, low: Fraction, high: Fraction) -> Interval:
        """All numbers between two."""
        ends = [self.context.mpf(x.numerator) / x.denominator for x in (low, high)]
        return Interval(self.context.mpf([ends[0].a, ends[1].b]), self)

    def holding(self, x: Any) -> Any:
        """An interval that holds a number made of fractions and roots, or one of another number of digits; a table itself."""
        if isinstance(x, interpolation.Table):
            return x
        if isinstance(x, Interval):
            return Interval(x.value, self, x.fraction)
        if isinstance(x, Radical):
            field = x.field
            _, roots = field.enclosures(self.context.prec)
            return Interval(x.enclosure(self.context, roots), self, x.rational)
        return self.number(x.numerator, x.denominator)


@final
class Interval(FieldElement):
    """All numbers from ``value.a`` to ``value.b``; ``fraction`` is the number itself, where that is known to be one."""

    __slots__ = ("_circle", "fraction", "over", "value")

    def __init__(self, value: Any, over: Intervals, fraction: Fraction | None = None):
        self.value, self.over, self.fraction = value, over, fraction
        self._circle: dict[str, Interval] | None = None

    def rational_of(self, x: Fraction | int) -> Interval:
        """An interval that holds a fraction."""
        return self.over.number(x.numerator, x.denominator)

    def plus(self, other: Interval) -> Interval:
        """The sum."""
        exact = self.fraction is not None and other.fraction is not None
        return Interval(self.value + other.value, self.over, self.fraction + other.fraction if exact else None)  # type: ignore[operator]

    def __neg__(self) -> Interval:
        return Interval(-self.value, self.over, None if self.fraction is None else -self.fraction)

    def times(self, other: Interval) -> Interval:
        """The product; the square, which is not negative, if both are the same number."""
        exact = self.fraction is not None and other.fraction is not None
        value = self.value**2 if other is self else self.value * other.value
        return Interval(value, self.over, self.fraction * other.fraction if exact else None)  # type: ignore[operator]

    def inverse(self) -> Interval:
        """1/x; ZeroDivisionError if the interval contains 0."""
        if not self.regular():
            raise ZeroDivisionError("division by a number that may be 0")
        return Interval(1 / self.value, self.over, None if self.fraction is None else 1 / self.fraction)

    def elementary(self, name: str | interpolation.Interpolant) -> Interval:
        """A function; ZeroDivisionError if it may be undefined."""
        x, context = self.value, self.over.context
        if isinstance(name, interpolation.Interpolant):
            return self._interpolated(name)
        if name == "absolute":
            return Interval(abs(x), self.over)
        if name in ("sqrt", "log") and (x.a < 0 or (name == "log" and not x.a > 0)):
            raise ZeroDivisionError(f"{name} of a number that may be negative")
        if name in ("cos", "sin"):  # mpmath computes both for either
            if self._circle is None:
                both = mpmath.libmp.mpi_cos_sin(x._mpi_, context.prec)
                self._circle = {
                    one: Interval(context.make_mpf(ends), self.over)
                    for one, ends in zip(("cos", "sin"), both, strict=True)
                }
            return self._circle[name]
        return Interval(getattr(context, name)(x), self.over)

    def _interpolated(self, function: interpolation.Interpolant) -> Interval:
        """The polynomial of the piece in which all of these numbers lie; ZeroDivisionError if they lie in several."""
        if self.fraction is not None:
            return self.rational_of(exact_value(function, self.fraction))
        c, start, end = function.piece(float(self))
        low, high = (self.minus(self.rational_of(Fraction(x))).value for x in (start, end))
        if low.a < 0 or high.b > 0:
            raise ZeroDivisionError("an interpolant of numbers in several intervals")
        d = self.minus(self.rational_of(Fraction(start)))
        value: Interval = interpolation.polynomial(
            [self.rational_of(Fraction(x)) for x in c], d, function.order, function.kind
        )
        return value

    def __float__(self) -> float:
        return float(self.value.mid.a)

    def regular(self) -> float:
        """Whether this is certainly not 0."""
        return float(bool(self.value.a > 0 or self.value.b < 0))

    def expression(self) -> sp.Expr:
        """The fraction, or the middle as a SymPy number, with the digits that are certain."""
        import sympy as sp

        if self.fraction is not None:
            return sp.Rational(self.fraction.numerator, self.fraction.denominator)
        bits = self.over.context.prec
        with mpmath.workprec(bits):
            middle, width = mpmath.mpf(self.value.mid.a), mpmath.mpf(self.value.delta.b)
            certain = bits if not width else int(mpmath.log(abs(middle) / width, 2)) if middle else 1
            return sp.Float(middle, max(1, min(certain, bits) * 3 // 10 - 1))

    def __repr__(self) -> str:
        return f"Interval({self.value})"
