"""Lévy areas of independent Wiener processes over a step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from semidirect.core import errors
from semidirect.random import normal_numbers as normals
from semidirect.random.iterated_integrals.iterated_integrals import FOURIER, TAIL, IteratedIntegrals, pairs
from semidirect.random.philox import COMPONENT_BITS

FEWEST_TERMS = 4
NUMBERS_AT_ONCE = 2**21


@final
@dataclass(frozen=True)
class LevyAreas(IteratedIntegrals):
    """A_ij = ½ ∫ (W_i dW_j − W_j dW_i) over a step, i < j: variance h²/4, and ∫∫ ∘dW_i ∘dW_j = ½ ΔW_i ΔW_j + A_ij (dW_i first).

    The Fourier series of the Brownian bridge gives, with standard normals X_k, Y_k in R^m,

        A = (h/2π) Σ_k (1/k) (X_k Y_kᵀ − Y_k X_kᵀ) + (√(2h)/2π) (S ΔWᵀ − ΔW Sᵀ),   S = Σ_k X_k/k.

    Of it p terms are summed; the rest of S is normal with variance a_p = Σ_{k>p} k⁻², exactly, and the rest of the first sum is
    replaced by normals of its variance, 2a_p. The mean square error of an area is at most m h²/(12π²p²) (Mrongowius and Rößler,
    Stochastic Analysis and Applications 40, 2022, after Wiktorsson, Annals of Applied Probability 11, 2001), and p is chosen
    so that it is at most h³/T with T = 1 s: then a method keeps strong order 1. The areas of longer steps follow by Chen's
    relation A = A′ + A″ + ½ (ΔW′ ⊗ ΔW″ − ΔW″ ⊗ ΔW′), without further error.
    """

    name: ClassVar[str] = "areas"

    def rows(self, m: int) -> int:
        """m (m − 1)/2."""
        return m * (m - 1) // 2

    def among(self, m: int, which: np.ndarray) -> np.ndarray:
        """Those of their pairs."""
        i, j = (which[part] for part in pairs(len(which)))
        return i * m - i * (i + 1) // 2 + j - i - 1

    @staticmethod
    def terms(m: int, h: float) -> int:
        """p, at least 4.

        Raises
        ------
        MethodError
            If this needs more components than the generator has.
        """
        p = max(FEWEST_TERMS, math.ceil(math.sqrt(m / h / 12) / math.pi))
        if 2 * m * p > 2**COMPONENT_BITS:
            least = m * (2 * m / 2**COMPONENT_BITS / math.pi) ** 2 / 12
            raise errors.MethodError(
                f"Lévy areas of {m} noises at this resolution need too many terms", expected=f"a step of at least {least:.1g}",
                got=f"{h:g}", hint="Use a larger step, or a method that needs no areas, such as heun.",
            )  # fmt: skip
        return p

    def draw(self, dW: np.ndarray, h: float, seed: int, paths: np.ndarray, step: int) -> np.ndarray:
        """The areas of p terms and a normal rest."""
        steps, m, count = dW.shape
        out = np.empty((steps, self.rows(m), count))
        if not self.rows(m):
            return out
        p = self.terms(m, h)
        at_once = max(1, NUMBERS_AT_ONCE // (2 * m * p * max(count, 1)))
        at_once += at_once % 2  # two steps share their random words
        first = 0
        while first < steps:
            last = min(first + at_once - (step + first) % 2, steps)
            out[first:last] = self._areas(dW[first:last], h, p, seed, paths, step + first)
            first = last
        return out

    def _areas(self, dW: np.ndarray, h: float, p: int, seed: int, paths: np.ndarray, step: int) -> np.ndarray:
        steps, m, count = dW.shape
        i, j = pairs(m)
        fourier = normals.fill_normals(np.empty((steps, 2 * m * p, count)), seed, paths, step, FOURIER)
        tail = normals.fill_normals(np.empty((steps, m + len(i), count)), seed, paths, step, TAIL)
        rest = math.pi**2 / 6 - math.fsum(1 / k**2 for k in range(1, p + 1))
        S, series = math.sqrt(rest) * tail[:, :m], math.sqrt(2 * rest) * tail[:, m:]
        for k in range(p, 0, -1):
            X, Y = fourier[:, 2 * m * (k - 1) : 2 * m * k - m], fourier[:, 2 * m * k - m : 2 * m * k]
            S = S + X / k
            series = series + (X[:, i] * Y[:, j] - X[:, j] * Y[:, i]) / k
        areas = S[:, i] * dW[:, j] - S[:, j] * dW[:, i]
        return h / (2 * math.pi) * series + math.sqrt(2 * h) / (2 * math.pi) * areas

    def mix(self, lower: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """L A Lᵀ."""
        i, j = pairs(len(lower))
        out = np.zeros_like(rows)
        for at, (a, b) in enumerate(zip(i, j, strict=True)):
            for k, (c, d) in enumerate(zip(i, j, strict=True)):
                weight = lower[a, c] * lower[b, d] - lower[a, d] * lower[b, c]
                if weight:
                    out[:, at] += weight * rows[:, k]
        return out

    def join(self, m: int, first: np.ndarray, second: np.ndarray, h: float) -> np.ndarray:
        """Chen's relation."""
        i, j = pairs(m)
        areas = first[:, i] * second[:, j] - second[:, i] * first[:, j]
        return first[:, m:] + second[:, m:] + 0.5 * areas
