"""Means, spreads and quantiles of weighted particles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np

from semidirect.groups.lie_group import LieGroup
from semidirect.inference.group_mean import centred
from semidirect.inference.weights import mean, quantiles, second_moments, spread

__all__ = ["ELEMENT", "Summary"]

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

    def add(self, values: Mapping[str, np.ndarray], weights: np.ndarray, families: np.ndarray) -> None:
        """Add a time: values ``(paths, d)`` by name, weights with the sum 1, and the particle of some time before from which
        each one descends, in ascending order.

        The Monte Carlo error of a mean m is estimated by the square root of Σ_f (Σ_{i in f} w_i (x_i − m))² over families f,
        whose members are not independent (Lee and Whiteley 2018, with the lag of Olsson and Douc 2019).
        """
        rows, alive = {name: value.T for name, value in values.items()}, weights > 0
        if not alive.all():
            which = np.flatnonzero(alive)
            weights, families = weights[which], families[which]
            rows = {name: np.array([row.take(which) for row in several]) for name, several in rows.items()}
        out: dict[str, np.ndarray] = {}
        ended = np.append(families, -1)
        for name, row in rows.items():
            if name == ELEMENT:
                middle, away = centred(self._group, row, weights)
                out |= {"element_mean": middle, "element_covariance": second_moments(away, weights)}
                continue
            middle = mean(row, weights)
            error, variance = spread(row, weights, middle, ended)
            out |= {
                f"{name}_mean": middle,
                f"{name}_error": np.sqrt(error),
                f"{name}_sd": np.sqrt(variance),
                f"{name}_quantile": quantiles(row, weights, self._levels),
            }
        self._rows.append(out)

    def arrays(self) -> dict[str, np.ndarray]:
        """Name → array ``(time, …)``."""
        first = self._rows[0]
        return {k: np.stack([row[k] for row in self._rows]) for k in first}
