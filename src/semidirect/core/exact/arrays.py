"""Arrays of exact numbers, and bilinear maps with exact coefficients."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from semidirect.core import ops
from semidirect.core.exact.numbers import Coefficient, exact_number, is_exact, is_zero, times


def exact_array(entries: Any) -> np.ndarray:
    """An object array of exact numbers."""
    source = np.asarray(entries)
    out = np.empty(source.shape, dtype=object)
    for index in np.ndindex(source.shape):
        out[index] = exact_number(source[index])
    return out


def objects(entries: Sequence[Any]) -> np.ndarray:
    """A vector of the entries themselves, without NumPy's conversion."""
    out = np.empty(len(entries), dtype=object)
    out[:] = list(entries)
    return out


def exact_beside(array: np.ndarray, other: np.ndarray) -> np.ndarray:
    """An array, with Python's integers instead of NumPy's if all entries of ``other`` are exact, see :func:`is_exact`."""
    exact = array.dtype.kind == "i" and other.dtype == object and all(map(is_exact, other.flat))
    return array.astype(object) if exact else array


def assemble(rows: Sequence[Any], *like: np.ndarray) -> np.ndarray:
    """Stack components and broadcast them over the batch of their arguments."""
    out = ops.stack(list(rows))
    shapes, kinds = {a.shape[1:] for a in like}, {out.dtype, *(a.dtype for a in like)}
    batch = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
    if len(kinds) > 1 and not any(kind.hasobject for kind in kinds):
        out = out.astype(np.result_type(*kinds), copy=False)
    if out.shape[1:] == batch:
        return out
    return np.array(np.broadcast_to(out.reshape(out.shape + (1,) * (len(batch) + 1 - out.ndim)), (len(rows), *batch)))


def contract(terms: Sequence[tuple[int, int, int, Coefficient]], size: int, a: Any, b: Any) -> np.ndarray:
    """The bilinear map ``out[k] = Σ value · a[i] · b[j]`` over the terms (i, j, k, value), component-first.

    Shapes: ``a (p, ...)``, ``b (q, ...)`` give ``(size, ...)``. Terms with a zero of structure are skipped.
    """
    a, b = ops.array(a), ops.array(b)
    rows: list[list[Any]] = [[] for _ in range(size)]
    of_a, of_b = ([None if is_zero(x) else x for x in vector] for vector in (a, b))
    for i, j, k, value in terms:
        x, y = of_a[i], of_b[j]
        if x is None or y is None:
            continue
        rows[k].append(times(value, x * y))
    return assemble([_added(row) if row else 0 for row in rows], a, b)


def _added(terms: Sequence[Any]) -> Any:
    """The sum from left to right; expressions, whose sums are sorted, are added at once."""
    algebra = sys.modules.get("sympy")
    if algebra is not None and len(terms) > 2 and all(isinstance(x, algebra.Expr) for x in terms):
        return algebra.Add(*terms)
    total = terms[0]
    for term in terms[1:]:
        total = term if is_zero(total) else total + term
    return total
