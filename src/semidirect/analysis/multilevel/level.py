"""One level: differences of a quantity between two steps on the same Brownian paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.core.display import Brief

__all__ = ["Level"]


@final
@dataclass(frozen=True, repr=False)
class Level(Brief):
    """The differences Q_l − Q_{l−1} of a quantity at the end, on paths of their own; on the first level Q_0 itself.

    Attributes
    ----------
    dt : float
        The step h_l [s]; that of the level before is twice as long.
    steps : int
        The cost of a path: its steps at h_l and at 2 h_l.
    paths, failed : int
        The paths of which the differences are known, and those that failed.
    mean, variance : float
        Of the differences.
    value, value_variance : float
        Mean and variance of Q_l.
    """

    dt: float
    steps: int
    paths: int = 0
    failed: int = 0
    mean: float = 0.0
    variance: float = 0.0
    value: float = 0.0
    value_variance: float = 0.0

    @property
    def cost(self) -> int:
        """The steps of all paths."""
        return self.steps * (self.paths + self.failed)

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return float(np.sqrt(self.variance / self.paths)) if self.paths else float("inf")

    def with_paths(self, differences: np.ndarray, values: np.ndarray, failed: int) -> Level:
        """The level with more paths."""
        n = self.paths + len(values)
        if not len(values):
            return Level(
                self.dt, self.steps, n, self.failed + failed, self.mean, self.variance, self.value, self.value_variance
            )
        mean, variance = _joined(self.paths, self.mean, self.variance, differences)
        value, value_variance = _joined(self.paths, self.value, self.value_variance, values)
        return Level(self.dt, self.steps, n, self.failed + failed, mean, variance, value, value_variance)


def _joined(n: int, mean: float, variance: float, more: np.ndarray) -> tuple[float, float]:
    """Mean and variance of n values and more of them."""
    m = len(more)
    other = float(np.mean(more))
    squares = variance * max(n - 1, 0) + float(np.sum((more - other) ** 2)) + (other - mean) ** 2 * n * m / (n + m)
    return (n * mean + m * other) / (n + m), squares / max(n + m - 1, 1)
