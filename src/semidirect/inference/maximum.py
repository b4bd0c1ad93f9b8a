"""The maximum of a log-likelihood with noise, by quadratic functions fitted to its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, final

import numpy as np

from semidirect.inference.quadratic_fit import Quadratic
from semidirect.inference.surface import Surface

__all__ = ["Maximum", "at_bounds", "maximise", "roughly"]

REACH = 2.0
"""A step is at most this many scales long, on each axis."""

CLOSE = 0.02
"""The search ends when the quadratic function promises a smaller gain: the maximum is a fifth of a standard error away."""

WIDTH = 1.5
"""Half the width of the last design, in standard errors of one coordinate given the others: wide enough for differences of about
1, which noise does not hide.
"""

NEAR = 0.7
"""The last design is moved if the maximum is further from its centre than this share of half its width."""

MOST_ROUNDS, MOST_CENTRES = 15, 5
MOST_RETURNS = 2
"""To a point that is higher than what the quadratic function takes for the maximum."""

LEAST_CURVED, PART = 1e-3, 0.2
"""Second derivatives, in units of those along the coordinates, below which a direction is flat, and the least part that a
coordinate has in it.
"""

ROUNDING = 1e-8
"""Of a value, relatively."""

AT_BOUND = 1e-6
"""A coordinate within so many standard errors of a bound is at the bound."""

LEAST_CHANGE, MOST_CHANGE = 0.2, 2.0
"""Of the scale, from one round to the next."""


@final
@dataclass(frozen=True, eq=False)
class Maximum:
    """A maximum.

    Attributes
    ----------
    place : array (k,)
    heights : array (seeds,)
        The value there, for each seed.
    covariance : array (k, k)
        The inverse of the negative Hessian; nan where there is no maximum and for coordinates at a bound.
    noise : array (k, k)
        The covariance of the place over random numbers.
    at_bound : bool array (k,)
        Whether a coordinate is a bound.
    converged : bool
        Whether the search ended at a maximum.
    hessian : array (k, k)
        Second derivatives at the place; nan where they are not known.
    width : array (k,)
        The standard error of each coordinate given the others, as far as it is known, or a scale.
    scatter : float
        Standard deviation of values with one seed about a smooth function; 0 of a function without noise.
    """

    place: np.ndarray
    heights: np.ndarray
    covariance: np.ndarray
    noise: np.ndarray
    at_bound: np.ndarray
    converged: bool
    hessian: np.ndarray
    width: np.ndarray
    scatter: float = 0.0

    @property
    def height(self) -> float:
        """The mean of the heights."""
        return float(self.heights.mean())

    @property
    def error(self) -> float:
        """The standard deviation of a value: over seeds, and at least the scatter."""
        return max(float(self.heights.std(ddof=1)), self.scatter) if len(self.heights) > 1 else self.scatter

    @property
    def undetermined(self) -> np.ndarray:
        """The coordinates with a part in a direction along which the function does not fall on both sides."""
        out = np.zeros(len(self.place), dtype=bool)
        inside = np.flatnonzero(~self.at_bound)
        units = self.width[inside]
        curvatures = self.hessian[np.ix_(inside, inside)] * np.outer(units, units)
        if len(inside) and np.isfinite(curvatures).all():
            values, directions = np.linalg.eigh(curvatures)
            out[inside] = (np.abs(directions[:, values > -LEAST_CURVED]) > PART).any(axis=1)
        return out

    def embedded(self, base: np.ndarray, where: np.ndarray) -> Self:
        """The maximum with further coordinates, which are those of a base and change nothing."""
        place, width, at_bound = np.array(base), np.full(len(base), np.nan), np.zeros(len(base), dtype=bool)
        place[where], width[where], at_bound[where] = self.place, self.width, self.at_bound
        squares = np.full((3, len(base), len(base)), np.nan)
        for square, own in zip(squares, (self.covariance, self.noise, self.hessian), strict=True):
            square[np.ix_(where, where)] = own
        return replace(self, place=place, width=width, at_bound=at_bound, covariance=squares[0], noise=squares[1],
                       hessian=squares[2])  # fmt: skip


def maximise(surface: Surface, start: np.ndarray, scale: np.ndarray, seeds: Sequence[int]) -> Maximum:
    """Search with the first seed; then fit a quadratic function to values of all seeds about the maximum.

    No point that was evaluated is higher, with the same seed, by more than two standard deviations of a value: the last
    design is moved to such a point.

    Parameters
    ----------
    surface : Surface
        A function that is finite at the start.
    start, scale : array (k,)
        Where the search begins, and the scale of its first steps.
    seeds : sequence of int
        Seeds of the function.
    """
    centre, width, converged = roughly(surface, start, scale, seeds[0])
    for _ in range(MOST_RETURNS + 1):
        result = _averaged(surface, centre, width, seeds, converged)
        higher = surface.higher(result.place, seeds, 2 * result.error + ROUNDING * (1 + abs(result.height)))
        if higher is None:
            return result
        centre = higher
    return replace(result, converged=False)


def _averaged(
    surface: Surface, centre: np.ndarray, width: np.ndarray, seeds: Sequence[int], converged: bool
) -> Maximum:
    """The maximum of a quadratic function fitted to values of all seeds about a centre."""
    width = WIDTH * width
    for _ in range(MOST_CENTRES):
        for seed in seeds:
            surface.evaluate(centre, width, seed)
        quadratic = surface.quadratic(centre, width, seeds, 1.0)
        low, high = surface.room(centre, width)
        step = quadratic.maximum(np.maximum(low, -REACH), np.minimum(high, REACH))
        away = np.clip(centre + width * step, surface.lower, surface.upper)
        if (np.abs(step) <= NEAR).all():
            break
        centre = away
    at_bound = (step <= low + 1e-9) | (step >= high - 1e-9)
    covariance, noise = _covariances(quadratic, at_bound, width)
    heights = np.array([surface(away, seed) for seed in seeds])
    good = converged and bool(np.isfinite(np.diag(covariance)[~at_bound]).all() and (np.abs(step) <= 1).all())
    return Maximum(away, heights, covariance, noise, at_bound, good and bool(np.isfinite(heights).all()),
                   quadratic.hessian / np.outer(width, width), width / WIDTH, quadratic.deviation)  # fmt: skip


def at_bounds(surface: Surface, place: np.ndarray, width: np.ndarray) -> np.ndarray:
    """The coordinates of a place that are a bound."""
    low, high = surface.room(place, width)
    return np.asarray((low >= -AT_BOUND) | (high <= AT_BOUND))


def roughly(surface: Surface, start: np.ndarray, scale: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """The maximum with one seed, the standard error of each coordinate given the others, and whether it was found."""
    centre = start
    for _ in range(MOST_ROUNDS):
        surface.evaluate(centre, scale, seed)
        quadratic = surface.quadratic(centre, scale, [seed], REACH)
        step = quadratic.maximum(*surface.room(centre, scale, REACH))
        curvature = -np.diag(quadratic.hessian)
        change = np.where(curvature > 0, 1 / np.sqrt(np.maximum(curvature, 1e-12)), REACH)
        next_centre = centre + scale * step
        if quadratic(step) < CLOSE and (np.abs(np.log(change)) < np.log(2)).all():
            return next_centre, scale * change, True
        further = np.where(np.abs(step) > 0.99 * REACH, MOST_CHANGE, change)  # far away: longer steps, not shorter ones
        next_scale = scale * np.clip(further, LEAST_CHANGE, MOST_CHANGE)
        surface.prepare([next_centre, *surface.design(next_centre, next_scale)], seed)
        if np.isfinite(surface(next_centre, seed)) and (
            quadratic.concave or surface(next_centre, seed) > surface(centre, seed)
        ):
            centre, scale = next_centre, next_scale
        else:
            centre = surface.best
            scale = scale * np.clip(np.minimum(change, 0.5), LEAST_CHANGE, MOST_CHANGE)
    return centre, scale, False


def _covariances(quadratic: Quadratic, at_bound: np.ndarray, width: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    inside = np.flatnonzero(~at_bound)
    free = quadratic.restricted(inside)
    out = np.full((2, len(width), len(width)), np.nan)
    if len(inside) and free.concave:
        units = np.outer(width, width)[np.ix_(inside, inside)]
        out[0][np.ix_(inside, inside)] = np.linalg.inv(-free.hessian) * units
        out[1][np.ix_(inside, inside)] = free.error_of_maximum() * units
    return out[0], out[1]
