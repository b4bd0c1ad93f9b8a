"""Fractions with factored denominators, over polynomials (a symbolic proof) or over degrees (a bound for a random one)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, final

from semidirect.core import interpolation
from semidirect.invariants.algebra.determinants import reduce_and_solve
from semidirect.invariants.algebra.drawn_functions import DrawnFunctions
from semidirect.invariants.algebra.field_element import FieldElement


class TooLarge(Exception):
    """A polynomial, or the work on all of them, outgrew the budget of a symbolic proof."""


class Numerators(DrawnFunctions):
    """The ring of numerators and denominators: degrees, or polynomials."""

    def __init__(self) -> None:
        super().__init__()
        self.factors: list[Any] = []
        self._known: dict[Any, int] = {}

    @abstractmethod
    def rational(self, p: int, q: int) -> Any:
        """The constant p/q."""

    @abstractmethod
    def reduced(self, numerator: Any) -> Any:
        """The normal form of a numerator."""

    @abstractmethod
    def multiplied(self, one: Any, other: Any) -> Any:
        """The normal form of a product."""

    @abstractmethod
    def root(self, numerator: Any, divisor: Any) -> Any:
        """A square root of either sign, one for each divisor by which it will be divided."""

    @abstractmethod
    def reciprocal(self, numerator: Any) -> Any:
        """1/numerator where that is a constant, else ``None``."""

    def number(self, p: int, q: int = 1) -> Fractional:
        """The rational p/q."""
        return Fractional(self.rational(int(p), int(q)), {}, self)

    def key(self, x: Fractional) -> Any:
        """Numerator and denominator."""
        return x.numerator, frozenset(x.factors.items())

    def solve(self, matrix: Sequence[Sequence[Any]], rhs: Sequence[Any]) -> list[Any]:
        """By constant pivots and determinants."""
        return reduce_and_solve(matrix, rhs)

    def factor(self, numerator: Any) -> int:
        """The index under which a polynomial stands in denominators."""
        if numerator not in self._known:
            self._known[numerator] = len(self.factors)
            self.factors.append(numerator)
        return self._known[numerator]

    def product(self, factors: Mapping[int, int]) -> Any:
        """The product of factors with multiplicities."""
        out = self.rational(1, 1)
        for i, multiplicity in factors.items():
            for _ in range(multiplicity):
                out = self.multiplied(out, self.factors[i])
        return out


@final
class Fractional(FieldElement):
    """numerator / Π factor^multiplicity, reduced only by its known factors.

    Attributes
    ----------
    numerator : polynomial or Degree
    factors : dict index → multiplicity
    over : Numerators
    """

    __slots__ = ("factors", "numerator", "over")

    def __init__(self, numerator: Any, factors: Mapping[int, int], over: Numerators):
        self.numerator, self.over = numerator, over
        self.factors = dict(factors) if numerator else {}

    def rational_of(self, x: Fraction | int) -> Fractional:
        """A constant."""
        return self.over.number(x.numerator, x.denominator)

    def plus(self, other: Fractional) -> Fractional:
        """The sum over a common denominator."""
        if not self.numerator:
            return other
        if not other.numerator:
            return self
        common = dict(self.factors)
        for i, k in other.factors.items():
            common[i] = max(k, common.get(i, 0))
        total = self._raised(common) + other._raised(common)
        return Fractional(self.over.reduced(total), common, self.over)

    def _raised(self, common: Mapping[int, int]) -> Any:
        missing = {i: k - self.factors.get(i, 0) for i, k in common.items() if k > self.factors.get(i, 0)}
        return self.over.multiplied(self.numerator, self.over.product(missing)) if missing else self.numerator

    def __neg__(self) -> Fractional:
        return Fractional(-self.numerator, self.factors, self.over)

    def times(self, other: Fractional) -> Fractional:
        """The product."""
        factors = dict(self.factors)
        for i, k in other.factors.items():
            factors[i] = factors.get(i, 0) + k
        return Fractional(self.over.multiplied(self.numerator, other.numerator), factors, self.over)

    def inverse(self) -> Fractional:
        """1/x; ZeroDivisionError where x is identically 0."""
        if not self.numerator:
            raise ZeroDivisionError("division by an expression that is identically 0")
        above = self.over.product(self.factors)
        constant = self.over.reciprocal(self.numerator)
        if constant is not None:
            return Fractional(above * constant, {}, self.over)
        return Fractional(above, {self.over.factor(self.numerator): 1}, self.over)

    def elementary(self, name: str | interpolation.Interpolant) -> Fractional:
        """A square root √(N/D) = √(N D)/D, or another function."""
        if name == "absolute":
            return (self * self).elementary("sqrt")
        if name != "sqrt":
            return self.over.function(name, self)
        below = self.over.product(self.factors)
        # √(N/D) is √(N D)/D or its negative, with the sign of D; so each D has a root of its own, of either sign
        root = self.over.root(self.over.multiplied(self.numerator, below), frozenset(self.factors.items()))
        return Fractional(root, self.factors, self.over)

    @property
    def constant(self) -> bool:
        """Whether this is a number that is not 0."""
        return bool(self.numerator) and not self.factors and self.over.reciprocal(self.numerator) is not None

    def regular(self) -> float:
        """Whether this is not identically 0."""
        return float(bool(self.numerator))
