"""One level: differences of a quantity between two steps on the same Brownian paths."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from semidirect.core import display

__all__ = ["Level"]


@final
@dataclass(frozen=True, repr=False)
class Level(display.Brief):
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
    third, fourth : float
        Σ (d − mean)³ and Σ (d − mean)⁴ over the differences.
    largest : float
        The largest |d − mean| over the differences of the paths that were made at once.
    """

    dt: float
    steps: int
    paths: int = 0
    failed: int = 0
    mean: float = 0.0
    variance: float = 0.0
    value: float = 0.0
    value_variance: float = 0.0
    third: float = 0.0
    fourth: float = 0.0
    largest: float = 0.0

    @property
    def cost(self) -> int:
        """The steps of all paths."""
        return self.steps * (self.paths + self.failed)

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return float(np.sqrt(self.variance / self.paths)) if self.paths else float("inf")

    @property
    def seen(self) -> float:
        """On how many differences the variance rests: (Σ (d − mean)²)²/Σ (d − mean)⁴, a third of the paths for a normal law, and
        the number of those that are not 0 where few are.
        """
        squares = self.variance * max(self.paths - 1, 0)
        return squares * (squares / self.fourth) if self.fourth > 0 else 0.0

    def with_paths(self, differences: np.ndarray, values: np.ndarray, failed: int) -> Level:
        """The level with more paths."""
        if not len(values):
            return replace(self, failed=self.failed + failed)
        ours = self.paths, self.mean, self.variance * max(self.paths - 1, 0), self.third, self.fourth
        n, mean, squares, third, fourth = _joined(ours, _sums(differences))
        previous = self.paths, self.value, self.value_variance * max(self.paths - 1, 0), 0.0, 0.0
        _, value, value_squares, _, _ = _joined(previous, _sums(values))
        rest = max(n - 1, 1)
        largest = max(self.largest, float(np.max(np.abs(differences - np.mean(differences)))))
        return Level(
            self.dt, self.steps, n, self.failed + failed, mean, squares / rest, value, value_squares / rest, third, fourth,
            largest,
        )  # fmt: skip


Sums = tuple[int, float, float, float, float]
"""n, mean, and Σ (x − mean)^k for k = 2, 3, 4."""


def _sums(x: np.ndarray) -> Sums:
    mean = float(np.mean(x))
    deviation = x - mean
    return len(x), mean, float(np.sum(deviation**2)), float(np.sum(deviation**3)), float(np.sum(deviation**4))


def _joined(a: Sums, b: Sums) -> Sums:
    """Those of both sets (P. Pébay, Sandia report 2008-6212)."""
    (n, mean, squares, third, fourth), (m, other, more, more3, more4) = a, b
    total, d = n + m, other - mean
    cubes = third + more3 + d**3 * n * m * (n - m) / total**2 + 3 * d * (n * more - m * squares) / total
    powers = (
        fourth + more4 + d**4 * n * m * (n * n - n * m + m * m) / total**3
        + 6 * d * d * (n * n * more + m * m * squares) / total**2 + 4 * d * (n * more3 - m * third) / total
    )  # fmt: skip
    return total, (n * mean + m * other) / total, squares + more + d * d * n * m / total, cubes, powers
