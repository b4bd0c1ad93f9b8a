"""Mean, spread and principal geodesics of points in one factor of a configuration group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.core import arguments, display, errors, explains_calls
from semidirect.geometry import geomstats_adapter

if TYPE_CHECKING:
    from semidirect.geometry.configuration_factors import ConfigurationFactor
    from semidirect.groups import LieGroup

STARTS = 8
"""Points from which a mean is looked for, where there may be several."""


@explains_calls
@final
@dataclass(frozen=True, eq=False, repr=False)
class FactorStatistics(display.Brief):
    """Statistics of points g_i in a factor: SO(n), with the angle as distance, or positions in Rⁿ.

    Attributes
    ----------
    name : str
        The coordinates of the factor in the run, such as ``g`` or ``x``.
    unit : str
        Of distances and deviations: ``rad``, ``m`` or nothing.
    group : LieGroup
        SO(n), or Rⁿ, whose points are given as vectors.
    mean : array (n, n) or (n,)
        The Fréchet mean m, which minimises Σ d(m, g_i)².
    unique : bool
        Whether it is certain that no other mean exists: for angles this is decided, for rotations it is certain if all are within
        a right angle of the mean. If not, the mean is the best of those that were found from several points.
    coordinates : array (paths, d)
        The exponential coordinates η_i = log(m⁻¹g_i), in the axes of the mean body; of positions the differences from the
        mean, in the axes of space. Their mean is 0, their lengths are the distances.
    covariance : array (d, d)
        Σ η_i η_iᵀ / (paths − 1).
    directions : array (d, d)
        Unit vectors v, in rows: the principal geodesics through the mean are m exp(s v), the first along the greatest spread.
    deviations : array (d,)
        The standard deviation along each.
    """

    name: str
    unit: str
    group: LieGroup
    mean: np.ndarray
    unique: bool
    coordinates: np.ndarray
    covariance: np.ndarray
    directions: np.ndarray
    deviations: np.ndarray

    @classmethod
    def of(cls, factor: ConfigurationFactor, points: np.ndarray) -> Self:
        """Those of points (paths, n, n) or (paths, n)."""
        group = factor.group
        if factor.rotates:
            points = group.validate(points, 1e-6)
            mean, unique = _mean_rotation(factor, points)
            coordinates = group.log(mean.T @ points)
        else:
            mean, unique = geomstats_adapter.mean_position(points), True
            coordinates = points - mean
        directions, deviations = geomstats_adapter.principal_directions(coordinates)
        covariance = coordinates.T @ coordinates / (len(points) - 1)
        largest = np.take_along_axis(directions, np.argmax(np.abs(directions), axis=1)[:, None], axis=1)
        directions = np.where(largest < 0, -directions, directions)  # so that the same ensemble has the same directions
        return cls(factor.name, factor.unit, group, mean, unique, coordinates, covariance, directions, deviations)

    @property
    def variance(self) -> float:
        """The sum of squared distances from the mean, by one less than the number of paths: the trace of the covariance."""
        return float(np.trace(self.covariance))

    @property
    def spread(self) -> float:
        """The root of the variance, in the unit of distances."""
        return float(np.sqrt(self.variance))

    @property
    def shares(self) -> np.ndarray:
        """The share (d,) of the variance along each principal geodesic; nan if all points are equal."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.deviations**2 / np.float64(self.variance))

    def geodesic(self, number: int, lengths: Any) -> np.ndarray:
        """Points (…, n, n) or (…, n) of a principal geodesic, counted from 1, at signed lengths (…,) from the mean."""
        k = arguments.validated_whole("number of a principal geodesic", number, least=1, most=len(self.directions))
        eta = arguments.validated_array("lengths", lengths)[..., None] * self.directions[k - 1]
        if self.mean.ndim == 1:
            return self.mean + eta
        return np.asarray(self.mean @ self.group.exp(eta))


def _mean_rotation(factor: ConfigurationFactor, points: np.ndarray) -> tuple[np.ndarray, bool]:
    """The mean of rotations, from the one nearest to their mean matrix, and whether it is the only one."""
    group = factor.group

    def mean_from(start: np.ndarray) -> np.ndarray | None:
        try:
            return geomstats_adapter.frechet_mean(group, points, start=start)
        except errors.InputError:
            return None

    def far(mean: np.ndarray) -> np.ndarray:
        return np.asarray(group.distance(mean, points))

    if group.dimension == 1:
        angle, unique = _mean_angle(group.log(points)[:, 0])
        return geomstats_adapter.frechet_mean(group, points, start=group.exp([angle])), unique
    first = mean_from(geomstats_adapter.nearest_rotation(points.mean(axis=0)))
    if (
        first is not None and far(first).max() < np.pi / 2 - 1e-9
    ):  # then all are in a convex ball, and there is one mean
        return first, True
    starts = points[:: max(1, len(points) // STARTS)][:STARTS]
    means = [m for m in (first, *map(mean_from, starts)) if m is not None]
    if not means:
        raise errors.InputError(
            f"the mean of {factor.name} in {group.name}", expected="configurations that have one",
            got=f"{len(points)} of them without, within {geomstats_adapter.ITERATIONS} steps",
            hint="Take an earlier time: configurations all around the group have no mean.",
        )  # fmt: skip
    return min(means, key=lambda mean: float(np.sum(far(mean) ** 2))), False


def _mean_angle(angles: np.ndarray) -> tuple[float, bool]:
    """The angle with the least sum of squared distances on the circle, and whether no other one has it.

    On the circle cut open somewhere between two points it is the mean of numbers, and one of these cuts is opposite to it.
    """
    a = np.sort(angles)
    n = len(a)
    means = a.mean() + 2 * np.pi * np.arange(n) / n  # the k smallest are moved by a turn
    sums = a @ a + np.concatenate([[0.0], np.cumsum(4 * np.pi * (a + np.pi))[:-1]]) - n * means**2
    best, *rest = np.sort(sums)
    return float(means[np.argmin(sums)]), not rest or bool(rest[0] - best > 1e-9 * n)
