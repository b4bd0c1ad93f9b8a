"""The times of steps as a person writes them: those under which values are saved, selected and matched.

The equations take the time of step n as n·dt in floating point, which is 0.30000000000000004 for n = 3 and dt = 0.1. The label of
that step is 0.3: with p/q the simplest fraction that rounds to dt, it is n·p/q, rounded once.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

__all__ = ["label", "labelled", "labels", "labels_within", "nearest_steps", "simplest_fraction", "step_times"]

EXACT = 2**53
"""Floats represent all whole numbers up to this one."""


@lru_cache(256)
def simplest_fraction(number: float) -> Fraction:
    """The fraction of smallest denominator that rounds to a positive finite float."""
    here = Fraction(number)
    low = (here + Fraction(math.nextafter(number, 0.0))) / 2
    above = math.nextafter(number, math.inf)
    high = (here + Fraction(above)) / 2 if math.isfinite(above) else here
    even = float(low) == number  # ties round to even, for both ends alike
    return _between(low, high, closed=even)


def _between(low: Fraction, high: Fraction, *, closed: bool) -> Fraction:
    """The simplest fraction between two positive ones, the ends included if ``closed``."""
    whole: list[int] = []
    while True:
        n = low.numerator // low.denominator
        inside = n + 1 < high or (closed and n + 1 == high)
        if closed and low == n:
            end = Fraction(n)
            break
        if inside:
            end = Fraction(n + 1)
            break
        whole.append(n)
        if low == n:  # the end itself is excluded, so that the rest may be as large as one likes
            rest = 1 / (high - n)
            end = Fraction(rest.numerator // rest.denominator + 1)
            break
        low, high = 1 / (high - n), 1 / (low - n)
    for n in reversed(whole):
        end = n + 1 / end
    return end


def label(step: int, dt: float) -> float:
    """The label of a step [s]."""
    fraction = simplest_fraction(float(dt))
    return int(step) * fraction.numerator / fraction.denominator  # division of integers rounds once


def labels(steps: Any, dt: float) -> np.ndarray:
    """The labels of steps [s]."""
    numbers = np.asarray(steps)
    fraction = simplest_fraction(float(dt))
    p, q = fraction.numerator, fraction.denominator
    largest = int(np.abs(numbers).max(initial=0))
    if largest * p <= EXACT and q <= EXACT:
        return np.asarray(numbers * float(p) / float(q))
    return np.array([int(n) * p / q for n in numbers.ravel()], dtype=float).reshape(numbers.shape)


def labels_within(step: int | np.ndarray, share: np.ndarray, dt: float) -> np.ndarray:
    """Times [s] at shares of a step, from the label of its start, share 0, to that of its end, share 1."""
    start, end = labels(step, dt), labels(step + 1, dt)
    return np.asarray(start + share * (end - start))


def labelled(times: np.ndarray, dt: float) -> np.ndarray:
    """Times of the equations, of which those of a step become its label."""
    steps = np.rint(times / dt)
    return np.where(times == steps * dt, labels(steps, dt), times)


def nearest_steps(times: np.ndarray, dt: float) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the steps with the nearest labels, and which of the times are none: beyond 1e-6 of a step and their own
    rounding.
    """
    with np.errstate(all="ignore"):
        steps = np.rint(times / dt)
        exact = np.abs(steps) <= EXACT  # not of nan
        steps = np.where(exact, steps, 0.0)
        room = np.maximum(1e-6 * dt, 2 * np.spacing(np.abs(times)))
        return steps, ~(exact & (np.abs(times - labels(steps, dt)) <= room))


def step_times(times: np.ndarray, dt: float) -> np.ndarray:
    """The times n·dt [s] that the equations took at the steps with these labels."""
    return np.asarray(np.rint(times / dt) * dt)
