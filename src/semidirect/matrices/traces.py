"""Traces of matrices, and matrices without them."""

from __future__ import annotations

import numpy as np


def trace(W: np.ndarray) -> np.ndarray:
    """The traces of matrices ``(…, N, N)``."""
    return np.trace(W, axis1=-2, axis2=-1)


def trace_of_power(W: np.ndarray, k: int) -> np.ndarray:
    """tr Wᵏ of matrices ``(…, N, N)``."""
    return trace(np.linalg.matrix_power(W, k))


def without_trace(W: np.ndarray) -> np.ndarray:
    """W − tr(W)/N; matrices whose trace is rounding alone stay as they are."""
    n = W.shape[-1]
    mean = trace(W) / n
    if W.dtype == object:  # expressions, of which none is known to be rounding
        return W - mean[..., None, None] * np.eye(n)
    negligible = np.abs(mean) <= 8 * np.finfo(float).eps * np.max(np.abs(W), axis=(-2, -1), initial=0.0)
    return W - np.where(negligible, 0.0, mean)[..., None, None] * np.eye(n)
