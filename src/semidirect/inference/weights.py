"""Weights of particles: effective number, systematic resampling, means, quantiles."""

from __future__ import annotations

import numpy as np

__all__ = ["ancestors", "effective_size", "mean", "normalised", "quantiles", "second_moments", "tempered"]

BINS = 512
"""Into which weighted values are divided before those next to a quantile are sorted."""


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
    """Systematic resampling: the numbers of the particles that replace all, ascending, with one uniform number u in [0, 1).

    Particle i is taken for each of the points (k + u)/n, k = 0, …, n − 1, in its part of [0, 1).
    """
    n = len(weights)
    ends = np.cumsum(weights)
    below = np.ceil(ends * (n / ends[-1]) - u).astype(np.int64)
    below[np.flatnonzero(weights)[-1] :] = n  # whatever the rounding
    return np.repeat(np.arange(n), np.diff(below, prepend=0))


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


def mean(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Σ w x ``(d,)`` of rows ``(d, paths)``."""
    return np.array([np.add.reduce(weights * row) for row in rows])


def second_moments(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Σ w x xᵀ ``(d, d)`` of rows ``(d, paths)``."""
    out = np.empty((len(rows), len(rows)))
    for i, row in enumerate(rows):
        weighted = weights * row
        for j in range(i + 1):
            out[i, j] = out[j, i] = np.add.reduce(weighted * rows[j])
    return out


def quantiles(rows: np.ndarray, weights: np.ndarray | None, levels: np.ndarray) -> np.ndarray:
    """Weighted quantiles ``(levels, d)`` of rows ``(d, paths)``; ``weights=None`` for equal ones.

    They are interpolated between the values, of which each is the quantile of the weight below it and half of its own.
    """
    if weights is None:
        n = rows.shape[1]
        middles = (np.arange(n) + 0.5) / n
        return np.array([np.interp(levels, middles, np.sort(row)) for row in rows]).T
    return np.array([_weighted_quantiles(row, weights, levels) for row in rows]).T


def _weighted_quantiles(row: np.ndarray, weights: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """The quantiles of one row. Of many values only those in bins next to a quantile are sorted."""
    low, high = row.min(), row.max()
    with np.errstate(all="ignore"):
        scale = (BINS - 1) / (high - low)
    if not (0 < scale < np.inf and len(row) > BINS):  # few values, equal ones, or some that are not finite
        return _between(row, weights, 0.0, levels)
    bins = ((row - low) * scale).astype(np.int64)
    mass = np.bincount(bins, weights, BINS)
    ends, filled = np.cumsum(mass), np.flatnonzero(mass)
    found = []
    for level in levels:
        at = min(int(np.searchsorted(ends[filled], level)), len(filled) - 1)
        first, last = filled[max(at - 1, 0)], filled[min(at + 1, len(filled) - 1)]
        near = np.flatnonzero((bins >= first) & (bins <= last))
        found.append(_between(row[near], weights[near], float(ends[first] - mass[first]), level))
    return np.array(found)


def _between(values: np.ndarray, weights: np.ndarray, below: float, levels: np.ndarray) -> np.ndarray:
    """Quantiles interpolated between some values, where others with the weight ``below`` are smaller."""
    order = np.argsort(values)
    w = weights[order]
    return np.asarray(np.interp(levels, below + np.cumsum(w) - 0.5 * w, values[order]))
