"""Exact numbers: coefficients that are integers or fractions, and their products with any kind of entry."""

from __future__ import annotations

import numbers
import sys
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from semidirect.core import ops

Exact = int | Fraction
Coefficient = int | Fraction | float
HALF = Fraction(1, 2)


def simplest(value: Fraction) -> Exact:
    """The integer if the fraction is one, else the fraction."""
    return value.numerator if value.denominator == 1 else value


def exact_number(x: Any) -> Exact:
    """The exact number for ``x``: a float is the simple fraction that rounds to it, else its shortest decimal."""
    if isinstance(x, numbers.Rational):
        return simplest(Fraction(int(x.numerator), int(x.denominator)))
    decimal = Fraction(repr(float(x)))
    simple = decimal.limit_denominator(1000)
    return simplest(simple if float(simple) == float(x) else decimal)


def is_rounded(x: Any) -> bool:
    """Whether a float is neither a simple fraction nor a decimal of up to 15 digits, so that it stands for a number near it."""
    if isinstance(x, numbers.Rational):
        return False
    decimal = repr(float(x))
    digits = decimal.split("e")[0].strip("-0.").replace(".", "")
    return len(digits) > 15 and float(Fraction(decimal).limit_denominator(1000)) != float(x)


def is_exact(x: Any) -> bool:
    """Whether ``x`` is an integer, a fraction, symbolic or a scalar with ``exact``. NumPy's integers count as floats."""
    if isinstance(x, (int, Fraction)):
        return True
    if isinstance(x, ops.Scalar):
        return x.exact
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(x, sympy.Basic)


def times(value: Coefficient, x: Any) -> Any:
    """``value * x``, exact if ``x`` is (:func:`is_exact`), and in floats if it is a float, an array or a tracer."""
    if isinstance(value, int):
        return x if value == 1 else -x if value == -1 else value * x
    if isinstance(x, np.ndarray) and x.dtype == object:
        out = np.empty(x.shape, dtype=object)
        for index in np.ndindex(x.shape):
            out[index] = times(value, x[index])
        return out
    if is_exact(x):
        return (Fraction(repr(value)) if isinstance(value, float) else value) * x
    return float(value) * x


def divide(a: Any, b: Any) -> Any:
    """``a / b``, an integer or a fraction if both are exact."""
    exact = (int, Fraction, np.integer)
    if isinstance(a, exact) and isinstance(b, exact):
        return simplest(Fraction(exact_number(a)) / exact_number(b))
    return a / b


def is_zero(x: Any) -> bool:
    """Whether ``x`` is the integer 0: a structural zero, not a number that vanishes by chance."""
    return isinstance(x, (int, np.integer)) and x == 0


def whole_root(x: Fraction) -> Fraction | None:
    """The square root of a fraction if that is a fraction."""
    if x < 0:
        return None
    root = Fraction(isqrt(x.numerator), isqrt(x.denominator))
    return root if root * root == x else None
