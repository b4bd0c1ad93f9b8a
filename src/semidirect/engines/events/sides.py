"""On which side of a level a path is just before and just after a step at which its quantity is on the level.

There the value says nothing: a quantity that touches the level does not cross it, and one that crosses it at every step is on it
at every step. Both are seen from values inside the neighbouring steps, which the method takes again by a part of their length.
At the last step of a run the side after it is that of the step beyond, so that a run in two parts finds what the whole run does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, final

import numpy as np

from semidirect.engines.events.partial_step import PartialStep

INSIDE = (2.0**-8, 2.0**-4, 0.5)
"""Shares of a step from its end at which a side is read: the first one at which the quantity is not on the level."""
NEAR, ON, ROUNDING = 2.0**-20, 2.0**-40, 2.0**-48
"""A distance this small beside others of its path may be 0; it is, if it is this small beside those inside both steps, or this
small beside that at the step before, or beside the level.
"""


class Side(NamedTuple):
    """The distance of a quantity beyond a level inside a step, and the share of the step after which it has it."""

    value: np.ndarray
    share: np.ndarray


def just_after(step: PartialStep) -> Side:
    """Just after the beginning of a step."""
    return _side(step, lambda x: x, lambda x: _increments(step, x))


def just_before(step: PartialStep) -> Side:
    """Just before the end of a step."""
    return _side(step, lambda x: 1 - x, step.driven)


def still(step: PartialStep, which: np.ndarray) -> np.ndarray:
    """The paths on which no noise moves the quantity; on others a value on the level has probability 0."""
    if not len(which) or not step.noisy:
        return which
    return which[~step.of(which).noise.any(axis=0)]


def _side(
    step: PartialStep, place: Callable[[np.ndarray], np.ndarray], driven: Callable[[np.ndarray], np.ndarray]
) -> Side:
    n = len(step.paths)
    value, share = np.zeros(n), np.zeros(n)
    for inside in INSIDE:
        on = value == 0
        if not on.any():
            break
        at = place(np.full(n, inside))
        there = step.beyond(at, driven(at))
        value, share = np.where(on, there, value), np.where(on, at, share)
    return Side(value, share)


def _increments(step: PartialStep, share: np.ndarray) -> np.ndarray:
    """W of the first part of a step that need not be one of the run; white noise does not decide on which side a path is."""
    driver = step.spec.driver
    if step.noisy:
        return np.zeros_like(step.driven(share))
    if driver is None or driver.smooth or step.step < step.spec.last:
        return step.driven(share)
    return np.zeros((step.model.wieners, len(share)))


class Part(NamedTuple):
    """A part of a step: the distances at its ends ``(n,)``, their shares of the step, and the paths on which it is looked at."""

    first: np.ndarray
    last: np.ndarray
    low: np.ndarray
    high: np.ndarray
    which: np.ndarray


class Ends(NamedTuple):
    """The parts of a step, in order, in each of which a path passes the level once at most, and the direction ±1 of a crossing at
    its end, or 0 ``(n,)``.
    """

    parts: tuple[Part, ...]
    crosses: np.ndarray


@final
class Sides:
    """The sides of one level on which the paths of a chunk are, step by step."""

    def __init__(self) -> None:
        self._largest = np.zeros(0)
        self._after: tuple[np.ndarray, Side] | None = None
        self._late = np.zeros(0, dtype=np.int64)

    def ends(self, step: PartialStep, y: np.ndarray, stored: np.ndarray, first: np.ndarray, last: np.ndarray, good: np.ndarray
             ) -> Ends:  # fmt: skip
        """Where good paths are at the ends of the next step, from the distances there and the states after it."""
        level, n = abs(step.barrier.level), len(first)
        if self._after is None:
            self._largest = np.zeros(n)
            self._begin(step, first, last, good)
        assert self._after is not None
        zeros, ones, none = np.zeros(n), np.ones(n), np.zeros(n, dtype=bool)
        begin, low, head, end, high, tail = (
            first.copy(),
            zeros.copy(),
            none.copy(),
            last.copy(),
            ones.copy(),
            none.copy(),
        )
        crosses = np.zeros(n, dtype=np.int8)
        (which, after), head[self._late] = self._after, True
        begin[which], low[which] = after
        self._largest = np.fmax(self._largest, np.abs(first))
        which = still(step, np.flatnonzero(good & _near(last, self._largest, level)))
        inside = just_before(step.of(which))
        after = just_after(replace(step, step=step.step + 1, y=y, stored=stored).of(which))
        size = np.maximum(np.abs(inside.value), np.abs(after.value))
        on = np.abs(last[which]) <= np.maximum(ON * size, ROUNDING * np.maximum(np.abs(first[which]), level))
        passes = inside.value * after.value < 0
        crosses[which] = np.where(on & passes, np.sign(after.value), 0)
        early = last[which] * inside.value < 0
        tail[which[passes & ~on & early]] = True
        self._late = which[passes & ~on & ~early]
        at_level = on | passes
        which, inside, after = (
            which[at_level],
            Side(*(x[at_level] for x in inside)),
            Side(*(x[at_level] for x in after)),
        )
        end[which], high[which] = inside
        self._after = which, after
        parts = [Part(begin, end, low, high, ~none)]
        if head.any():
            parts.insert(0, Part(first, begin, zeros, low, head))
        if tail.any():
            parts.append(Part(end, last, high, ones, tail))
        return Ends(tuple(parts), crosses)

    def _begin(self, step: PartialStep, first: np.ndarray, last: np.ndarray, good: np.ndarray) -> None:
        """Sides just after the first step that is seen, at which nothing crosses the level."""
        level = abs(step.barrier.level)
        which = still(step, np.flatnonzero(good & _near(first, np.abs(last), level)))
        after = just_after(step.of(which))
        on = np.abs(first[which]) <= np.maximum(
            ON * np.abs(after.value), ROUNDING * np.maximum(np.abs(last[which]), level)
        )
        passes = first[which] * after.value < 0
        at_level, self._late = on | passes, which[passes & ~on]
        self._after = which[at_level], Side(after.value[at_level], after.share[at_level])


def _near(value: np.ndarray, others: np.ndarray, level: float) -> np.ndarray:
    """The distances that may be 0 to rounding."""
    near: np.ndarray = (value == 0) | (np.abs(value) <= np.maximum(NEAR * others, ROUNDING * level))
    return near
