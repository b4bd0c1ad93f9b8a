"""Scrambled Sobol points: for each replication a randomisation of its own, and normal numbers made of the points."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, final

import numpy as np

from semidirect.core import ForkSafeLock

__all__ = ["BITS", "MOST_POINTS", "PointSet", "SobolPoints"]

BITS = 30
"""Of a coordinate of a point."""
MOST_POINTS = 2**BITS
KEY = 0x50B01
"""What tells the seeds of scramblings from others that follow from the seed of a run."""


@final
class PointSet:
    """The points of one replication; any of them can be asked for, by any thread."""

    def __init__(self, seed: int, replication: int, dimensions: int):
        from scipy.stats import qmc

        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(KEY, replication)))
        self._points = qmc.Sobol(dimensions, scramble=True, bits=BITS, rng=rng)
        self._lock = ForkSafeLock()

    def between(self, first: int, last: int) -> np.ndarray:
        """The points ``first`` to ``last − 1``, ``(n, dimensions)``: the middles of cells, so that none is 0 or 1."""
        count = last - first
        with self._lock:
            self._points.reset()
            if first:
                self._points.fast_forward(first)
                corners = self._points.random(count)
            else:  # SciPy warns of numbers that are no powers of two if they are the first
                corners = self._points.random(1 << (count - 1).bit_length())[:count]
        middles: np.ndarray = corners + 0.5 / MOST_POINTS
        return middles


@lru_cache(maxsize=256)
def _point_set(seed: int, replication: int, dimensions: int) -> PointSet:
    return PointSet(seed, replication, dimensions)


@final
class SobolPoints:
    """Coordinates of the points of paths: path i has the point i // R of the replication i mod R.

    They depend on the seed, the number of replications R, the number of dimensions and the path.
    """

    def __init__(self, seed: int, replications: int, dimensions: int):
        self.seed, self.replications, self.dimensions = seed, replications, dimensions

    def uniforms(self, paths: Any, first: int, count: int) -> np.ndarray:
        """Coordinates ``(count, paths)`` of so many dimensions from ``first`` on, between 0 and 1."""
        paths = np.asarray(paths, dtype=np.int64)
        out = np.empty((count, len(paths)))
        points, replication = np.divmod(paths, self.replications)
        for r in np.unique(replication).tolist():
            which = np.flatnonzero(replication == r)
            lowest = int(points[which].min())
            values = _point_set(self.seed, r, self.dimensions).between(lowest, int(points[which].max()) + 1)
            out[:, which] = values[points[which] - lowest, first : first + count].T
        return out

    def normals(self, paths: Any, first: int, count: int) -> np.ndarray:
        """Standard normals ``(count, paths)``, by the inverse of their distribution function."""
        from scipy.special import ndtri

        values: np.ndarray = ndtri(self.uniforms(paths, first, count))
        return values
