"""Confidence intervals by the profile of a log-likelihood, where the quadratic function at the maximum is not enough."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeAlias, TypeVar, final

import numpy as np

from semidirect.inference.maximum import Maximum
from semidirect.inference.smooth_maximum import DIFFERENCE
from semidirect.inference.surface import Surface

__all__ = ["Profile"]

POOR = 0.1
"""Relative deviation of the drop of the log-likelihood at an end of the quadratic interval beyond which the end is computed."""

NEAR = 0.02
"""Of the root of twice the drop, relative to what the level asks for: where the search for an end stops."""

MOST_TRIES = 8

FURTHEST = 50.0
"""Standard errors beyond which an end is not looked for: the data do not bound the parameter on this side."""

INNER, CLOSE = 8, 0.05
"""Steps over the other coordinates, and the gain of a step that is not taken but counted."""


T = TypeVar("T")
Search: TypeAlias = Generator[list[np.ndarray], None, T]
"""A search that says at which points it needs values next."""


@final
class Profile:
    """The profile of a log-likelihood about its maximum: its maximum over the other coordinates, as a function of one.

    Parameters
    ----------
    surface : Surface
    maximum : Maximum
    seeds : sequence of int
        Values are means over them.
    smooth : bool
        Whether the maximum over the other coordinates is looked for. Else the other coordinates follow the quadratic function,
        so that an interval is that of a lower bound of the profile, which noise does not spoil.

    Attributes
    ----------
    higher : array (k,) or None
        A point higher than the maximum, if one was met.
    """

    def __init__(self, surface: Surface, maximum: Maximum, seeds: Sequence[int], smooth: bool):
        self._surface, self._maximum, self._seeds, self._smooth = surface, maximum, seeds, smooth
        spread = np.sqrt(np.diag(maximum.covariance))
        self._error = np.where(np.isfinite(spread), spread, maximum.width)
        self._top = maximum.height
        self.higher: np.ndarray | None = None

    def intervals(self, level: float) -> tuple[np.ndarray, np.ndarray]:
        """The intervals ``(k, 2)`` of the coordinates, with the error by random numbers, and which ones data do not bound."""
        from scipy.stats import norm

        z, maximum, surface = float(norm.ppf(0.5 + level / 2)), self._maximum, self._surface
        noise = np.nan_to_num(np.diag(maximum.noise))
        ends = np.array(
            self._together([self._end(axis, side, z) for axis in range(len(maximum.place)) for side in (-1, 1)])
        )
        ends = ends.reshape(-1, 2)
        distance = np.hypot(ends - maximum.place[:, None], z * np.sqrt(noise)[:, None])
        limits = np.stack([surface.lower, surface.upper], axis=1)
        unbounded = ((ends == limits) | np.isinf(ends)).all(axis=1) & ~maximum.at_bound
        return np.clip(maximum.place[:, None] + [-1, 1] * distance, limits[:, :1], limits[:, 1:]), unbounded

    def _together(self, searches: Sequence[Search[float]]) -> list[float]:
        """The results of searches, which say at which points they need values next: these are computed together."""
        results: dict[int, float] = {}
        active = dict(enumerate(searches))
        while active:
            points: list[np.ndarray] = []
            for i, search in list(active.items()):
                try:
                    points += next(search)
                except StopIteration as end:
                    results[i] = end.value
                    del active[i]
            for seed in self._seeds:
                self._surface.prepare(points, seed)
        return [results[i] for i in range(len(searches))]

    def _end(self, axis: int, side: int, z: float) -> Search[float]:
        """Where the profile has fallen by z²/2 on a side (−1, 1) of the maximum; a bound, or ±∞, if it does not."""
        place, width = self._maximum.place[axis], self._error[axis]
        limit = (self._surface.lower, self._surface.upper)[(side + 1) // 2][axis]
        furthest = abs(limit - place) if np.isfinite(limit) else FURTHEST * width
        if furthest == 0:
            return float(limit)
        inside, root_inside, outside, root_outside = 0.0, 0.0, np.inf, np.inf
        step = min(z * width, furthest)
        noise = 2 * np.sqrt(2 / len(self._seeds)) * self._maximum.scatter
        for number in range(MOST_TRIES + 12):
            drop = yield from self._drop(axis, place + side * step)
            reliable = abs(drop - z * z / 2) <= POOR * z * z / 2 + noise if number == 0 and step == z * width else False
            root = np.sqrt(2 * max(drop, 0.0)) if np.isfinite(drop) else np.inf
            if reliable or abs(root - z) <= NEAR * z:
                return float(place + side * step)
            if root < z:
                inside, root_inside = step, root
                if step >= furthest:
                    return float(limit)
            else:
                outside, root_outside = step, root
            step = self._next(z, inside, root_inside, outside, root_outside, furthest)
            if number > MOST_TRIES and np.isfinite(outside) and outside - inside < NEAR * outside:
                break
        return float(place + side * (outside if np.isfinite(outside) else step))

    @staticmethod
    def _next(
        z: float, inside: float, root_inside: float, outside: float, root_outside: float, furthest: float
    ) -> float:
        """The next distance: further out by at most four times, or between the ends of the bracket."""
        if not np.isfinite(outside):
            return min(inside * np.clip(1.05 * z / max(root_inside, 1e-9), 1.2, 4.0), furthest)
        if not np.isfinite(root_outside):
            return 0.5 * (inside + outside)
        share = (z - root_inside) / (root_outside - root_inside)
        return inside + (outside - inside) * float(np.clip(share, 0.1, 0.9))

    def _drop(self, axis: int, value: float) -> Search[float]:
        """How far the profile is below the maximum where a coordinate has a value."""
        point = self._conditional(axis, value)
        others = np.flatnonzero((np.arange(len(point)) != axis) & ~self._maximum.at_bound)
        if not (self._smooth and len(others)):
            yield [point]
        gain = 0.0  # of a step too small to be taken
        for _ in range(INNER if self._smooth and len(others) else 0):
            yield [point, *self._sides(point, others).reshape(-1, len(point))]
            step, gain = self._newton(point, others)
            if gain < CLOSE:
                break
            higher, gain = (yield from self._up(point, others, step)), 0.0
            if higher is None:
                break
            point = higher
        height = float(np.mean([self._surface(point, seed) for seed in self._seeds]))
        if self._smooth and height > self._top + 1e-6:
            self.higher = point
        return self._top - height - gain if np.isfinite(height) else np.inf

    def _up(self, point: np.ndarray, others: np.ndarray, step: np.ndarray) -> Search[np.ndarray | None]:
        """A higher point along a step, at most as far; ``None`` if there is none."""
        for share in (1.0, 0.5, 0.25, 0.125):
            higher = np.array(point)
            higher[others] += share * step
            higher = np.clip(higher, self._surface.lower, self._surface.upper)
            yield [higher, *self._sides(higher, others).reshape(-1, len(point))]  # where a step from there is computed
            if self._surface(higher, self._seeds[0]) > self._surface(point, self._seeds[0]):
                return higher
        return None

    def _sides(self, point: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Points ``(others, 2, k)`` on both sides of one along other coordinates, for slopes."""
        ends = np.tile(point, (len(others), 2, 1))
        for i, axis in enumerate(others):
            ends[i, :, axis] += [DIFFERENCE * self._maximum.width[axis], -DIFFERENCE * self._maximum.width[axis]]
        return np.clip(ends, self._surface.lower, self._surface.upper)

    def _newton(self, point: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, float]:
        """The step to the maximum over the other coordinates, by slopes there and the Hessian at the maximum, and its gain."""
        slopes = np.zeros(len(others))
        for i, (axis, ends) in enumerate(zip(others, self._sides(point, others), strict=True)):
            high, low = (self._surface(end, self._seeds[0]) for end in ends)
            slopes[i] = (high - low) / (ends[0, axis] - ends[1, axis])
        inner = -self._maximum.hessian[np.ix_(others, others)]
        if not (np.isfinite(inner).all() and np.isfinite(slopes).all() and np.linalg.eigvalsh(inner).min() > 0):
            return np.zeros(len(others)), 0.0
        step = np.linalg.solve(inner, slopes)
        return step, float(0.5 * slopes @ step)

    def _conditional(self, axis: int, value: float) -> np.ndarray:
        """The point at which the quadratic function has its maximum over the other coordinates."""
        point, hessian = np.array(self._maximum.place), self._maximum.hessian
        away = value - point[axis]
        point[axis] = value
        others = np.flatnonzero((np.arange(len(point)) != axis) & ~self._maximum.at_bound)
        inner = hessian[np.ix_(others, others)]
        if len(others) and np.isfinite(inner).all() and np.isfinite(hessian[others, axis]).all():
            if np.linalg.eigvalsh(inner).max() < 0:
                follow = -np.linalg.solve(inner, hessian[others, axis]) * away
                point[others] += np.clip(follow, *(sign * FURTHEST * self._error[others] for sign in (-1, 1)))
        return np.clip(point, self._surface.lower, self._surface.upper)
