"""Weighted particles of a filter: paths of a system at one time, and what they were at the times before."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from semidirect.core import errors
from semidirect.inference.generation import FEWEST, Generation
from semidirect.inference.prior import DrawnStart
from semidirect.inference.sighting import Sighting
from semidirect.inference.weights import effective_size
from semidirect.inference.window import Interval
from semidirect.stepper import Stepper

__all__ = ["Cloud"]


GENERATIONS, APART = 50, 5
"""Times of data over which ancestors are counted, or up to four more: every fifth time the particles get new numbers.

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
    quantities : dict name → rows
        The quantities that are looked at.
    weights, log_weights : array (paths,)
        Weights with the sum 1, and their logarithms.
    intervals : deque of Interval
        The last intervals, as far as an update keeps them, the newest last.
    draws : DrawnStart or None
        How the paths were drawn, if they are still at the start and can be moved there.
    lag : int
        Number of times before at which values of the paths are kept.
    followed : bool
        Whether families of particles show Monte Carlo errors.
    past : deque of dict name → array (paths, …)
        Values of the paths at the last times, oldest first; they follow each selection.
    """

    def __init__(self, ensemble: Stepper, quantities: Mapping[str, Sequence[Any]], start: DrawnStart | None = None,
                 *, lag: int = 0, followed: bool = True):  # fmt: skip
        self.ensemble, self.quantities, self.draws, self.lag, self.followed = ensemble, quantities, start, lag, followed
        self._next: np.ndarray | None = None
        self._times = 0
        self._past_variance = 0.0
        self.past: deque[dict[str, np.ndarray]] = deque()
        self.intervals: deque[Interval] = deque()
        self.equal_weights()
        self._generations = [Generation(-1, self.weights)]

    @property
    def paths(self) -> int:
        """Number of particles."""
        return self.ensemble.paths

    @property
    def effective_size(self) -> float:
        """The effective number of particles."""
        return effective_size(self.weights)

    def equal_weights(self) -> None:
        """Give all particles the same weight."""
        self.weigh(np.full(self.paths, 1 / self.paths), np.full(self.paths, -np.log(self.paths)))

    def weigh(self, weights: np.ndarray, log_weights: np.ndarray) -> None:
        """Give the particles weights with the sum 1, with their logarithms."""
        self.weights, self.log_weights = weights, log_weights

    def select_later(self, ancestors: np.ndarray) -> None:
        """Defer resampling to :meth:`resample`: the weighted particles carry more information than the resampled ones."""
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
        for generation in self._generations:
            generation.select(ancestors)
        for interval in self.intervals:
            interval.select(ancestors)
        self.equal_weights()

    def impossible(self, sighting: Sighting) -> errors.InputError:
        """The error for data that no particle explains."""
        failed = int(np.count_nonzero(self.ensemble.status))
        got = ", ".join(sight.observation.name for sight, _ in sighting.pairs)
        return errors.InputError(
            f"data at t = {sighting.t:g} s are impossible for all {self.paths} particles", got=got,
            hint=f"{failed} of the paths failed." if failed else "Check the units, the start, the noise of the observation, and "
            "lost= if marks can be missing; more particles may help.",
        )  # fmt: skip

    def look_back(self) -> None:
        """Look at the quantities of the times before again, after moves of the intervals that end and begin there."""
        for i in range(1, min(len(self.past), len(self.intervals) - 1) + 1):
            self.past[-i] = self.intervals[-i].start.values(self.quantities)

    def generation(self) -> Generation:
        """The generation of :data:`GENERATIONS` times of data before, or of the first time; to be called once at each time."""
        if self.followed:
            self._follow(self._times % APART == 0)
        self._generations.append(Generation(self._times, self.weights))
        self._thin()
        self._times += 1
        return self._generations[self._generations[0].number < 0]

    def lineages(self) -> list[Generation]:
        """The oldest generation that has several families left, and one of half of its age; without the second if it has all the
        age that is looked at.
        """
        oldest = self._generations[self._generations[0].number < 0]
        if oldest.families() >= FEWEST:
            return [oldest]
        several = [g for g in self._generations if g.number >= 0 and g.families() >= FEWEST]
        age = self._times - 1 - several[0].number if several else 0
        return [several[0], *(g for g in several if 2 * (self._times - 1 - g.number) <= age)][:2] if age > 1 else []

    def likelihood_error(self) -> float:
        """The root mean square error of log p(data), which is low by half of its variance: events count by their effect on the
        data of the next :data:`GENERATIONS` times, or until few families are left. nan if that is at the next time.
        """
        before = [g.share for g in self._generations]
        self._follow(True)
        shares = [g.share for g in self._generations[:-1]]  # nothing happened since the last
        for generation, share in zip(self._generations, before, strict=True):  # which continue as if nobody had asked
            generation.share = share
        variance = max(self._past_variance + sum(shares), 0.0)
        return float(np.sqrt(variance + (variance / 2) ** 2))

    def _follow(self, everything: bool) -> None:
        """Bring the shares of the generations up to now, or those of the last ones."""
        later = 0.0
        for generation in reversed(self._generations if everything else self._generations[-APART:]):
            variance = generation.variance(self.weights)
            if np.isnan(variance):
                break
            generation.share, later = variance - later, variance

    def _thin(self) -> None:
        """Leave every :data:`APART`th of the generations that are not among the last, and forget those that are too old."""
        if len(self._generations) > APART + 1 and self._generations[-APART - 1].number % APART:
            self._generations[-APART - 2].share += self._generations.pop(-APART - 1).share
        if self._times - self._generations[0].number >= GENERATIONS + APART:
            self._past_variance += self._generations.pop(0).share
