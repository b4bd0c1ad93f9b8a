"""The orders of means and variances over levels, and quantities derived from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from semidirect.analysis.multilevel.level import Level

__all__ = ["bias_of", "used_weak_order", "variance_bounds", "variance_order", "weak_order"]

SHRUNK = 0.5
"""A variance is at least this part of what the level before predicts, since few paths may show none."""
VISIBLE = 3.0
"""A mean is distinguished from 0 beyond so many standard errors."""
APART = 2.0
"""Standard errors by which a measured order is another than the declared one."""
LEAST_ALPHA, LEAST_BETA, MOST = 0.5, 0.25, 4.0
"""Bounds of orders, which few paths estimate badly. Indicators by a method of strong order ½ have β = ¼."""
ENOUGH_SEEN = 10
"""A variance rests on at least so many differences that were seen."""
SMALLEST = 1e-6
"""The part of the largest error that another has at least where means are weighted by errors."""
UNSEEN = 3.0
"""Of events that were seen s times, fewer than s + 3 were to be expected, at about 95 %."""


def weak_order(levels: Sequence[Level]) -> float:
    """α of |E[Q_l − Q_{l−1}]| ∝ 2^(−α l), by least squares with weights (mean / standard error)²; nan if it is not visible."""
    return _weak_order(levels)[0]


def used_weak_order(levels: Sequence[Level], order: float) -> float:
    """The weak order for the bias: the declared one, or the measured one where that is lower by more than its error explains.

    One that is measured to be higher is that of the first, longest steps.
    """
    slope, error = _weak_order(levels)
    lower = np.isfinite(slope) and order - slope > APART * error
    return float(np.clip(slope if lower else order, LEAST_ALPHA, MOST))


def _weak_order(levels: Sequence[Level]) -> tuple[float, float]:
    means = np.array([x.mean for x in levels[1:]])
    errors = np.array([x.standard_error for x in levels[1:]])
    visible = np.flatnonzero(np.abs(means) > VISIBLE * errors)
    if len(visible) < 2:
        return float("nan"), float("nan")
    weights = np.abs(means[visible]) / np.maximum(errors[visible], 1e-300)  # 1/(error of ln |mean|)
    slope = _slope(visible, np.abs(means[visible]), weights)
    centred = visible - np.average(visible, weights=weights**2)
    return slope, 1 / (np.log(2) * float(np.sqrt(np.sum((weights * centred) ** 2))))


def variance_order(levels: Sequence[Level]) -> float:
    """β of Var[Q_l − Q_{l−1}] ∝ 2^(−β l), by least squares with the number of paths as weights; nan if it is not visible."""
    variances = np.array([x.variance for x in levels[1:]])
    visible = np.flatnonzero([x.variance > 0 and x.seen >= ENOUGH_SEEN for x in levels[1:]])
    if len(visible) < 2:
        return float("nan")
    return _slope(visible, variances[visible], np.sqrt([x.paths for x in levels[1:]])[visible])


def used_variance_order(levels: Sequence[Level], order: float) -> float:
    """The order of the variances for predictions: the measured one, or the declared one where it is not visible."""
    slope = variance_order(levels)
    return float(np.clip(slope if np.isfinite(slope) else order, LEAST_BETA, MOST))


def variance_bounds(levels: Sequence[Level], beta: float) -> np.ndarray:
    """The variances of the levels, none far below what the level before predicts; those without paths as predicted.

    Where few differences were seen, the bound is that of events as large as the largest difference, of which more were to be
    expected than happened.
    """
    variances: list[float] = []
    for number, level in enumerate(levels):
        predicted = variances[-1] / 2**beta if number > 1 else 0.0
        if not level.paths:
            variances.append(predicted)
            continue
        rare = unseen(levels, number) * event_size(levels, number)
        variances.append(max(level.variance, SHRUNK * predicted, rare))
    return np.array(variances)


def unseen(levels: Sequence[Level], number: int) -> float:
    """A bound of the mean of |differences| of a level of which fewer than enough were seen, 0 if enough were."""
    level = levels[number]
    if level.seen >= ENOUGH_SEEN or not level.paths:
        return 0.0
    return (level.seen + UNSEEN) / level.paths * event_size(levels, number)


def event_size(levels: Sequence[Level], number: int) -> float:
    """How large a difference that was not seen may be: as large as those that were, on this level or another.

    Where a quantity has the same value on all paths and all levels, it is constant, unless that is a whole number: then it may be
    the indicator of an event that has not happened.
    """
    largest = max((x.largest for x in levels[min(number, 1) :]), default=0.0) or levels[0].largest
    return largest or float(levels[0].paths > 0 and levels[0].value.is_integer())


def bias_of(levels: Sequence[Level], alpha: float) -> float:
    """A bound of |E[Q − Q_L]|: the sum of all further differences, from the last three means with their errors.

    By the order each of them predicts the last mean. Their average, weighted by their errors, knows it best; where one of them
    alone predicts more by more than its own error, the means do not fall by the order yet, and that one counts.
    """
    numbers = range(len(levels) - 1, max(len(levels) - 4, 0), -1)
    factors = 2.0 ** (-alpha * np.arange(len(numbers)))
    predicted = factors * [levels[i].mean for i in numbers]
    errors = factors * [np.hypot(levels[i].standard_error, unseen(levels, i)) for i in numbers]
    shares = np.maximum(errors, SMALLEST * np.max(errors) or 1.0) ** -2.0
    shares /= np.sum(shares)
    mean, error = abs(float(np.sum(shares * predicted))), float(np.sqrt(np.sum((shares * errors) ** 2)))
    return float(np.hypot(max(mean, float(np.max(np.abs(predicted) - errors))), error) / (2**alpha - 1))


def _slope(numbers: np.ndarray, sizes: np.ndarray, weights: np.ndarray) -> float:
    return -float(np.polyfit(numbers, np.log2(sizes), 1, w=weights)[0])
