"""Locates the place within a step at which a quantity reaches a level.

Where no noise moves the quantity, the step is taken again by the same method, by the part of its length after which the quantity
is at the level: a bracketed root, to round-off. So the time has the order of the method.

Where noise does, the quantity within a step of length h is a Brownian bridge between its values at both ends, with the amplitude
σ, σ² = Σ_i (g_i·∇q)², that it has before the step. With a and b the distances of these values from the level:

* if both are before the level, the bridge reaches it with the probability exp(−2ab/(σ²h));
* given that it does, or that the end is beyond the level, the first time τ at which it does follows from τ/(h − τ), which has the
  inverse Gaussian distribution of mean a/b and shape a²/(σ²h).

The state then is that after a step of length τ, with increments that the Brownian bridges of W have then, except that along the
noise of the quantity the increment is the one for which the quantity is at the level. The random numbers are functions of seed,
path and step. All this is exact for a quantity with constant drift and amplitude; otherwise amplitudes may change little in a
step.

E. Gobet, Weak approximation of killed diffusion using Euler schemes, Stochastic Process. Appl. 87 (2000) 167–197.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from semidirect.core import ops
from semidirect.engines.events.partial_step import PartialStep
from semidirect.random import fill_normals
from semidirect.specification import RunSpec

EXCURSION, TIME, PLACE = 45, 46, 47
"""Levels of the generator: whether a bridge reaches a level, when, and where the other noises are then."""
NUMBERS_OF_TIME = 3
LARGEST_SQUARE = 100.0
"""Beyond the sum of the squares of two normals of the generator."""
RESOLVED, CLOSE = 2.0**-50, 2.0**-40
"""To what a zero is found relative to the place, and to the change of the quantity in the step."""
MOST_ITERATIONS, BISECTED_FROM = 100, 24
WIDENINGS = 8

Function = Callable[[np.ndarray], np.ndarray]


class Located(NamedTuple):
    """The place where a level is reached: whether it is, after which share of the step, and the states then."""

    reached: np.ndarray
    share: np.ndarray
    y: np.ndarray
    stored: np.ndarray

    def put(self, which: np.ndarray, other: Located) -> None:
        """Put what is known of some paths into its place."""
        self.reached[which], self.share[which] = other.reached, other.share
        self.y[:, which], self.stored[:, which] = other.y, other.stored


def located(step: PartialStep, number: int, before: np.ndarray, after: np.ndarray, *, excursions: bool,
            ends: tuple[np.ndarray, np.ndarray] | None = None) -> Located:  # fmt: skip
    """Where paths reach the level for the first time, from the distances of the quantity at both ends of the step.

    Parameters
    ----------
    number : int
        That of the barrier among those of the run, to which its random numbers belong.
    before, after : arrays (n,)
        How far the quantity is beyond the level before the step, negative, and after it.
    excursions : bool
        Whether bridges that reach the level and return are found.
    ends : arrays (n,), optional
        The shares of the step after which the distances are those, where no noise moves the quantity; default 0 and 1.
    """
    out = Located(after >= 0, np.ones(len(before)), step.y.copy(), step.stored.copy())
    if not len(before):
        return out
    if step.noisy:
        bridges = out.reached & (_squared(step) > 0)
        if excursions:
            bridges |= may_reach(step, number, before, after)
        which = np.flatnonzero(bridges)
        if len(which):
            out.put(which, by_bridge(step.of(which), number, before[which], after[which]))
        bridges &= out.reached
    else:
        bridges = np.zeros(len(before), dtype=bool)
    which = np.flatnonzero((after >= 0) & ~bridges)
    if len(which):
        low, high = (np.zeros(len(before)), np.ones(len(before))) if ends is None else ends
        out.put(which, first_root(step.of(which), before[which], after[which], low[which], high[which]))
    return out


def first_root(step: PartialStep, before: np.ndarray, after: np.ndarray, low: np.ndarray, high: np.ndarray) -> Located:
    """The first root of a quantity that passes the level between two shares of the step; W is taken as linear."""
    n, enough = len(before), RESOLVED * (after - before)
    share = bracketed(lambda x: step.beyond(x, step.driven(x)), low, high, before, after, enough)
    return Located(np.ones(n, dtype=bool), share, *step.end(share, step.driven(share)))


def may_reach(step: PartialStep, number: int, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The bridges that reach the level and return, from distances ``before`` and ``after``, both negative; no others.

    ``number``: of the barrier among those of the run.
    """
    return excursions(step.spec, step.paths, step.step, number, _squared(step) * step.length, before, after)


def excursions(spec: RunSpec, paths: np.ndarray, step: int | np.ndarray, number: int, spread: np.ndarray,
               before: np.ndarray, after: np.ndarray) -> np.ndarray:  # fmt: skip
    """As :func:`may_reach`, from σ²h; each path may be at a step of its own."""
    out = np.zeros(len(before), dtype=bool)
    with np.errstate(over="ignore"):
        distance = 4 * before * after
    near = np.flatnonzero((after < 0) & (spread > 0) & (distance <= LARGEST_SQUARE * spread))
    if len(near):
        z = _numbers(spec, paths[near], step[near] if isinstance(step, np.ndarray) else step, EXCURSION, 2 * number, 2)
        out[near] = distance[near] <= (z[0] * z[0] + z[1] * z[1]) * spread[near]
    return out


def by_bridge(step: PartialStep, number: int, before: np.ndarray, after: np.ndarray) -> Located:
    """The first passage of a bridge that reaches the level, from the distances at both ends of the step.

    The quantity is nearly linear in the increment along its noise, so that usually one correction suffices.
    """
    share = _first_time(step, number, -before, np.abs(after))
    base, direction = _bridge(step, share)
    spread, duration = ops.sqrt(_squared(step)), share * step.length
    enough = CLOSE * (np.abs(before) + np.abs(after) + spread * ops.sqrt(step.length))
    middle = -step.beyond(share, base) / spread
    size = np.abs(middle) + ops.sqrt(duration)
    along = middle + CLOSE / 16 * size
    value = step.beyond(share, base + along * direction)
    reached = (value >= 0) & (value <= enough)
    which = np.flatnonzero(~reached)
    if len(which):
        near, parts = step.of(which), (share[which], base[:, which], direction[:, which])
        passage = _widened(
            lambda x: near.beyond(parts[0], parts[1] + x * parts[2]), middle[which], size[which], enough[which]
        )
        reached[which], along[which] = passage
    return Located(reached, share, *step.end(share, base + along * direction))


def _widened(f: Function, middle: np.ndarray, size: np.ndarray, enough: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A zero in an interval about the middle that is made wider until it has one: whether there is one, and where."""
    width = 1e-3 * size
    low, high = middle - width, middle + width
    f_low, f_high = f(low), f(high)
    for _ in range(WIDENINGS):
        short, far = ~(f_high >= 0), ~(f_low < 0)
        if not (short | far).any():
            break
        width = np.where(short | far, 4 * width, width)
        if far.any():
            low = np.where(far, middle - width, low)
            f_low = np.where(far, f(low), f_low)
        if short.any():
            high = np.where(short, middle + width, high)
            f_high = np.where(short, f(high), f_high)
    reached = (f_low < 0) & (f_high >= 0)
    low, high = np.where(reached, low, 0.0), np.where(reached, high, 0.0)
    return reached, bracketed(f, low, high, f_low, f_high, enough)


def bracketed(f: Function, low: np.ndarray, high: np.ndarray, f_low: np.ndarray, f_high: np.ndarray, enough: np.ndarray
              ) -> np.ndarray:  # fmt: skip
    """The upper ends of narrow brackets of zeros, f(low) < 0 ≤ f(high); the result of an element depends on that element alone.

    An iteration ends when its bracket is resolved or f(high) is at most ``enough``. The method is false position that halves the
    value at an end that stays (Illinois), with a bisection in every fourth iteration, and in all late ones.
    """
    resolved = RESOLVED * np.maximum(np.abs(low), np.abs(high))
    stayed = np.zeros(len(low), dtype=np.int8)
    sought = np.ones(len(low), dtype=bool)
    for i in range(MOST_ITERATIONS):
        active = sought & (high - low > 2 * resolved)
        if not active.any():
            break
        with np.errstate(all="ignore"):
            x = high - f_high * ((high - low) / (f_high - f_low))
        bisect = i % 4 == 3 or i >= BISECTED_FROM
        x = np.where(np.isfinite(x) & (not bisect), x, low + (high - low) / 2)
        x = np.clip(x, low + resolved, high - resolved)
        value = f(x)
        up = active & (value >= 0)
        down = active & ~up
        f_low = np.where(down, value, np.where(up & (stayed == 1), f_low / 2, f_low))
        f_high = np.where(up, value, np.where(down & (stayed == -1), f_high / 2, f_high))
        low, high = np.where(down, x, low), np.where(up, x, high)
        sought &= ~(up & (value <= enough))
        stayed = np.where(up, 1, np.where(down, -1, stayed)).astype(np.int8)
    return high


def _squared(step: PartialStep) -> np.ndarray:
    """σ²."""
    total = np.zeros(len(step.paths))
    for slope in step.noise:
        total = total + slope * slope
    return total


def _normals(step: PartialStep, level: int, first: int, count: int) -> np.ndarray:
    """Normals with consecutive numbers."""
    return _numbers(step.spec, step.paths, step.step, level, first, count)


def _numbers(spec: RunSpec, paths: np.ndarray, step: int | np.ndarray, level: int, first: int, count: int
             ) -> np.ndarray:  # fmt: skip
    if spec.driver is not None:
        paths = spec.driver.paths_of_noise(paths)
    numbers = np.empty((1, first + count, len(paths)))
    return fill_normals(numbers, spec.seed, paths, step, level)[0, first:]


def _first_time(step: PartialStep, number: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The share of the step at the first time, by the method of Michael, Schucany and Haas for inverse Gaussian variables."""
    z = _normals(step, TIME, NUMBERS_OF_TIME * number, NUMBERS_OF_TIME)
    with np.errstate(all="ignore"):
        k = z[0] * z[0] * (_squared(step) * step.length) / (2 * a)
        x = a / (b + k + ops.sqrt(k * (k + 2 * b)))  # = τ/(h − τ)
        other = ops.exp(-(z[1] * z[1] + z[2] * z[2]) / 2) * (a + b * x) > a
        x = np.where(other, (a / b) * (a / b) / x, x)
        share = 1 / (1 + 1 / x)
    return np.where(np.isfinite(share), share, 1.0)


def _bridge(step: PartialStep, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the part of the step without what is along the noise of the quantity, and the direction in which it
    gets beyond the level.
    """
    slopes, squared, driver = step.noise, _squared(step), step.spec.driver
    m = len(slopes)
    rows, z = step.driven(share), _normals(step, PLACE, 0, m)
    along = sum(slopes[i] * z[i] for i in range(m)) / squared
    z = (z - along * slopes) * ops.sqrt(step.length * share * (1 - share))
    direction = np.zeros_like(rows)
    direction[:m] = step.barrier.sign * slopes / ops.sqrt(squared)
    if driver is not None:
        z, direction[:m] = driver.mixed(z[None])[0], driver.mixed(direction[None, :m])[0]
    rows[:m] += z
    return rows, direction
