"""The highest maximum of a log-likelihood that several starts, and points far from a maximum, lead to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from semidirect.inference.maximum import Maximum
from semidirect.inference.surface import Surface

__all__ = ["highest", "other_maxima"]

JUMPS = 3
"""Points far away from which the search begins again, at most."""

GAIN = 0.5
"""By which a point far away has to exceed a maximum, if the values have no larger error."""

APART = 3.0
"""Standard errors between two maxima that are not one."""


def highest(surface: Surface, starts: Sequence[np.ndarray], seed: int, logarithmic: np.ndarray,
            search: Callable[[np.ndarray], Maximum]) -> list[Maximum]:  # fmt: skip
    """The maxima that were found, the highest first: from each start, and from points far from the highest that exceed it."""
    maxima = [search(start) for start in starts if np.isfinite(surface(start, seed))]
    for _ in range(JUMPS):
        best = max(maxima, key=lambda one: one.height)
        far = _far_point(surface, best, seed, logarithmic)
        if far is None:
            break
        maxima.append(search(far))
    return sorted(maxima, key=lambda one: -one.height)


def other_maxima(maxima: Sequence[Maximum]) -> list[Maximum]:
    """Those that differ from the first and from each other."""
    out = [maxima[0]]
    for one in maxima[1:]:
        if one.converged and all((np.abs(one.place - other.place) > APART * other.width).any() for other in out):
            out.append(one)
    return out[1:]


def _far_point(surface: Surface, best: Maximum, seed: int, logarithmic: np.ndarray) -> np.ndarray | None:
    """The highest of some points far away, one coordinate changed, if it is higher than the maximum."""
    spread = np.sqrt(np.diag(best.covariance))
    points = []
    for i in range(len(spread)):
        at, error = best.place[i], spread[i]
        if logarithmic[i]:
            values = [at + step for step in np.log([0.25, 0.5, 2.0, 4.0])]
        else:
            values = [0.5 * at, 2 * at] + [at + k * error for k in (-20, -5, 5, 20) if np.isfinite(error)]
        for value in values:
            point = np.array(best.place)
            point[i] = np.clip(value, surface.lower[i], surface.upper[i])
            points.append(point)
    surface.prepare(points, seed)
    heights = [surface(point, seed) for point in points]
    gain = max(heights, default=-np.inf) - surface(best.place, seed)
    return points[int(np.argmax(heights))] if gain > max(GAIN, 2 * best.error) else None
