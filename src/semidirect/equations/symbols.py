"""Symbols of a derivation, and numbers made exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from math import isfinite
from threading import RLock
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.sympify import converter

from semidirect.blocks import rows_of
from semidirect.errors import DefinitionError

_tracing = RLock()


def vector(name: str, dimension: int) -> np.ndarray:
    """Symbols name1 … named, or ``name`` alone for one component. Real, since they stand for real numbers."""
    if dimension == 1:
        return np.array([sp.Symbol(name, real=True)], dtype=object)
    return np.array([sp.Symbol(f"{name}{i + 1}", real=True) for i in range(dimension)], dtype=object)


def staged(name: str, dimension: int) -> np.ndarray:
    """Symbols for what a derivation names itself; the ``~`` in front keeps them apart from all names of users."""
    return vector(f"~{name}", dimension)


def staged_blocks(prefix: str, layout: Mapping[str, slice]) -> np.ndarray:
    """Staged symbols for a whole layout, ``~<prefix><name>``."""
    return named({f"~{prefix}{name}": part for name, part in layout.items()})


def named(layout: Mapping[str, slice]) -> np.ndarray:
    """Symbols for a whole layout name → slice, one after the other."""
    parts = [vector(name, part.stop - part.start) for name, part in layout.items()]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=object)


@contextmanager
def exact_floats() -> Iterator[None]:
    """While users' functions are called with symbols, SymPy takes a float that meets one as its shortest decimal.

    Converted afterwards, the products of floats would have been rounded already, and no proof would be exact.
    """
    with _tracing:
        before = converter.get(float)
        converter[float] = lambda x: sp.Rational(repr(float(x))) if isfinite(x) else sp.Float(x)
        try:
            yield
        finally:
            converter.pop(float)
            if before is not None:
                converter[float] = before


def exact(value: Any) -> sp.Expr:
    """A SymPy expression in which each float is the rational of its shortest decimal, so that proofs are exact."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    if isinstance(value, (float, np.floating)):
        return sp.Rational(repr(float(value)))
    expression = sp.sympify(value)
    if not isinstance(expression, sp.Expr) or expression.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise DefinitionError("not a number", expected="a finite number or an expression", got=repr(value))
    floats = expression.atoms(sp.Float)
    return expression.xreplace({f: sp.Rational(repr(float(f))) for f in floats}) if floats else expression


def exact_array(value: Any) -> np.ndarray:
    """An array (any shape) of exact expressions."""
    array = np.asarray(value)
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        out[index] = exact(array[index])
    return out


def exact_rows(value: Any) -> np.ndarray:
    """A vector of exact expressions; a scalar is one row."""
    rows = rows_of(value)
    out = np.empty(len(rows), dtype=object)
    out[:] = [exact(row) for row in rows]
    return out


def parameter_symbols(name: str, shape: tuple[int, ...], *, symmetric: bool = False) -> np.ndarray:
    """Symbols of a parameter: name, name1 …, name1_1 …; a symmetric matrix has one symbol for both triangles."""
    out = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        key = tuple(sorted(index)) if symmetric else index
        out[index] = sp.Symbol(name + "_".join(str(i + 1) for i in key), real=True)
    return out


def distinct(arrays: Any) -> tuple[sp.Symbol, ...]:
    """All symbols of some arrays, each once, in order."""
    return tuple(dict.fromkeys(s for array in arrays for s in np.asarray(array).flat))
