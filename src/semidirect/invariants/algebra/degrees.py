"""Degrees and heights of rational functions, bounded by running their programs on such bounds."""

from __future__ import annotations

from fractions import Fraction
from math import inf, lcm, log2
from typing import Any, final

from semidirect.core import interpolation
from semidirect.invariants.algebra.fractional import Fractional, Numerators


@final
class Degree:
    """Bounds for a polynomial with rational coefficients. Two are the same only if identical.

    Attributes
    ----------
    value : int
        A bound of its degree, −1 for 0.
    bits : float
        log₂ of a bound of Σ|c| over the coefficients c of ``below`` times the polynomial, which are integers.
    below : int
        A common denominator.
    exact : Fraction or None
        The value, if the polynomial is known to be a number.
    """

    __slots__ = ("below", "bits", "exact", "value")

    def __init__(self, value: int, bits: float = 0.0, below: int = 1, exact: Fraction | None = None):
        self.value, self.bits, self.below, self.exact = value, bits, below, exact

    @classmethod
    def constant(cls, x: Fraction) -> Degree:
        """A number."""
        bits = log2(abs(x.numerator)) if x else -inf
        return cls(0 if x else -1, bits, x.denominator, x)

    def __add__(self, other: Degree) -> Degree:
        if self.exact is not None and other.exact is not None:
            return Degree.constant(self.exact + other.exact)
        if not self or not other:
            return self if self else other
        below = lcm(self.below, other.below)
        bits = [x.bits + log2(below // x.below) for x in (self, other)]
        total = max(bits) + log2(1 + 2.0 ** (min(bits) - max(bits)))
        return Degree(max(self.value, other.value), total, below)

    def __mul__(self, other: Degree) -> Degree:
        if self.exact is not None and other.exact is not None:
            return Degree.constant(self.exact * other.exact)
        if not self or not other:
            return Degree.constant(Fraction(0))
        return Degree(self.value + other.value, self.bits + other.bits, self.below * other.below)

    def __neg__(self) -> Degree:
        return self if self.exact is None else Degree.constant(-self.exact)

    def __bool__(self) -> bool:
        return self.value >= 0


@final
class Degrees(Numerators):
    """Bounds of degrees in the random numbers, and of the size of coefficients.

    A square root of a polynomial of degree d counts d/2, rounded up, and is counted in ``roots``: the norm of an expression
    with r roots is a product of 2^r conjugates. Weighted with √Σ|c| for a root, Σ|c| of a product is at most the product of
    those of its factors, roots or not. A sine and a cosine are rational in one more variable, of degree 2.
    """

    def __init__(self) -> None:
        super().__init__()
        self.roots = 0

    def draw(self) -> Fractional:
        """A variable."""
        return Fractional(Degree(1), {}, self)

    def rational(self, p: int, q: int) -> Degree:
        """A constant."""
        return Degree.constant(Fraction(p, q))

    def reduced(self, numerator: Degree) -> Degree:
        """The same bound."""
        return numerator

    def multiplied(self, one: Degree, other: Degree) -> Degree:
        """The sum of the degrees."""
        return one * other

    def root(self, numerator: Degree, divisor: Any) -> Degree:
        """Half the degree: √(N/q) = √(q N)/q."""
        self.roots += numerator.value > 0
        bits = (numerator.bits + log2(numerator.below)) / 2
        return Degree((numerator.value + 1) // 2, bits, numerator.below) if numerator else numerator

    def function(self, name: str | interpolation.Interpolant, x: Fractional) -> Fractional:
        """A rational function of a new variable."""
        if name in ("sin", "cos", "tan"):
            return Fractional(Degree(2, 1.0), {self.factor(Degree(2, 1.0)): 1}, self)
        return self.draw()

    def reciprocal(self, numerator: Degree) -> Degree | None:
        """Of constants."""
        return None if not numerator.exact else Degree.constant(1 / numerator.exact)

    def of(self, x: Fractional | int) -> int:
        """The degree of the numerator of an expression, or of its norm if it has roots."""
        return int(self.degree(x) * 2**self.roots)

    def degree(self, x: Fractional | int) -> int:
        """The degree of the numerator of an expression, roots and all."""
        return max(x.numerator.value, 0) if isinstance(x, Fractional) else 0

    def bits(self, x: Fractional | int) -> float:
        """log₂ of Σ|c| over the integer coefficients c of that numerator."""
        return float(max(x.numerator.bits, 0.0)) if isinstance(x, Fractional) and x.numerator else 0.0
