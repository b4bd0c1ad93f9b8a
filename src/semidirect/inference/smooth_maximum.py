"""The maximum of a smooth log-likelihood: a search by quadratic functions, then an optimiser of SciPy."""

from __future__ import annotations

import numpy as np

from semidirect.inference.maximum import Maximum, at_bounds, roughly
from semidirect.inference.surface import Surface

__all__ = ["DIFFERENCE", "climb", "maximise_smooth"]

DIFFERENCE = 0.01
"""Of the gradient, in standard errors of a coordinate: its error by the third derivative is 1e-5 standard errors."""

CURVED = 0.1
"""Of second derivatives, in standard errors: log-likelihoods differ there by 0.005, which rounding does not hide."""

FLAT = 3e-4
"""The optimiser ends at smaller slopes, per standard error: the gain that is left is below 1e-7."""

LEAST_CURVED, LEVEL = 0.05, 0.01
"""A coordinate with a smaller second derivative may be level up to a bound: within this difference."""

LOWEST = 1e6
"""Below the value at the start: what the optimiser sees where the function is not defined."""


def maximise_smooth(surface: Surface, start: np.ndarray, scale: np.ndarray, seed: int) -> Maximum:
    """The maximum of a function that depends smoothly on the coordinates, with the curvature there."""
    centre, width, _ = roughly(surface, start, scale, seed)
    place, good = climb(surface, centre, width, seed)
    at_bound = at_bounds(surface, place, width)
    hessian = curvature(surface, place, width, seed, at_bound)
    at_bound |= _level_to_a_bound(surface, place, hessian, seed)
    hessian = np.where(at_bound[:, None] | at_bound, np.nan, hessian)
    own = np.diag(hessian)
    width = np.where(own < 0, 1 / np.sqrt(np.where(own < 0, -own, 1.0)), width)
    covariance = np.full(hessian.shape, np.nan)
    inside = np.flatnonzero(~at_bound)
    free = np.ix_(inside, inside)
    if len(inside) and np.linalg.eigvalsh(hessian[free]).max() < 0:
        covariance[free] = np.linalg.inv(-hessian[free])
    heights = np.array([surface(place, seed)])
    return Maximum(place, heights, covariance, np.zeros(hessian.shape), at_bound, good, hessian, width)


def _level_to_a_bound(surface: Surface, place: np.ndarray, hessian: np.ndarray, seed: int) -> np.ndarray:
    """The coordinates that can go to one bound, and not to the other, without a lower value: such as the logarithm of an
    amplitude that is 0.
    """
    out, top = np.zeros(len(place), dtype=bool), surface(place, seed)
    for i in np.flatnonzero(np.diag(hessian) > -LEAST_CURVED):
        level = []
        for bound in (surface.lower[i], surface.upper[i]):
            point = np.array(place)
            point[i] = bound
            level.append(np.isfinite(bound) and surface(point, seed) > top - LEVEL)
        out[i] = sum(level) == 1
    return out


def climb(surface: Surface, start: np.ndarray, width: np.ndarray, seed: int) -> tuple[np.ndarray, bool]:
    """The maximum by L-BFGS-B from a start, and whether the optimiser ended there.

    No point that was evaluated on the way is higher.
    """
    from scipy.optimize import minimize

    low, high = surface.room(start, width)
    begun, least = len(surface.values), surface(start, seed) - LOWEST

    def place(d: np.ndarray) -> np.ndarray:
        return np.clip(start + width * d, surface.lower, surface.upper)

    def value(d: np.ndarray) -> float:
        return max(surface(place(d), seed), least)

    def sides(d: np.ndarray) -> list[tuple[float, float, np.ndarray, np.ndarray]]:
        """How far points above and below along each axis are, within the bounds, and these points."""
        far = [(min(DIFFERENCE, high[i] - d[i]), min(DIFFERENCE, d[i] - low[i])) for i in range(len(d))]
        return [
            (up, down, d + up * axis, d - down * axis) for (up, down), axis in zip(far, np.eye(len(d)), strict=True)
        ]

    def loss(d: np.ndarray) -> float:
        surface.prepare([place(one) for one in (d, *(end for side in sides(d) for end in side[2:]))], seed)
        return -value(d)  # slopes are asked for next

    def slopes(d: np.ndarray) -> np.ndarray:
        """Central differences."""
        return np.array([(value(above) - value(below)) / (up + down) for up, down, above, below in sides(d)])

    result = minimize(loss, np.zeros(len(start)), jac=lambda d: -slopes(d), method="L-BFGS-B",
                      bounds=np.stack([low, high], axis=1), options={"gtol": FLAT, "ftol": 0.0})  # fmt: skip
    best = place(result.x)
    for point, of, height in zip(surface.points[begun:], surface.seeds[begun:], surface.values[begun:], strict=True):
        if of == seed and height > surface(best, seed):
            best = point
    inside = ~at_bounds(surface, best, width)
    return best, bool(np.abs(result.jac[inside]).max(initial=0.0) < 30 * FLAT)


def curvature(surface: Surface, place: np.ndarray, width: np.ndarray, seed: int, fixed: np.ndarray) -> np.ndarray:
    """Second derivatives by central differences; nan for fixed coordinates."""
    k = len(place)
    hessian = np.full((k, k), np.nan)
    top, inside = surface(place, seed), np.flatnonzero(~fixed)
    room = np.minimum(surface.upper - place, place - surface.lower)
    steps = np.diag(np.minimum(CURVED * width, room))
    ways = [*(steps[i] for i in inside), *(steps[i] + steps[j] for i in inside for j in inside[inside < i])]
    surface.prepare([place + sign * way for way in ways for sign in (1, -1)], seed)
    ends = {i: [surface(place + sign * steps[i], seed) for sign in (1, -1)] for i in inside}
    for i in inside:
        hessian[i, i] = (sum(ends[i]) - 2 * top) / steps[i, i] ** 2
        for j in inside[inside < i]:
            both = [surface(place + sign * (steps[i] + steps[j]), seed) for sign in (1, -1)]
            mixed = sum(both) - sum(ends[i]) - sum(ends[j]) + 2 * top
            hessian[i, j] = hessian[j, i] = mixed / (2 * steps[i, i] * steps[j, j])
    return hessian
