"""Matrices ``[[A, x], [0, 1]]``, shared by SE(2), SE(3) and Rⁿ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from semidirect.core import ops


def affine_entries(matrix: Any, x: Sequence[Any] | np.ndarray) -> np.ndarray:
    """``[[A, x], [0, 1]]`` component-first; A is an array, or lists of entries."""
    rows = [[*row, last] for row, last in zip(matrix, x, strict=True)]
    return ops.matrix([*rows, [*([0] * len(rows)), 1]])


def affine_inverse(g: Any) -> np.ndarray:
    """The inverse ``[[Rᵀ, −Rᵀx], [0, 1]]`` for orthogonal R, component-first."""
    g = ops.array(g)
    n = len(g) - 1
    back = ops.transpose(g[:n, :n])
    return affine_entries(back, [-ops.dot(back[i], g[:n, n]) for i in range(n)])


def affine_matrices(linear: np.ndarray, x: np.ndarray) -> np.ndarray:
    """``[[A, x], [0, 1]]`` (m, n + 1, n + 1) of (m, n, n) and (m, n)."""
    n = x.shape[-1]
    g = np.zeros((len(x), n + 1, n + 1))
    g[:, :n, :n], g[:, :n, n], g[:, n, n] = linear, x, 1.0
    return g


def affine_residuals(g: np.ndarray, linear: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """The residual of A by ``linear``, or of the last row if that is larger."""
    n = g.shape[-1] - 1
    last = np.max(np.abs(g[:, n, :] - np.eye(n + 1)[n]), axis=-1)
    return np.maximum(linear(g[:, :n, :n]), last)
