"""Vectors of symbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp


def vector(name: str, dimension: int) -> np.ndarray:
    """Symbols name1 … named, or ``name`` alone for one component. Real, since they stand for real numbers.

    Read-only, since they are passed to users' functions: a function that writes into its argument would change the derivation.
    """
    names = [name] if dimension == 1 else [f"{name}{i + 1}" for i in range(dimension)]
    return read_only(np.array(list(map(real, names)), dtype=object))


def read_only(array: np.ndarray) -> np.ndarray:
    """The array, made read-only."""
    array.flags.writeable = False
    return array


def staged(name: str, dimension: int) -> np.ndarray:
    """Symbols that a derivation introduces; the ``~`` in front distinguishes them from all names of users."""
    return vector(f"~{name}", dimension)


def staged_blocks(prefix: str, layout: Mapping[str, slice]) -> np.ndarray:
    """Staged symbols for a whole layout, ``~<prefix><name>``."""
    return named({f"~{prefix}{name}": part for name, part in layout.items()})


def named(layout: Mapping[str, slice]) -> np.ndarray:
    """Symbols for a whole layout name → slice, one after the other."""
    parts = [vector(name, part.stop - part.start) for name, part in layout.items()]
    return read_only(np.concatenate(parts) if parts else np.zeros(0, dtype=object))


def real(name: str) -> sp.Symbol:
    """A symbol that stands for a real number."""
    return sp.Symbol(name, real=True)


def distinct(arrays: Any) -> tuple[sp.Symbol, ...]:
    """All symbols of some arrays, each once, in order."""
    return tuple(dict.fromkeys(s for array in arrays for s in np.asarray(array).flat))
