"""Reads the floats of parameters as exact numbers, in the same way for proofs, searches and the class of a noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import final

import numpy as np

from semidirect.core import exact
from semidirect.definition.parameters import Parameter

SIMPLE = 100
"""The largest denominator in the ratios of a simple direction."""

SIMPLE_SQUARE = 1000
"""The largest denominator of the square of an entry of a unit vector that is read as a root."""

NEAR = 1e-15
"""How far a unit vector may be from the simple direction that replaces it; rounding moves it by 5e-16."""


@final
@dataclass(frozen=True, eq=False)
class ExactValue:
    """The value of a parameter, read as exact numbers.

    Attributes
    ----------
    parameter : Parameter
    value : array
    """

    parameter: Parameter
    value: np.ndarray

    def entries(self) -> list[tuple[Fraction, Fraction]]:
        """The entries, in order, each as (x, q), which stands for x/√q.

        A float is the simple fraction that rounds to it, else its shortest decimal. A unit vector is a direction divided by its
        length, so that its length is 1 exactly and entries that are equal stay equal: (1, 1, 1)/√3; or its entries are roots of
        simple fractions: (1/2, 0, √3/2). Where no root is needed, q is 1.
        """
        entries = [Fraction(exact.exact_number(x)) for x in self.value.flat]
        if not self.parameter.of_length_one:
            return [(x, Fraction(1)) for x in entries]
        if (roots := _roots(entries, self.value)) is not None:
            return roots
        entries = _direction(entries, self.value)
        square = sum((x * x for x in entries), Fraction(0))
        length = exact.whole_root(square)
        return [(x, square) if length is None else (x / length, Fraction(1)) for x in entries]

    def rounded(self) -> list[tuple[int, ...]]:
        """Indices of entries that are neither simple fractions nor decimals of up to 15 digits: they are rounded."""
        if self.parameter.of_length_one:
            fractions = [Fraction(exact.exact_number(x)) for x in self.value.flat]
            if _direction(fractions, self.value) != fractions or _roots(fractions, self.value) is not None:
                return []
        return [index for index in np.ndindex(self.value.shape) if exact.is_rounded(self.value[index])]


def _roots(fractions: list[Fraction], value: np.ndarray) -> list[tuple[Fraction, Fraction]] | None:
    """A unit vector whose entries are roots of simple fractions up to rounding, none along a simple direction."""
    if _direction(fractions, value) != fractions or sum(x * x for x in fractions) == 1:
        return None
    squares = [Fraction(float(x) ** 2).limit_denominator(SIMPLE_SQUARE) for x in value.flat]
    near = all(abs(float(q) ** 0.5 - abs(float(x))) <= NEAR for q, x in zip(squares, value.flat, strict=True))
    if not near or sum(squares) != 1:
        return None
    roots = []
    for q, x in zip(squares, value.flat, strict=True):
        outer, inner = _outer(q.numerator * q.denominator)
        sign = 1 if x > 0 else -1
        roots.append(
            (sign * Fraction(outer * inner, q.denominator), Fraction(inner)) if q else (Fraction(0), Fraction(1))
        )
    return roots


def _outer(n: int) -> tuple[int, int]:
    """(a, d) with n = a²d and no square in d, so that roots of one field are written by one root."""
    a = max((k for k in range(1, isqrt(n) + 1) if n % (k * k) == 0), default=1)
    return a, n // (a * a) if n else 1


def _direction(fractions: list[Fraction], value: np.ndarray) -> list[Fraction]:
    """A vector of small integers along a unit vector, if there is one up to rounding, else its own entries."""
    if sum(x * x for x in fractions) == 1:
        return fractions
    largest = max((float(x) for x in value.flat), key=abs)
    ratios = [Fraction(float(x) / largest).limit_denominator(SIMPLE) for x in value.flat]
    scale = lcm(*(r.denominator for r in ratios))
    whole = [r * scale * (1 if largest > 0 else -1) for r in ratios]
    length = float(sum(x * x for x in whole)) ** 0.5
    near = all(abs(float(w) / length - float(x)) <= NEAR for w, x in zip(whole, value.flat, strict=True))
    return whole if near else fractions
