"""Where within a step a path first meets the condition of a switch."""

from __future__ import annotations

import numpy as np

from semidirect.ensemble.locate import Located, bracketed, located
from semidirect.ensemble.partial_step import PartialStep

MOST_HALVINGS = 24
"""Of a step, until a path that starts on a level is seen before it."""
SEEN, RESOLVED = 2.0**-12, 2.0**-16
"""How far a path is before a level at least, and to what its return is found, relative to the tolerance."""


def first_passage(
    step: PartialStep, number: int, first: np.ndarray, last: np.ndarray, tolerance: np.ndarray, *, holds_beyond: bool
) -> tuple[np.ndarray, Located]:
    """Positions of the paths that meet a condition in a step, and where.

    Parameters
    ----------
    number : int
        That of the guard among those of its mode, to which its random numbers belong.
    first, last : arrays (n,)
        How far the quantity is beyond the level at both ends of the step; negative before it.
    tolerance : array (n,)
        The distance within which a path is on the level. An impact leaves a path there: it meets the condition again when it gets
        beyond, at the time of its return if it was before the level in between, else at once.
    holds_beyond : bool
        Whether paths that are beyond the level at the start meet the condition at once.
    """
    on = np.abs(first) <= tolerance
    before, beyond = first < -tolerance, first > tolerance
    crossing = np.flatnonzero(before & ((last >= 0) | (last < 0) if step.noisy else last >= 0))
    leaving = np.flatnonzero(on & (last > tolerance))
    at_once = np.flatnonzero(beyond & holds_beyond)
    parts = [
        (which, reach(step.of(which), which))
        for which, reach in (
            (crossing, lambda leg, i: located(leg, number, first[i], last[i], excursions=True)),
            (leaving, lambda leg, i: _from_the_level(leg, last[i], tolerance[i])),
            (at_once, lambda leg, i: Located(np.ones(len(i), dtype=bool), np.zeros(len(i)), leg.y, leg.stored)),
        )
        if len(which)
    ]
    found = [
        (which[at.reached], at.share[at.reached], at.y[:, at.reached], at.stored[:, at.reached]) for which, at in parts
    ]
    if not found:
        nowhere = np.zeros(0, dtype=np.int64)
        return nowhere, Located(nowhere > 0, np.zeros(0), step.y[:, nowhere], step.stored[:, nowhere])
    which, share, y, stored = (np.concatenate(arrays, axis=-1) for arrays in zip(*found, strict=True))
    return which, Located(np.ones(len(which), dtype=bool), share, y, stored)


def _from_the_level(step: PartialStep, last: np.ndarray, tolerance: np.ndarray) -> Located:
    """The return to the level of paths that start on it and end beyond it; W is taken as linear.

    A path is looked for before the level at the half of the step, a quarter, and so on.
    """
    n = len(last)
    low, high, f_low, f_high = np.zeros(n), np.ones(n), np.zeros(n), last.copy()
    sought = np.ones(n, dtype=bool)
    for i in range(1, MOST_HALVINGS + 1):
        share = np.full(n, 2.0**-i)
        value = step.beyond(share, step.driven(share))
        found, still = sought & (value < -SEEN * tolerance), sought & (value >= -SEEN * tolerance)
        low, f_low = np.where(found, share, low), np.where(found, value, f_low)
        high, f_high = np.where(still, share, high), np.where(still, np.maximum(value, 0.0), f_high)
        sought = still
        if not sought.any():
            break
    returns = np.flatnonzero(f_low < 0)
    share = np.zeros(n)
    if len(returns):
        some = step.of(returns)
        low, high, f_low, f_high = (x[returns] for x in (low, high, f_low, f_high))
        share[returns] = bracketed(
            lambda x: some.beyond(x, some.driven(x)), low, high, f_low, f_high, RESOLVED * tolerance[returns]
        )
    return Located(np.ones(n, dtype=bool), share, *step.end(share, step.driven(share)))
