"""Locates the place within a step at which a path first meets the condition of a switch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from semidirect.engines import events

MOST_HALVINGS = 24
"""Of a step, until a path that starts on a level is seen before it."""
SEEN, RESOLVED = 2.0**-12, 2.0**-16
"""How far a path is before a level at least, and to what its return is found, relative to the tolerance."""


def first_passage(
    step: events.PartialStep,
    number: int,
    end: tuple[np.ndarray, np.ndarray],
    first: np.ndarray,
    last: np.ndarray,
    tolerance: np.ndarray,
    entered: np.ndarray,
    *,
    holds_beyond: bool,
) -> tuple[np.ndarray, events.Located]:
    """Positions of the paths that meet a condition in a step, and where.

    Parameters
    ----------
    number : int
        That of the guard among those of its mode, to which its random numbers belong.
    end : arrays (d, n), (r, n)
        The states after the step.
    first, last : arrays (n,)
        How far the quantity is beyond the level at both ends of the step; negative before it.
    tolerance : array (n,)
        The distance within which a path is on the level. An impact leaves a path there: it meets the condition again when it gets
        beyond, at the time of its return if it was before the level in between, else at once.
    entered : bool array (n,)
        Whether a path has been there since it entered its mode. One that comes to the level from beyond it and returns only
        touches it.
    holds_beyond : bool
        Whether paths that are beyond the level at the start meet the condition at once, and paths that touch it meet it.
    """
    on = np.abs(first) <= tolerance
    before, beyond = first < -tolerance, first > tolerance
    reaching = before & ((last >= 0) | (last < 0) if step.noisy else last >= 0)
    at_end = np.zeros(len(first), dtype=bool)
    if not holds_beyond:  # a path that ends on the level crosses it if it is beyond just after
        which = events.still(step, np.flatnonzero(before & (np.abs(last) <= tolerance)))
        ahead = replace(step, step=step.step + 1, y=end[0], stored=end[1], elapsed=None).of(which)
        crosses = events.just_after(ahead).value > 0
        reaching[which] = crosses & (last[which] >= 0)
        at_end[which] = crosses & (last[which] < 0)
    crossing = np.flatnonzero(reaching)
    leaving = np.flatnonzero(on & (last > tolerance))
    at_once = np.flatnonzero(beyond & holds_beyond)
    parts = [
        (which, reach(step.of(which), which))
        for which, reach in (
            (crossing, lambda leg, i: events.located(leg, number, first[i], last[i], excursions=True)),
            (leaving, lambda leg, i: _from_the_level(leg, last[i], tolerance[i], entered[i] | holds_beyond)),
            (at_once, lambda leg, i: events.Located(np.ones(len(i), dtype=bool), np.zeros(len(i)), leg.y, leg.stored)),
            (np.flatnonzero(at_end), lambda _, i: events.Located(i >= 0, np.ones(len(i)), end[0][:, i], end[1][:, i])),
        )
        if len(which)
    ]
    passages = [
        (which[at.reached], at.share[at.reached], at.y[:, at.reached], at.stored[:, at.reached]) for which, at in parts
    ]
    if not passages:
        nowhere = np.zeros(0, dtype=np.int64)
        return nowhere, events.Located(nowhere > 0, np.zeros(0), step.y[:, nowhere], step.stored[:, nowhere])
    which, share, y, stored = (np.concatenate(arrays, axis=-1) for arrays in zip(*passages, strict=True))
    return which, events.Located(np.ones(len(which), dtype=bool), share, y, stored)


def _from_the_level(
    step: events.PartialStep, last: np.ndarray, tolerance: np.ndarray, at_once: np.ndarray
) -> events.Located:
    """The return to the level of paths that start on it and end beyond it; W is taken as linear.

    A path is looked for before the level at the half of the step, a quarter, and so on; where it is
    not, it may leave ``at_once``.
    """
    n = len(last)
    low, high, f_low, f_high = np.zeros(n), np.ones(n), np.zeros(n), last.copy()
    sought = np.ones(n, dtype=bool)
    for i in range(1, MOST_HALVINGS + 1):
        share = np.full(n, 2.0**-i)
        value = step.beyond(share, step.driven(share))
        crossing, still = sought & (value < -SEEN * tolerance), sought & (value >= -SEEN * tolerance)
        low, f_low = np.where(crossing, share, low), np.where(crossing, value, f_low)
        high, f_high = np.where(still, share, high), np.where(still, np.maximum(value, 0.0), f_high)
        sought = still
        if not sought.any():
            break
    returns = np.flatnonzero(f_low < 0)
    share = np.zeros(n)
    if len(returns):
        some = step.of(returns)
        low, high, f_low, f_high = (x[returns] for x in (low, high, f_low, f_high))
        share[returns] = events.bracketed(
            lambda x: some.beyond(x, some.driven(x)), low, high, f_low, f_high, RESOLVED * tolerance[returns]
        )
    return events.Located(at_once | (share > 0), share, *step.end(share, step.driven(share)))
