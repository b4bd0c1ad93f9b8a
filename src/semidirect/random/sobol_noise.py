"""Brownian motion whose coarse increments come from Sobol points, and whose fine ones are pseudo-random."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NoReturn, final

import numpy as np

from semidirect.core import errors
from semidirect.random import normal_numbers as normals
from semidirect.random.sobol_points import SobolPoints
from semidirect.random.wiener import WienerNoise

__all__ = ["OF_START", "SobolNoise", "dimensions_of"]

DIMENSIONS = 256
"""Coordinates of a point: those of the start, then those of the noise. Later coordinates of Sobol points are no better than
pseudo-random numbers unless there are many more points."""
OF_START = 128
"""The most coordinates for the start; its random numbers beyond them are pseudo-random."""
SUMMED_AT_ONCE = 64
LARGEST_KEPT = 16384
"""Paths between the first and the last of those asked for, up to which the increments of all are kept."""
_KEPT = threading.local()


def dimensions_of(components: int, steps: int, *, starts: bool) -> int:
    """The number of coordinates of a point, for so many noises and steps; some are for the start if that is random."""
    return min(max(DIMENSIONS, 2 * components), steps * components + (OF_START if starts else 0))


@final
@dataclass(frozen=True)
class SobolNoise(WienerNoise):
    """Wiener processes over the steps of a run, made of Sobol points by Brownian bridges.

    The steps are divided into intervals, as many as the coordinates of a point allow. The first coordinates give W at the end of
    the run, the next ones W in the middle, and so on, by bisection. Within an interval the increments are those of
    :class:`.WienerNoise`, moved by the same amount so that their sum is that of the interval: a Brownian bridge again. Each path
    is a Wiener process; paths of the same replication depend on each other.

    Attributes
    ----------
    replications : int
        R: path i has point i // R of the replication i mod R.
    first, last : int
        The steps of the run.
    of_start : int
        Coordinates that are used for the start.
    """

    replications: int = 16
    first: int = 0
    last: int = 1
    of_start: int = 0

    MIXED: ClassVar[str] = "the noise of Sobol points is that of one run from its start to its end"

    @cached_property
    def bounds(self) -> np.ndarray:
        """The first steps of the intervals, and the last step."""
        room = (self._dimensions - self.of_start) // self.components
        steps = self.last - self.first
        count = steps if steps <= room else 1 << (max(room, 1).bit_length() - 1)
        return self.first + (np.arange(count + 1) * steps) // count

    @property
    def _dimensions(self) -> int:
        return dimensions_of(self.components, self.last - self.first, starts=self.of_start > 0)

    def _independent(self, paths: np.ndarray, step: int, steps: int, level: int) -> np.ndarray:
        if level:
            return super()._independent(paths, step, steps, level)
        if steps and not (self.first <= step and step + steps <= self.last):
            self._refuse(step, step + steps)
        z = np.empty((steps, self.components, paths.size))
        if not z.size:
            return z
        bounds, sums = self.bounds, self._sums(paths)
        for j in range(int(np.searchsorted(bounds, step, side="right")) - 1, len(bounds) - 1):
            a, b = int(bounds[j]), int(bounds[j + 1])
            if a >= step + steps:
                break
            here = slice(max(a, step) - step, min(b, step + steps) - step)
            if b - a == 1:
                z[here] = sums[j]
                continue
            own = normals.fill_normals(
                np.empty((here.stop - here.start, *z.shape[1:])), self.seed, paths, step + here.start
            )
            z[here] = own + (sums[j] - self._drawn_sum(paths, a, b)) / (b - a)
        z *= math.sqrt(self.resolution)
        return z

    def _drawn_sum(self, paths: np.ndarray, first: int, last: int) -> np.ndarray:
        """The sum of the pseudo-random normals of an interval, in the order of the steps."""
        key = self.seed, self.components, first, last, paths.tobytes()
        previous = getattr(_KEPT, "drawn", None)
        if previous is not None and previous[0] == key:
            sums: np.ndarray = previous[1]
            return sums
        total = np.zeros((self.components, paths.size))
        for at in range(first, last, SUMMED_AT_ONCE):
            shape = min(SUMMED_AT_ONCE, last - at), self.components, paths.size
            for z in normals.fill_normals(np.empty(shape), self.seed, paths, at):
                total += z
        _KEPT.drawn = key, total
        return total

    def _sums(self, paths: np.ndarray) -> np.ndarray:
        """The increments over the intervals, ``(intervals, components, paths)``, for steps of length 1."""
        low, high = int(paths.min()), int(paths.max()) + 1
        if high - low > LARGEST_KEPT:
            return self._made(paths)
        key = self.seed, self.components, self.replications, self.first, self.last, self.of_start
        last = getattr(_KEPT, "sums", None)
        if last is None or last[0] != key or not (last[1] <= low and high <= last[2]):
            last = _KEPT.sums = key, low, high, self._made(np.arange(low, high))
        _, start, stop, all_sums = last
        whole = len(paths) == stop - start and np.array_equal(paths, np.arange(start, stop, dtype=paths.dtype))
        sums: np.ndarray = all_sums if whole else all_sums[:, :, paths.astype(np.int64) - start]
        return sums

    def _made(self, paths: np.ndarray) -> np.ndarray:
        times, m = self.bounds - self.first, self.components
        points = SobolPoints(self.seed, self.replications, self._dimensions)
        z = points.normals(paths, self.of_start, (len(times) - 1) * m).reshape(len(times) - 1, m, len(paths))
        W = np.zeros((len(times), m, len(paths)))
        W[-1] = math.sqrt(times[-1]) * z[0]
        parts, count = [(0, len(times) - 1)], 1
        while parts:
            halves = []
            for i, k in parts:
                if k - i < 2:
                    continue
                j = (i + k) // 2
                share = (times[j] - times[i]) / (times[k] - times[i])
                W[j] = W[i] + share * (W[k] - W[i]) + math.sqrt(share * (times[k] - times[j])) * z[count]
                halves += [(i, j), (j, k)]
                count += 1
            parts = halves
        return np.diff(W, axis=0)

    @property
    def _drawn_by_step(self) -> bool:
        """They are made of points of the whole run."""
        return False

    def of_step(self, dt: float, step: float) -> WienerNoise:
        """Always raises an error: the number and the length of the steps are part of the noise."""
        raise errors.MethodError(self.MIXED, got="steps of another length", hint="Use driver=sd.Wiener().")

    def kernel_draw(self, dt: float) -> None:
        """None: increments are made of points."""

    def check_steps(self, steps: range, dt: float, paths: int) -> None:
        """Raise an error for steps beyond those of the run."""
        super().check_steps(steps, dt, paths)
        doublings = self.doublings(dt)
        first, last = (math.ldexp(n, doublings) for n in (steps.start, steps.stop))
        if first < self.first or last > self.last:
            self._refuse(f"{first:g}", f"{last:g}")

    def _refuse(self, first: Any, last: Any) -> NoReturn:
        raise errors.MethodError(
            self.MIXED, expected=f"steps from {self.first} to {self.last}", got=f"{first} to {last}",
            hint="Give the run a later t_end.",
        )  # fmt: skip
