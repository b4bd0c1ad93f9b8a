"""Validation and layout of the arrays of a group: components last for users, first for kernels."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from semidirect.core import arguments, errors, ops


def vectors(name: str, dimension: int, xi: Any) -> np.ndarray:
    """``xi`` as finite floats (..., dimension)."""
    xi = _floats(xi, f"an algebra vector of {name}")
    if not xi.ndim or xi.shape[-1] != dimension:
        raise errors.InputError(
            f"not an algebra vector of {name}", expected=f"shape (..., {dimension})", got=str(xi.shape)
        )
    if not np.all(np.isfinite(xi)):
        raise errors.InputError(
            f"an algebra vector of {name} is not finite",
            expected="finite numbers",
            where=f"index {first(~np.isfinite(xi))}",
        )
    return xi


def matrices(name: str, size: int, g: Any) -> np.ndarray:
    """``g`` as floats (..., size, size)."""
    g = _floats(g, f"a matrix of {name}")
    if g.ndim < 2 or g.shape[-2:] != (size, size):
        raise errors.InputError(f"not matrices of {name}", expected=f"shape (..., {size}, {size})", got=str(g.shape))
    return g


def _floats(value: Any, what: str) -> np.ndarray:
    """An array of real numbers; an array of floats is returned itself."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return np.asarray(value)
    try:
        return arguments.numeric(value)
    except (TypeError, ValueError):
        raise errors.InputError(f"{what} is not numeric", expected="real numbers", got=reprlib.repr(value)) from None


def paired(name: str, dimension: int, a: Any, b: Any) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays (..., dimension), floats or objects, as (dimension, ...) with equally many batch axes."""
    pair = [_floats_or_symbols(name, dimension, x) for x in (a, b)]
    if any(not x.ndim or x.shape[-1] != dimension for x in pair):
        got = " and ".join(str(x.shape) for x in pair)
        raise errors.InputError(f"not algebra vectors of {name}", expected=f"shape (..., {dimension})", got=got)
    depth = max(x.ndim for x in pair)
    first_of, second = (np.moveaxis(x.reshape((1,) * (depth - x.ndim) + x.shape), -1, 0) for x in pair)
    return first_of, second


def _floats_or_symbols(name: str, dimension: int, value: Any) -> np.ndarray:
    """An array of objects unchanged if they can be multiplied, and anything else as finite floats."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.zeros(0)
    if array.dtype == object and not any(isinstance(x, str) or not hasattr(x, "__mul__") for x in array.flat):
        return array
    return vectors(name, dimension, value)


def block_diagonal(parts: Sequence[np.ndarray]) -> np.ndarray:
    """The block-diagonal matrix (N, N, ...) of matrices (N_i, N_i, ...), component-first."""
    size = sum(len(p) for p in parts)
    rows, start = [], 0
    for p in parts:
        for i in range(len(p)):
            rows.append([p[i, j - start] if start <= j < start + len(p) else 0 for j in range(size)])
        start += len(p)
    return ops.matrix(rows)


def components_first(g: np.ndarray) -> np.ndarray:
    """(..., N, N) to (N, N, ...)."""
    return np.moveaxis(g, (-2, -1), (0, 1))


def components_last(g: np.ndarray) -> np.ndarray:
    """(N, N, ...) to (..., N, N)."""
    return np.moveaxis(g, (0, 1), (-2, -1))


def first(bad: np.ndarray) -> tuple[int, ...]:
    """The index of the first true entry."""
    return tuple(int(i) for i in np.argwhere(bad)[0])


def place(index: tuple[int, ...]) -> str:
    """An index in a batch in the form for messages, empty for a single array."""
    return f"index {index}" if index else ""
