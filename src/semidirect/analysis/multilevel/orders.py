"""The orders of means and variances over levels, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from semidirect.analysis.multilevel.level import Level

__all__ = ["bias_of", "smoothed_variances", "variance_order", "weak_order"]

SHRUNK = 0.5
"""A variance is at least this part of what the level before predicts, since few paths may show none."""
SEEN = 3.0
"""A mean is distinguished from 0 beyond so many standard errors."""
LEAST, MOST = 0.5, 4.0
"""Bounds of an order, which few paths estimate badly."""


def weak_order(levels: Sequence[Level]) -> float:
    """α of |E[Q_l − Q_{l−1}]| ∝ 2^(−α l), by least squares with weights (mean / standard error)²; nan if it cannot be seen."""
    means = np.array([x.mean for x in levels[1:]])
    errors = np.array([x.standard_error for x in levels[1:]])
    seen = np.abs(means) > SEEN * errors
    return _slope(np.flatnonzero(seen), np.abs(means[seen]), np.abs(means[seen]) / np.maximum(errors[seen], 1e-300))


def variance_order(levels: Sequence[Level]) -> float:
    """β of Var[Q_l − Q_{l−1}] ∝ 2^(−β l), by least squares with the number of paths as weights; nan if it cannot be seen."""
    variances = np.array([x.variance for x in levels[1:]])
    seen = variances > 0
    return _slope(np.flatnonzero(seen), variances[seen], np.sqrt([x.paths for x in levels[1:]])[seen])


def smoothed_variances(levels: Sequence[Level], beta: float) -> np.ndarray:
    """The variances of the levels, none far below what the level before predicts; those without paths as predicted."""
    found: list[float] = []
    for number, level in enumerate(levels):
        predicted = found[-1] / 2**beta if number > 1 else 0.0
        found.append(max(level.variance, SHRUNK * predicted) if level.paths else predicted)
    return np.array(found)


def bias_of(levels: Sequence[Level], alpha: float) -> float:
    """A bound of |E[Q − Q_L]|: the sum of all further differences, from the last two means."""
    last, before = abs(levels[-1].mean), abs(levels[-2].mean)
    return float(max(last, before / 2**alpha) / (2**alpha - 1))


def bounded(order: float, otherwise: float) -> float:
    """An order that can be used."""
    return float(np.clip(order if np.isfinite(order) else otherwise, LEAST, MOST))


def _slope(numbers: np.ndarray, sizes: np.ndarray, weights: np.ndarray) -> float:
    if len(numbers) < 2:
        return float("nan")
    return -float(np.polyfit(numbers, np.log2(sizes), 1, w=weights)[0])
