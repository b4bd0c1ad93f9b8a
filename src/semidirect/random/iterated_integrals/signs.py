"""Signs, for methods that converge in law."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from semidirect.core import errors
from semidirect.random import normal_numbers as normals
from semidirect.random.iterated_integrals.iterated_integrals import SIGN, IteratedIntegrals


@final
@dataclass(frozen=True)
class Signs(IteratedIntegrals):
    """m − 1 independent variables ±√h, each with probability ½, that stand for the areas in weak methods."""

    name: ClassVar[str] = "signs"
    increment_law: ClassVar[str] = "three-point"
    coarsens: ClassVar[bool] = False

    def rows(self, m: int) -> int:
        """m − 1."""
        return max(m - 1, 0)

    def among(self, m: int, which: np.ndarray) -> np.ndarray:
        """Those of all but the first."""
        return which[1:] - 1

    def draw(self, dW: np.ndarray, h: float, seed: int, paths: np.ndarray, step: int) -> np.ndarray:
        """√h by the sign of a normal."""
        steps, m, count = dW.shape
        z = normals.fill_normals(np.empty((steps, self.rows(m), count)), seed, paths, step, SIGN)
        return np.where(z < 0, -math.sqrt(h), math.sqrt(h))

    def mix(self, lower: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Always raises an error: signs have no meaning for correlated processes."""
        raise errors.MethodError(
            "weak methods of order 2 need independent noises", got="a covariance",
            hint="Put the correlation into the amplitudes of the noise: ξ_j → Σ ξ_i L_ij with L Lᵀ = C.",
        )  # fmt: skip

    def join(self, m: int, first: np.ndarray, second: np.ndarray, h: float) -> np.ndarray:
        """Always raises an error: signs belong to one step size."""
        raise errors.MethodError(
            "three-point increments do not form a Brownian path: they are defined only at their own step",
            hint="Use Gaussian increments, sd.noise.Wiener.",
        )
