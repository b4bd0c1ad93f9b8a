"""Integrals of a Wiener process over the time of a step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from semidirect.random import normal_numbers as normals
from semidirect.random.iterated_integrals.iterated_integrals import INTEGRAL, IteratedIntegrals


@final
@dataclass(frozen=True)
class TimeIntegrals(IteratedIntegrals):
    """Z_i = ∫ (W_i(s) − W_i(t)) ds over a step: normal with variance h³/3, and covariance h²/2 with ΔW_i.

    Z = ½ h (ΔW + √(h/3) ζ) with a standard normal ζ; over a doubled step Z = Z′ + Z″ + h ΔW′.
    """

    name: ClassVar[str] = "time-integrals"

    def rows(self, m: int) -> int:
        """m."""
        return m

    def among(self, m: int, which: np.ndarray) -> np.ndarray:
        """One of each."""
        return which

    def draw(self, dW: np.ndarray, h: float, seed: int, paths: np.ndarray, step: int) -> np.ndarray:
        """½ h (ΔW + √(h/3) ζ)."""
        zeta = normals.fill_normals(np.empty(dW.shape), seed, paths, step, INTEGRAL)
        return 0.5 * h * (dW + math.sqrt(h / 3) * zeta)

    def mix(self, lower: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """L Z."""
        from semidirect.random.covariance import mixed

        return mixed(lower, rows)

    def join(self, m: int, first: np.ndarray, second: np.ndarray, h: float) -> np.ndarray:
        """Z′ + Z″ + h ΔW′."""
        return first[:, m:] + second[:, m:] + h * first[:, :m]
