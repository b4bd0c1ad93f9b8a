"""Means, spreads and quantiles of weighted particles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np
from scipy.special import ndtri, stdtrit

from semidirect.groups import LieGroup
from semidirect.inference.generation import Generation
from semidirect.inference.group_mean import centred
from semidirect.inference.weights import mean, quantiles, second_moments, spread

__all__ = ["ELEMENT", "Summary"]

MOST_GROWTH = 1.5
"""Of the square of an error from one generation to one of twice its age, if the error is nearly that of all of the past."""

LEVEL = 0.975
"""Of Student's law, above and below which 5 % are left."""
NORMAL = float(ndtri(LEVEL))

ELEMENT = "element"
"""The key of the coordinates of s among the values of particles."""


@final
class Summary:
    """Collects statistics time by time.

    Parameters
    ----------
    group : LieGroup
        The group of the configurations.
    levels : array
        Levels of the quantiles.
    """

    def __init__(self, group: LieGroup, levels: np.ndarray):
        self._group, self._levels = group, levels
        self._rows: list[dict[str, np.ndarray]] = []

    def add(self, values: Mapping[str, np.ndarray], weights: np.ndarray, lineages: Sequence[Generation]) -> None:
        """Add a time: values ``(paths, d)`` by name, weights with the sum 1, and generations whose families are not independent.

        The Monte Carlo error of a mean m is estimated by the square root of Σ_f (Σ_{i in f} w_i (x_i − m))² over families f of
        the first generation, over 1 − Σ_f W_f² (Lee and Whiteley 2018, with the lag of Olsson and Douc 2019). It is known as
        well as by 1/Σ_f W_f² families of equal weight: the error is larger by the factor of Student's law, so that 1.96 of it are
        an interval of 95 % where few families are left. If a second
        generation is given, the first is younger than it should be: the error is nan, not known, where it is not nearly that
        of the second.
        """
        rows, alive = {name: value.T for name, value in values.items()}, weights > 0
        families = [one.roots for one in lineages]
        if not alive.all():
            which = np.flatnonzero(alive)
            weights, families = weights[which], [one[which] for one in families]
            rows = {name: np.array([row.take(which) for row in several]) for name, several in rows.items()}
        out: dict[str, np.ndarray] = {}
        ended = [np.append(one, -1) for one in families] or [np.arange(len(weights) + 1)]
        alike = [_alike(weights, one) for one in ended]
        apart, few = [max(1 - one, 1e-300) for one in alike], _few_families(alike[0])
        for name, row in rows.items():
            if name == ELEMENT and not len(row):  # no configuration
                continue
            if name == ELEMENT:
                middle, away = centred(self._group, row, weights)
                out |= {"element_mean": middle, "element_covariance": second_moments(away, weights)}
                continue
            middle = mean(row, weights)
            both = [spread(row, weights, middle, one) for one in ended]
            errors = [error / share for (error, _), share in zip(both, apart, strict=True)]
            reliable = (errors[0] <= MOST_GROWTH * errors[-1]) if families else np.zeros(len(middle), dtype=bool)
            out |= {
                f"{name}_mean": middle,
                f"{name}_error": few * np.sqrt(np.where(reliable, errors[0], np.nan)),
                f"{name}_sd": np.sqrt(both[0][1]),
                f"{name}_quantile": quantiles(row, weights, self._levels),
            }
        self._rows.append(out)

    def copy(self) -> Summary:
        """A copy, to which other times can be added."""
        other = Summary(self._group, self._levels)
        other._rows = list(self._rows)
        return other

    def arrays(self) -> dict[str, np.ndarray]:
        """Name → array ``(time, …)``."""
        first = self._rows[0]
        return {k: np.stack([row[k] for row in self._rows]) for k in first}


def _alike(weights: np.ndarray, ended: np.ndarray) -> float:
    """Σ_f W_f² of the weights of families, whose numbers are followed by that of none."""
    if len(ended) < 2:
        return 1.0
    first = np.flatnonzero(ended[:-2] != ended[1:-1]) + 1
    return float(np.sum(np.add.reduceat(weights, np.concatenate([[0], first])) ** 2))


def _few_families(alike: float) -> float:
    """The factor of Student's law for Σ_f W_f² of families, of 95 %."""
    degrees = max(1 / alike - 1, 1.0) if alike > 0 else np.inf
    return float(stdtrit(degrees, LEVEL) / NORMAL) if degrees < np.inf else 1.0
