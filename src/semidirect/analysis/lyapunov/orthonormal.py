"""Orthonormal bases of the spans of tangent vectors, path by path."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Orthonormal", "orthonormal"]


class Orthonormal(NamedTuple):
    """Vectors V = QR of each path.

    Attributes
    ----------
    vectors : array (K, m, paths)
        Q, orthonormal.
    lengths : array (K, paths)
        The diagonal of R: how long each vector is beside the span of those before it.
    independence : array (K, paths)
        The sines of the angles between each vector and this span.
    """

    vectors: np.ndarray
    lengths: np.ndarray
    independence: np.ndarray


def orthonormal(vectors: np.ndarray) -> Orthonormal:
    """The modified Gram–Schmidt process for vectors ``(K, m, paths)``, path by path in the same operations."""
    q = np.array(vectors)
    lengths, independence = np.empty((2, len(q), q.shape[2]))
    with np.errstate(all="ignore"):
        for k, v in enumerate(q):
            before = np.sqrt(_product(v, v))
            for u in q[:k]:
                v -= _product(u, v) * u
            lengths[k] = np.sqrt(_product(v, v))
            independence[k] = lengths[k] / before
            v /= lengths[k]
    return Orthonormal(q, lengths, independence)


def _product(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    total: np.ndarray = u[0] * v[0]
    for a, b in zip(u[1:], v[1:], strict=True):
        total = total + a * b
    return total
