"""Floats of users as exact numbers in expressions."""

from __future__ import annotations

import numbers
import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.sympify import converter

from semidirect.core.blocks import rows_of
from semidirect.core.errors import DefinitionError
from semidirect.core.exact import objects
from semidirect.core.locks import ForkSafeLock


@contextmanager
def exact_floats() -> Iterator[None]:
    """While users' functions are called with symbols, SymPy takes a float that meets one as its shortest decimal.

    If floats were converted later, their products would already be rounded, and no proof would be exact.
    """
    with _tracing:
        before = converter.get(float)
        converter[float] = _shortest_decimal
        try:
            yield
        finally:
            converter.pop(float)
            if before is not None:
                converter[float] = before


def _shortest_decimal(x: float) -> sp.Expr:
    return sp.Rational(repr(float(x))) if isfinite(x) else sp.Float(x)


_of_sympy = converter.get(float)


def _restore_converter() -> None:
    """Convert floats as SymPy does, in a process that was forked while another thread called functions with symbols."""
    converter.pop(float, None)
    if _of_sympy is not None:
        converter[float] = _of_sympy


_tracing = ForkSafeLock(restore=_restore_converter)


def exact(value: Any, what: str = "") -> sp.Expr:
    """A SymPy expression in which each float is the rational of its shortest decimal, so that proofs are exact.

    Raises
    ------
    DefinitionError
        If it is not a finite real number or expression (text, ``None``, a condition, ∞, i); ``what`` names it in the message.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    if isinstance(value, (float, np.floating)) and isfinite(value):
        return sp.Rational(repr(float(value)))
    is_number = isinstance(value, (sp.Basic, numbers.Number, np.number)) and not isinstance(value, bool)
    expression = sp.sympify(value) if is_number else None
    if not isinstance(expression, sp.Expr) or expression.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
        raise DefinitionError(
            f"{what}: not a number" if what else "not a number", expected="a real finite number or an expression",
            got=reprlib.repr(value) if expression is None else str(expression)[:200],
        )  # fmt: skip
    floats = expression.atoms(sp.Float)
    return expression.xreplace({f: sp.Rational(repr(float(f))) for f in floats}) if floats else expression


def exact_array(value: Any, what: str = "") -> np.ndarray:
    """An array (any shape) of exact expressions; see :func:`exact`."""
    array = _as_array(value, what)
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        out[index] = exact(array[index], what)
    return out


def exact_rows(value: Any, what: str = "") -> np.ndarray:
    """A vector of exact expressions; a scalar is one row. See :func:`exact`."""
    if not isinstance(value, np.ndarray):
        value = _as_array(value, what)
    if value.ndim > 1:
        raise DefinitionError(f"{what or 'a quantity'} has the wrong shape", expected="a number or a vector (n,)",
                              got=str(value.shape))  # fmt: skip
    rows = rows_of(value)
    return objects([exact(row, what) for row in rows])


def _as_array(value: Any, what: str) -> np.ndarray:
    """The value that a user's function returned, as an array; a Piecewise or any other expression is a scalar."""
    try:
        return np.asarray(value)
    except ValueError:  # rows of different shapes
        raise DefinitionError(
            f"{what or 'a value'} is not an array", expected="rows of one shape", got=reprlib.repr(value)
        ) from None
