"""Products of matrices of expressions as those of :mod:`semidirect.core.ops`, in a time that counts entries other than 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from semidirect.core import ops

Entries = dict[int, Any]
"""Of a row or a column, those that are not 0, by their places."""


def matvec(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """The product Σ_j A_ij v_j."""
    if not _long(matrix, vector):
        return ops.matvec(matrix, vector)
    right = _present(vector)
    return _objects([_dot(_present(row), right) for row in matrix])


def matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product Σ_k A_ik B_kj."""
    if not _long(a, b):
        return ops.matmul(a, b)
    columns = [_present(column) for column in b.T]
    entries = [_dot(left, column) for left in map(_present, a) for column in columns]
    return _objects(entries).reshape(len(a), len(columns))


def _long(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether there is something to save: few matrices have so many rows, and others keep their ways."""
    return a.dtype == object and b.dtype == object and a.shape[1] == len(b) > 12 and len(a) > 0


def _present(vector: np.ndarray) -> Entries:
    return {i: x for i, x in enumerate(vector.tolist()) if x != 0}


def _dot(a: Entries, b: Entries) -> Any:
    """The sum of the products, in the order of the places."""
    few, many = (a, b) if len(a) <= len(b) else (b, a)
    products = [a[i] * b[i] for i in few if i in many]
    total = products[0] if products else sp.Integer(0)
    for x in products[1:]:
        total = total + x
    return total


def _objects(entries: list[Any]) -> np.ndarray:
    out = np.empty(len(entries), dtype=object)
    out[:] = entries
    return out


def gradient(e: Any, variables: np.ndarray) -> list[Any]:
    """∂e/∂x for each of several symbols; the terms of a sum are differentiated by the symbols that they have."""
    if not e.is_Add:
        free = e.free_symbols
        return [e.diff(x) if x in free else sp.Integer(0) for x in variables]
    terms: dict[Any, list[Any]] = {}
    for term in e.args:
        for x in term.free_symbols:
            terms.setdefault(x, []).append(term)
    return [e.func(*(term.diff(x) for term in terms.get(x, ()))) for x in variables]
