"""The data at one time: what was seen, and its likelihood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from semidirect.inference.observation import Sight
from semidirect.stepper import Stepper

__all__ = ["Sighting"]


@final
class Sighting:
    """The data at one time: observations of the system and what was seen.

    Attributes
    ----------
    t : float
        The time [s].
    pairs : sequence of (Sight, array (marks, components))
        The observation at this time.
    """

    def __init__(self, t: float, pairs: Sequence[tuple[Sight, np.ndarray]]):
        self.t, self.pairs = t, tuple(pairs)
        likelihoods = [sight.likelihood(data) for sight, data in self.pairs]
        self._likelihoods = [one for one in likelihoods if one is not None]

    def unseen(self) -> Sighting:
        """The same time without data."""
        return Sighting(self.t, [(sight, np.full_like(data, np.nan)) for sight, data in self.pairs])

    def expressions(self) -> dict[str, Sequence[Any]]:
        """The expressions to evaluate for the likelihood."""
        return {k: rows for sight, _ in self.pairs for k, rows in sight.expressions().items()}

    def values(self, ensemble: Stepper) -> Mapping[str, np.ndarray]:
        """The values of the expressions, and the log-likelihoods that are evaluated with them."""
        return ensemble.values(self.expressions(), self._likelihoods)

    def log_likelihood(self, ensemble: Stepper, results: Mapping[str, np.ndarray]) -> np.ndarray:
        """The log-likelihood of each path with these values, −∞ for those that failed."""
        total, *others = [sight.log_likelihood(data, results) for sight, data in self.pairs]
        for other in others:
            total = total + other
        return np.where(ensemble.status == 0, total, -np.inf)

    def data(self) -> np.ndarray:
        """The data ``(m,)`` that exist; 0 where :meth:`predicted` are their differences from predicted values."""
        return np.concatenate([sight.seen_data(data) for sight, data in self.pairs])

    def predicted(self, results: Mapping[str, np.ndarray]) -> np.ndarray:
        """The predicted values ``(paths, m)`` of these data."""
        return np.concatenate([sight.seen_values(data, results) for sight, data in self.pairs]).T

    def log_presence(self, results: Mapping[str, np.ndarray]) -> float:
        """The logarithm of the probability that these marks were seen, of all observations: :meth:`.Sight.log_presence`."""
        return sum(sight.log_presence(data, results) for sight, data in self.pairs)

    def covariance(self) -> np.ndarray:
        """The covariance ``(m, m)`` of their noise; raises a :class:`MethodError` if it is not known."""
        blocks = [block for sight, data in self.pairs for block in sight.covariances(data)]
        size = sum(map(len, blocks))
        out, at = np.zeros((size, size)), 0
        for block in blocks:
            out[at : at + len(block), at : at + len(block)] = block
            at += len(block)
        return out
