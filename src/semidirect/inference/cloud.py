"""Weighted particles of a filter: paths of a system at one time, and what they were at the times before."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from semidirect.core.errors import InputError
from semidirect.ensemble.stepper import Stepper
from semidirect.inference.prior import DrawnStart
from semidirect.inference.sighting import Sighting
from semidirect.inference.weights import effective_size
from semidirect.inference.window import Interval

__all__ = ["Cloud"]


GENERATIONS = 50
"""Times of data over which ancestors are counted.

All selections since the start make the error of a state that does not change, such as a spin without noise: 10 generations show
less than half of it after 60 times, 50 show three quarters.
"""


@final
class Cloud:
    """Weighted particles.

    Attributes
    ----------
    ensemble : Stepper
        The paths.
    wanted : dict name → rows
        The quantities that are looked at.
    log_weights : array (paths,)
        Logarithms of weights with the sum 1.
    intervals : deque of Interval
        The last intervals, as far as an update keeps them, the newest last.
    drawn : DrawnStart or None
        How the paths were drawn, if they are still at the start and can be moved there.
    past : deque of dict name → array (paths, …)
        Values of the paths at the last times, oldest first; they follow each selection.
    """

    def __init__(self, ensemble: Stepper, wanted: Mapping[str, Sequence[Any]], drawn: DrawnStart | None = None):
        self.ensemble, self.wanted, self.drawn = ensemble, wanted, drawn
        self._next: np.ndarray | None = None
        self._roots: deque[np.ndarray] = deque(maxlen=GENERATIONS + 1)
        self.past: deque[dict[str, np.ndarray]] = deque()
        self.intervals: deque[Interval] = deque()
        self.equal_weights()

    @property
    def paths(self) -> int:
        """Number of particles."""
        return self.ensemble.paths

    @property
    def weights(self) -> np.ndarray:
        """Weights with the sum 1."""
        return np.exp(self.log_weights)

    @property
    def equal(self) -> bool:
        """Whether all weights are equal."""
        return bool(np.ptp(self.log_weights) == 0)

    @property
    def effective_size(self) -> float:
        """The effective number of particles."""
        return effective_size(self.weights)

    def equal_weights(self) -> None:
        """Give all particles the same weight."""
        self.log_weights = np.full(self.paths, -np.log(self.paths))

    def select_later(self, ancestors: np.ndarray) -> None:
        """Put a selection off to :meth:`resample`: until then the weights say more than the particles that it would leave."""
        self._next = ancestors

    def resample(self) -> None:
        """Carry out the selection that was put off."""
        if self._next is not None:
            self.select(self._next)

    def select(self, ancestors: np.ndarray) -> None:
        """Replace all particles by chosen ones, with their past, of equal weights."""
        self._next = None
        self.ensemble.select(ancestors)
        for values in self.past:
            values.update({k: v[ancestors] for k, v in values.items()})
        for i, roots in enumerate(self._roots):
            self._roots[i] = roots[ancestors]
        for interval in self.intervals:
            interval.select(ancestors)
        self.equal_weights()

    def impossible(self, sighting: Sighting) -> InputError:
        """The error for data that no particle explains."""
        failed = int(np.count_nonzero(self.ensemble.status))
        got = ", ".join(sight.observation.name for sight, _ in sighting.seen)
        return InputError(
            f"data at t = {sighting.t:g} s are impossible for all {self.paths} particles", got=got,
            hint=f"{failed} of the paths failed." if failed else "Check the units, the start, the noise of the observation, and "
            "lost= if marks can be missing; more particles may help.",
        )  # fmt: skip

    def look_back(self) -> None:
        """Look at the quantities of the times before again, after moves of the intervals that end and begin there."""
        for i in range(1, min(len(self.past), len(self.intervals) - 1) + 1):
            self.past[-i] = self.intervals[-i].start.values(self.wanted)

    def families(self) -> np.ndarray:
        """For each particle the particle of :data:`GENERATIONS` times of data before (or of the first time) from which it
        descends, in ascending order as selections are; to be called once at each time.
        """
        self._roots.append(np.arange(self.paths))
        return self._roots[0]
