"""Means, spreads and quantiles of weighted particles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np

from semidirect.groups.lie_group import LieGroup
from semidirect.inference.group_mean import deviations, mean_element
from semidirect.inference.weights import quantiles

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

    def add(self, values: Mapping[str, np.ndarray], weights: np.ndarray, equal: bool, families: np.ndarray) -> None:
        """Add a time: values ``(paths, d)`` by name, weights with the sum 1, whether they are equal, and the particle of some
        time before from which each one descends.

        The Monte Carlo error of a mean m is estimated by the square root of Σ_f (Σ_{i in f} w_i (x_i − m))² over families f,
        whose members are not independent (Lee and Whiteley 2018, with the lag of Olsson and Douc 2019).
        """
        row: dict[str, np.ndarray] = {}
        alive = weights > 0
        if not alive.all():
            values, weights, equal, families = (
                {k: v[alive] for k, v in values.items()},
                weights[alive],
                False,
                families[alive],
            )
        for name, value in values.items():
            if name == ELEMENT:
                g = self._group.element(np.ascontiguousarray(value.T))
                mean, n = mean_element(self._group, g, weights), self._group.dimension
                away = deviations(self._group, mean, g) if np.isfinite(mean).all() else np.full((len(value), n), np.nan)
                row["element_mean"] = mean
                row["element_covariance"] = np.einsum("pi,pj->ij", weights[:, None] * away, away)
                continue
            mean = np.einsum("p,pi->i", weights, value)
            row[f"{name}_mean"] = mean
            sums = [np.bincount(families, weights * x) for x in (value - mean).T]
            row[f"{name}_error"] = np.sqrt(np.sum(np.square(sums), axis=1))
            row[f"{name}_sd"] = np.sqrt(np.einsum("p,pi->i", weights, (value - mean) ** 2))
            row[f"{name}_quantile"] = quantiles(value, None if equal else weights, self._levels)
        self._rows.append(row)

    def arrays(self) -> dict[str, np.ndarray]:
        """Name → array ``(time, …)``."""
        first = self._rows[0]
        return {k: np.stack([row[k] for row in self._rows]) for k in first}
