"""Compiled steps of paths in one mode, up to the first step in which a condition may be met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np

from semidirect.compile import Steps, Trail
from semidirect.engines import events
from semidirect.hybrid.mode import LEVEL_RESOLUTION, Mode
from semidirect.model import NumericalSDE

AT_ONCE = 48
"""Steps of a leap at most."""
NUMBERS_AT_ONCE = 2**20
"""Numbers that a leap may leave behind, unless a single step of all paths leaves more."""
ROOM = 2.0
"""Array code decides within so many tolerances of a level: numbers of both have the same bits but where the time is rounded."""
LOOSER = 1 + 1e-9


class Leap(NamedTuple):
    """How many steps paths took, ``(n,)``, what they left behind, and the distances of guards ``(guards, steps + 1, n)``."""

    counts: np.ndarray
    steps: Steps
    distances: np.ndarray

    def states(self, which: np.ndarray, after: np.ndarray, d: int, r: int) -> tuple[np.ndarray, np.ndarray]:
        """States and coordinates of s of some paths after so many steps each, at least one."""
        rows = self.steps.at(which, after - 1, slice(0, d + r))
        return rows[:d], rows[d:]


@final
class Leaps:
    """The leaps of the paths of a chunk in one mode."""

    def __init__(self, mode: Mode, trail: Trail):
        self._mode, self._trail = mode, trail
        self._places = [trail.watched.index(guard.row) for guard in mode.guards]
        self._one_sided = np.array([not guard.holds_beyond for guard in mode.guards], dtype=bool).reshape(-1, 1, 1)
        self._memory = np.empty(0)

    def leap(self, model: NumericalSDE, numbers: np.ndarray, at: np.ndarray, states: tuple[np.ndarray, np.ndarray],
             tolerance: np.ndarray, left: np.ndarray) -> Leap:  # fmt: skip
        """Step paths ahead, each from its own step.

        Parameters
        ----------
        model, numbers
            Of these paths.
        at, left : int arrays (n,)
            The step at which each path is, and how many it has to the end.
        states : arrays (d, n), (r, n)
            With their derivatives, if there are any.
        tolerance : array (guards, n)
            The distance within which a path is on a level.
        """
        spec, trail, n = self._mode.spec, self._trail, len(at)
        y, stored = states
        rows = len(y) + len(stored)
        size = n * (rows + len(trail.watched) + len(trail.moved))
        count = int(min(left.max(), max(1, min(AT_ONCE, NUMBERS_AT_ONCE // max(size, 1)))))
        if self._memory.size < count * (size + trail.lanes * (size // n)):
            self._memory = np.empty(count * (size + trail.lanes * (size // n)))
        if spec.driver is None:
            dW = np.zeros((count, model.wieners, n))
        else:
            dW = spec.driver.block_from(numbers, at, count, spec.dt)
        steps = trail(model, y, stored, dW, (0.0, at, spec.dt), count, self._memory)
        begin = self._mode.distances(model, y[: model.dimension], stored, at * spec.dt)
        distances = np.empty((len(begin), count + 1, n))
        distances[:, 0] = begin
        for out, guard, place in zip(distances, self._mode.guards, self._places, strict=True):
            out[1:] = guard.barrier.beyond(steps.of(rows + place, n))
        quiet = self._quiet(distances, tolerance)
        self._noisy(quiet, distances, steps, numbers, at)
        everywhere = np.logical_and.reduce(quiet, axis=0)
        stuck = np.flatnonzero(steps.stuck >= 0)
        everywhere[steps.stuck[stuck], stuck] = False
        step_counts = np.where(everywhere.all(axis=0), count, np.argmin(everywhere, axis=0))
        step_counts = np.minimum(step_counts, left)
        self._finite(step_counts, steps, [slice(0, model.dimension), slice(len(y), rows)])
        return Leap(step_counts, steps, distances)

    def _quiet(self, distances: np.ndarray, tolerance: np.ndarray) -> np.ndarray:
        """In which steps nothing is met without noise ``(guards, steps, n)``: before the level at both ends, or beyond one that
        is met from before it alone.
        """
        first, last = distances[:, :-1], distances[:, 1:]
        with np.errstate(all="ignore"):
            room = -ROOM * np.fmax(tolerance[:, None], LEVEL_RESOLUTION * np.abs(last - first))
            quiet: np.ndarray = (first < room) & (last < room)
            if self._one_sided.any():
                quiet |= self._one_sided & (first > -room)
        return quiet

    def _noisy(
        self, quiet: np.ndarray, distances: np.ndarray, steps: Steps, numbers: np.ndarray, at: np.ndarray
    ) -> None:
        """Take steps out in which noise brings a quantity to its level and back."""
        slope_numbers, spec = self._trail.moved, self._mode.spec
        if not slope_numbers or spec.driver is None:
            return
        n, first = len(at), steps.rows.shape[2] - len(slope_numbers)
        lower, wieners = spec.driver.mixing(), spec.model.wieners
        for i, place in enumerate(self._places):
            slopes = {k: steps.of(first + row, n) for row, (j, k) in enumerate(slope_numbers) if j == place}
            if not slopes:
                continue
            if lower is not None:
                slopes = {
                    k: sum(lower[j, k] * slopes[j] for j in range(k, wieners) if j in slopes) for k in range(wieners)
                }
            spread = sum(x * x for x in slopes.values()) * (spec.dt * LOOSER)
            before, after = distances[i, :-1], distances[i, 1:]
            which, path = np.nonzero(quiet[i] & (before < 0) & (4 * before * after <= events.LARGEST_SQUARE * spread))
            hits = events.excursions(spec, numbers[path], at[path] + which, i, spread[which, path], before[which, path],
                                      after[which, path])  # fmt: skip
            quiet[i, which[hits], path[hits]] = False

    @staticmethod
    def _finite(step_counts: np.ndarray, steps: Steps, parts: Sequence[slice]) -> None:
        """End leaps before the first state that is not finite."""
        lanes = steps.rows.shape[3]
        for rows in parts:
            some = np.flatnonzero(step_counts > 0)
            bad = some[~np.isfinite(steps.at(some, step_counts[some] - 1, rows)).all(axis=0)]
            for p in bad.tolist():
                fine = np.isfinite(steps.rows[p // lanes, : step_counts[p], rows, p % lanes]).all(axis=1)
                step_counts[p] = np.argmin(fine)
