"""Weights of particles: effective number, systematic resampling, quantiles."""

from __future__ import annotations

import numpy as np

__all__ = ["ancestors", "effective_size", "normalised", "quantiles", "tempered"]


def normalised(log_weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights with the sum 1, and the logarithm of the sum before; without any weight, zeros and −∞."""
    top = float(np.max(log_weights))
    if not np.isfinite(top):
        return np.zeros_like(log_weights), -np.inf
    weights = np.exp(log_weights - top)
    total = float(np.sum(weights))
    return weights / total, top + float(np.log(total))


def effective_size(weights: np.ndarray) -> float:
    """1/Σw² of weights with the sum 1: how many equal weights have the same variance; 0 without any."""
    square = float(np.sum(weights * weights))
    return 1 / square if square else 0.0


def ancestors(weights: np.ndarray, u: float) -> np.ndarray:
    """Systematic resampling: the numbers of the particles that replace all, with one uniform number u in [0, 1)."""
    n = len(weights)
    ends = np.cumsum(weights)
    found = np.searchsorted(ends / ends[-1], (np.arange(n) + u) / n, side="right")
    return np.asarray(np.minimum(found, np.flatnonzero(weights)[-1]))


def tempered(log_weights: np.ndarray, log_likelihood: np.ndarray, most: float, share: float) -> float:
    """The largest exponent δ ≤ ``most`` for which the weights times likelihood^δ have a share of their effective number, by
    bisection; particles of the likelihood 0 count as having no weight before.
    """
    before = effective_size(normalised(np.where(np.isneginf(log_likelihood), -np.inf, log_weights))[0])

    def suffices(delta: float) -> bool:
        return effective_size(normalised(log_weights + delta * log_likelihood)[0]) >= share * before

    if suffices(most):
        return most
    low, high = 0.0, most
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if suffices(middle) else (low, middle)
    return low if low > 0 else high


def quantiles(values: np.ndarray, weights: np.ndarray | None, levels: np.ndarray) -> np.ndarray:
    """Weighted quantiles ``(levels, d)`` of values ``(paths, d)``; ``weights=None`` for equal ones."""
    rows = values.T
    out = np.empty((len(levels), len(rows)))
    n = values.shape[0]
    if weights is None:
        middles = (np.arange(n) + 0.5) / n
        for i, row in enumerate(rows):
            out[:, i] = np.interp(levels, middles, np.sort(row))
        return out
    for i, row in enumerate(rows):
        order = np.argsort(row)
        w = weights[order]
        out[:, i] = np.interp(levels, np.cumsum(w) - 0.5 * w, row[order])
    return out
