"""A noisy function of a few coordinates, with all values that were computed, and quadratic functions fitted to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import final

import numpy as np

from semidirect.inference.quadratic_fit import Quadratic, design

__all__ = ["Surface"]

HALVINGS = 5

FAR = 8.0
"""Scales at which a coordinate without influence is tried again."""

ROUNDING = 1e-10
"""Relative difference of log-likelihoods that is none."""


@final
class Surface:
    """A function of coordinates and a seed.

    Parameters
    ----------
    function : callable(point, seed)
        Its value is −∞ where the function is not defined.
    lower, upper : array (k,)
        Bounds of the coordinates.

    Attributes
    ----------
    points, seeds, values : lists
        All evaluations.
    """

    def __init__(self, function: Callable[[np.ndarray, int], float], lower: np.ndarray, upper: np.ndarray):
        self._function, self.lower, self.upper = function, lower, upper
        self.points: list[np.ndarray] = []
        self.seeds: list[int] = []
        self.values: list[float] = []

    def __call__(self, point: np.ndarray, seed: int) -> float:
        """The value, computed once."""
        for known, of, value in zip(self.points, self.seeds, self.values, strict=True):
            if of == seed and np.array_equal(known, point):
                return value
        value = self._function(point, seed)
        self.record(point, seed, value)
        return value

    def restricted(self, base: np.ndarray, where: np.ndarray) -> Surface:
        """The function of some coordinates; the others are those of a base."""

        def value(point: np.ndarray, seed: int) -> float:
            whole = np.array(base)
            whole[where] = point
            return self(whole, seed)

        return self if where.all() else Surface(value, self.lower[where], self.upper[where])

    def record(self, point: np.ndarray, seed: int, value: float) -> None:
        """Remember a value."""
        self.points.append(np.array(point))
        self.seeds.append(seed)
        self.values.append(value)

    @property
    def best(self) -> np.ndarray:
        """The point with the largest value."""
        return self.points[int(np.argmax(self.values))]

    def higher(self, place: np.ndarray, seeds: Sequence[int], by: float) -> np.ndarray | None:
        """The highest point that exceeds a place, with the same seed, by more than so much; ``None`` if there is none."""
        level = {seed: self(place, seed) for seed in seeds}
        gains = [v - level[s] if s in level else -np.inf for s, v in zip(self.seeds, self.values, strict=True)]
        at = int(np.argmax(gains))
        return self.points[at] if gains[at] > by else None

    def flat(self, centre: np.ndarray, scale: np.ndarray, seed: int) -> np.ndarray:
        """Which coordinates change nothing, neither by a scale nor by many."""
        level = self(centre, seed)
        unchanged = np.ones(len(centre), dtype=bool)
        for i, axis in enumerate(np.eye(len(centre))):
            low, high = self.room(centre, scale)
            for step in (1.0, -1.0, FAR, -FAR):
                value = self(centre + scale * axis * np.clip(step, low[i], high[i]), seed)
                if not abs(value - level) <= ROUNDING * (1 + abs(level)):  # which −∞ is not
                    unchanged[i] = False
                    break
        return unchanged

    def room(self, centre: np.ndarray, scale: np.ndarray, most: float = np.inf) -> tuple[np.ndarray, np.ndarray]:
        """The box of the bounds about a centre, in scales and at most so many."""
        return np.maximum((self.lower - centre) / scale, -most), np.minimum((self.upper - centre) / scale, most)

    def evaluate(self, centre: np.ndarray, scale: np.ndarray, seed: int) -> None:
        """Compute the values of a design; a point where the function is not defined is replaced by one nearer to the centre."""
        for d in design(*self.room(centre, scale)):
            for halving in range(HALVINGS):
                if np.isfinite(self(centre + scale * d / 2**halving, seed)):
                    break

    def quadratic(self, centre: np.ndarray, scale: np.ndarray, seeds: Sequence[int], reach: float) -> Quadratic:
        """The quadratic function of (point − centre)/scale fitted to all values of these seeds within a box of so many scales."""
        number = {seed: i for i, seed in enumerate(seeds)}
        d = (np.array(self.points) - centre) / scale
        use = np.isfinite(self.values) & np.array([seed in number for seed in self.seeds])
        use &= np.abs(d).max(axis=1) <= reach * (1 + 1e-9)
        groups = np.array([number.get(seed, 0) for seed in self.seeds])
        return Quadratic.fit(d[use], np.array(self.values)[use], groups[use])
