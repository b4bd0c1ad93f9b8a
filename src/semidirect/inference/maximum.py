"""The maximum of a log-likelihood with noise, by quadratic functions fitted to its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.inference.quadratic_fit import Quadratic
from semidirect.inference.surface import Surface

__all__ = ["Maximum", "maximise"]

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
    """

    place: np.ndarray
    heights: np.ndarray
    covariance: np.ndarray
    noise: np.ndarray
    at_bound: np.ndarray
    converged: bool


def maximise(surface: Surface, start: np.ndarray, scale: np.ndarray, seeds: Sequence[int]) -> Maximum:
    """Search with the first seed; then fit a quadratic function to values of all seeds about the maximum.

    Parameters
    ----------
    surface : Surface
        A function that is finite at the start.
    start, scale : array (k,)
        Where the search begins, and the scale of its first steps.
    seeds : sequence of int
        Seeds of the function.
    """
    centre, width, converged = _searched(surface, start, scale, seeds[0])
    width = WIDTH * width
    for _ in range(MOST_CENTRES):
        for seed in seeds:
            surface.evaluate(centre, width, seed)
        found = surface.quadratic(centre, width, seeds, 1.0)
        low, high = surface.room(centre, width)
        step = found.maximum(np.maximum(low, -REACH), np.minimum(high, REACH))
        away = centre + width * step
        if (np.abs(step) <= NEAR).all():
            break
        centre = away
    at_bound = (step <= low + 1e-9) | (step >= high - 1e-9)
    covariance, noise = _covariances(found, at_bound, width)
    good = converged and bool(np.isfinite(np.diag(covariance)[~at_bound]).all() and (np.abs(step) <= 1).all())
    return Maximum(
        away,
        found.constants + found.gradients @ step + 0.5 * step @ found.hessian @ step,
        covariance,
        noise,
        at_bound,
        good,
    )


def _searched(surface: Surface, start: np.ndarray, scale: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """The maximum with one seed, the standard error of each coordinate given the others, and whether it was found."""
    centre = start
    for _ in range(MOST_ROUNDS):
        surface.evaluate(centre, scale, seed)
        found = surface.quadratic(centre, scale, [seed], REACH)
        step = found.maximum(*surface.room(centre, scale, REACH))
        curvature = -np.diag(found.hessian)
        change = np.where(curvature > 0, 1 / np.sqrt(np.maximum(curvature, 1e-12)), REACH)
        moved = centre + scale * step
        if found(step) < CLOSE and (np.abs(np.log(change)) < np.log(2)).all():
            return moved, scale * change, True
        if np.isfinite(surface(moved, seed)) and (found.concave or surface(moved, seed) > surface(centre, seed)):
            centre = moved
            change = np.where(
                np.abs(step) > 0.99 * REACH, MOST_CHANGE, change
            )  # far away: longer steps, not shorter ones
        else:
            centre, change = surface.best, np.minimum(change, 0.5)
        scale = scale * np.clip(change, LEAST_CHANGE, MOST_CHANGE)
    return centre, scale, False


def _covariances(found: Quadratic, at_bound: np.ndarray, width: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    inside = np.flatnonzero(~at_bound)
    free = found.restricted(inside)
    out = np.full((2, len(width), len(width)), np.nan)
    if len(inside) and free.concave:
        units = np.outer(width, width)[np.ix_(inside, inside)]
        out[0][np.ix_(inside, inside)] = np.linalg.inv(-free.hessian) * units
        out[1][np.ix_(inside, inside)] = free.error_of_maximum() * units
    return out[0], out[1]
