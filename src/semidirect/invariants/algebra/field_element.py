"""Arithmetic of exact scalars, made of a sum, a negative, a product and an inverse."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import Any, Self

from semidirect.core import exact, ops
from semidirect.invariants.algebra.unordered import Unordered


class FieldElement(Unordered):
    """An element of a field that contains integers and fractions."""

    __slots__ = ()

    @abstractmethod
    def rational_of(self, x: Fraction | int) -> Self:
        """A rational as an element of this field."""

    @abstractmethod
    def plus(self, other: Self) -> Self:
        """The sum."""

    @abstractmethod
    def times(self, other: Self) -> Self:
        """The product."""

    def minus(self, other: Self) -> Self:
        """The difference."""
        return self.plus(-other)

    @abstractmethod
    def inverse(self) -> Self:
        """1/x; ZeroDivisionError for 0."""

    @abstractmethod
    def __neg__(self) -> Self: ...

    def _other(self, x: Any) -> Self | None:
        if isinstance(x, type(self)):
            return x
        if isinstance(x, ops.Scalar):
            return None
        try:
            return self.rational_of(x if isinstance(x, (int, Fraction)) else exact.exact_number(x))
        except (TypeError, ValueError):
            return None

    def __add__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else self.plus(b)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else self.times(b)

    __rmul__ = __mul__

    def __pos__(self) -> Self:
        return self

    def __sub__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else self.minus(b)

    def __rsub__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else b.minus(self)

    def __truediv__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else self.times(b.inverse())

    def __rtruediv__(self, other: Any) -> Any:
        return self.inverse() * other

    def __pow__(self, exponent: Any) -> Self:
        whole = int(exponent)
        if whole != exponent:
            raise ArithmeticError(f"the power {exponent} is not an integer")
        out = self.rational_of(1)
        for _ in range(abs(whole)):
            out = out.times(self)
        return out if whole >= 0 else out.inverse()
