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


Several = Callable[[Sequence[np.ndarray], int], Sequence[float] | None]


@final
class Surface:
    """A function of coordinates and a seed.

    Parameters
    ----------
    function : callable(point, seed)
        Its value is −∞ where the function is not defined.
    lower, upper : array (k,)
        Bounds of the coordinates.
    several : callable(points, seed), optional
        Its values at several points, where they take less time together; ``None`` where not.

    Attributes
    ----------
    points, seeds, values : lists
        All evaluations.
    """

    def __init__(self, function: Callable[[np.ndarray, int], float], lower: np.ndarray, upper: np.ndarray,
                 several: Several = lambda points, seed: None):  # fmt: skip
        self._function, self.lower, self.upper, self._several = function, lower, upper, several
        self._ahead: dict[tuple[int, bytes], float] = {}
        self.points: list[np.ndarray] = []
        self.seeds: list[int] = []
        self.values: list[float] = []

    def __call__(self, point: np.ndarray, seed: int) -> float:
        """The value, computed once."""
        for earlier, of, value in zip(self.points, self.seeds, self.values, strict=True):
            if of == seed and np.array_equal(earlier, point):
                return value
        key = seed, point.tobytes()
        value = self._ahead.pop(key) if key in self._ahead else self._function(point, seed)
        self.record(point, seed, value)
        return value

    def prepare(self, points: Sequence[np.ndarray], seed: int) -> None:
        """Compute values together that are probably asked for next, where that takes less time; they count when they are."""
        computed = {(of, one.tobytes()) for one, of in zip(self.points, self.seeds, strict=True)}
        new = {(seed, one.tobytes()): one for one in points}
        new = {key: one for key, one in new.items() if key not in computed and key not in self._ahead}
        values = self._several(list(new.values()), seed) if len(new) > 1 else None
        self._ahead |= zip(new, values, strict=True) if values is not None else {}

    def restricted(self, base: np.ndarray, where: np.ndarray) -> Surface:
        """The function of some coordinates; the others are those of a base."""

        def whole(point: np.ndarray) -> np.ndarray:
            out = np.array(base)
            out[where] = point
            return out

        def value(point: np.ndarray, seed: int) -> float:
            return self(whole(point), seed)

        def several(points: Sequence[np.ndarray], seed: int) -> None:
            self.prepare([whole(point) for point in points], seed)

        return self if where.all() else Surface(value, self.lower[where], self.upper[where], several)

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
        """The coordinates that change nothing, neither by a scale nor by many."""
        level = self(centre, seed)
        unchanged = np.ones(len(centre), dtype=bool)
        low, high = self.room(centre, scale)

        def moved(axis: int, step: float) -> np.ndarray:
            return np.asarray(centre + scale * np.eye(len(centre))[axis] * np.clip(step, low[axis], high[axis]))

        self.prepare([moved(i, 1.0) for i in range(len(centre))], seed)
        for i in range(len(centre)):
            for step in (1.0, -1.0, FAR, -FAR):
                value = self(moved(i, step), seed)
                if not abs(value - level) <= ROUNDING * (1 + abs(level)):  # which −∞ is not
                    unchanged[i] = False
                    break
        return unchanged

    def room(self, centre: np.ndarray, scale: np.ndarray, most: float = np.inf) -> tuple[np.ndarray, np.ndarray]:
        """The box of the bounds about a centre, in scales and at most so many."""
        return np.maximum((self.lower - centre) / scale, -most), np.minimum((self.upper - centre) / scale, most)

    def evaluate(self, centre: np.ndarray, scale: np.ndarray, seed: int) -> None:
        """Compute the values of a design; a point where the function is not defined is replaced by one nearer to the centre."""
        self.prepare(self.design(centre, scale), seed)
        for d in design(*self.room(centre, scale)):
            for halving in range(HALVINGS):
                if np.isfinite(self(centre + scale * d / 2**halving, seed)):
                    break

    def design(self, centre: np.ndarray, scale: np.ndarray) -> list[np.ndarray]:
        """The points of :meth:`evaluate`, as far as the function is defined there."""
        return [centre + scale * d for d in design(*self.room(centre, scale))]

    def quadratic(self, centre: np.ndarray, scale: np.ndarray, seeds: Sequence[int], reach: float) -> Quadratic:
        """The quadratic function of (point − centre)/scale fitted to all values of these seeds within a box of so many scales."""
        number = {seed: i for i, seed in enumerate(seeds)}
        d = (np.array(self.points) - centre) / scale
        use = np.isfinite(self.values) & np.array([seed in number for seed in self.seeds])
        use &= np.abs(d).max(axis=1) <= reach * (1 + 1e-9)
        groups = np.array([number.get(seed, 0) for seed in self.seeds])
        return Quadratic.fit(d[use], np.array(self.values)[use], groups[use])
