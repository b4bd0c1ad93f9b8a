"""Particles of one time, and what their descendants say of the Monte Carlo error of a likelihood."""

from __future__ import annotations

from typing import final

import numpy as np

from semidirect.inference.weights import changes

__all__ = ["Generation"]

FEWEST = 10
"""Families below which the variance that they show is no longer that of the likelihood."""


@final
class Generation:
    """The particles of one time, followed by the particles that descend from them.

    The relative variance of an estimated likelihood of later data, by the selections and the motions from here on, is
    estimated by Σ_f (W_f − w_f)², over families f with the weights w_f here and W_f now (Lee and Whiteley, Biometrika 105, 2018).

    Attributes
    ----------
    number : int
        The number of the time of data; −1 at the start.
    roots : int array (paths,)
        From which particle of this time each one descends, ascending.
    share : float
        The variance that is due to what happened between here and the next generation, as far as later data show it.
    """

    def __init__(self, number: int, weights: np.ndarray):
        self.number, self.roots, self._weights, self.share = number, np.arange(len(weights)), weights, np.nan
        self._families, self._alone = len(weights), True  # each is a family

    def select(self, ancestors: np.ndarray) -> None:
        """Follow a selection."""
        self.roots = self.roots[ancestors]
        self._families, self._alone = 0, False

    def families(self) -> int:
        """How many of the particles have descendants."""
        if not self._families:  # counted once after a selection
            self._families = 1 + int(np.count_nonzero(np.diff(self.roots)))
        return self._families

    def variance(self, weights: np.ndarray) -> float:
        """The relative variance of the likelihood of the data since; nan of fewer than :data:`FEWEST` families."""
        if self.families() < min(FEWEST, len(weights)):
            return np.nan
        change = weights - self._weights if self._alone else changes(self.roots, weights, self._weights)
        return float(change @ change)
