"""Symbols of a derivation, and numbers made exact."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from semidirect.blocks import rows_of
from semidirect.errors import DefinitionError


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
