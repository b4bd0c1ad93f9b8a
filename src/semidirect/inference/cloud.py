"""Weighted particles of a filter: paths of a system at one time, and what they were at the times before."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from semidirect.core.errors import InputError
from semidirect.ensemble.stepper import Stepper
from semidirect.inference.sight import Sight
from semidirect.inference.weights import effective_size

__all__ = ["Cloud", "Sighting"]


GENERATIONS = 10
"""Times of data over which ancestors are counted."""


@final
class Sighting:
    """The data at one time: observations of the system and what was seen.

    Attributes
    ----------
    t : float
        The time [s].
    seen : sequence of (Sight, array (marks, components))
        What is observed at this time.
    """

    def __init__(self, t: float, seen: Sequence[tuple[Sight, np.ndarray]]):
        self.t, self.seen = t, tuple(seen)

    def expressions(self) -> dict[str, Sequence[Any]]:
        """What to evaluate for the likelihood."""
        return {k: rows for sight, _ in self.seen for k, rows in sight.expressions().items()}

    def values(self, ensemble: Stepper) -> Mapping[str, np.ndarray]:
        """The values of the expressions."""
        return ensemble.values(self.expressions())

    def log_likelihood(self, ensemble: Stepper, found: Mapping[str, np.ndarray]) -> np.ndarray:
        """The log-likelihood of each path with these values, −∞ for those that failed."""
        total = sum((sight.log_likelihood(data, found) for sight, data in self.seen), np.zeros(ensemble.paths))
        return np.where(ensemble.status == 0, total, -np.inf)


@final
class Cloud:
    """Weighted particles.

    Attributes
    ----------
    ensemble : Stepper
        The paths.
    log_weights : array (paths,)
        Logarithms of weights with the sum 1.
    past : deque of dict name → array (paths, …)
        Values of the paths at the last times, oldest first; they follow each selection.
    """

    def __init__(self, ensemble: Stepper):
        self.ensemble = ensemble
        self._roots: deque[np.ndarray] = deque(maxlen=GENERATIONS + 1)
        self.past: deque[dict[str, np.ndarray]] = deque()
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

    def select(self, ancestors: np.ndarray) -> None:
        """Replace all particles by chosen ones, with their past, of equal weights."""
        self.ensemble.select(ancestors)
        for values in self.past:
            values.update({k: v[ancestors] for k, v in values.items()})
        for i, roots in enumerate(self._roots):
            self._roots[i] = roots[ancestors]
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

    def ancestors(self) -> int:
        """The number of particles of :data:`GENERATIONS` times of data before (or of the first time) from which those of now
        descend; to be called once at each time.
        """
        self._roots.append(np.arange(self.paths))
        return len(np.unique(self._roots[0]))
