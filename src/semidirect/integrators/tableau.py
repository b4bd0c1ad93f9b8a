"""A Runge–Kutta method as data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import final

import numpy as np

from semidirect.core import display

Rows = tuple[tuple[float, ...], ...]


@final
@dataclass(frozen=True, repr=False)
class Tableau(display.Brief):
    """Y_i = Y + Σ_j a_ij f(Y_j)Δt + Σ_j ã_ij g(Y_j)ΔW, Y⁺ = Y + Σ_i b_i f(Y_i)Δt + Σ_i b̃_i g(Y_i)ΔW, at t + c_iΔt.

    Attributes
    ----------
    drift, noise : (s, s) tuples
        a and ã; the same tuple if drift and noise are evaluated together.
    weights, noise_weights : (s,) tuples
        b and b̃.
    nodes : (s,) tuple
        c.
    order : int
        Order without noise. With Σ b̃_i ã_ij = ½ the method converges to the Stratonovich solution.
    """

    drift: Rows
    noise: Rows
    weights: tuple[float, ...]
    noise_weights: tuple[float, ...]
    nodes: tuple[float, ...]
    order: int

    @classmethod
    def of(cls, matrix: Rows, weights: tuple[float, ...], order: int) -> Tableau:
        """A method with the same coefficients for drift and noise; c_i = Σ_j a_ij."""
        return cls(matrix, matrix, weights, weights, tuple(sum(row) for row in matrix), order)

    @property
    def stages(self) -> int:
        """s."""
        return len(self.weights)

    @property
    def together(self) -> bool:
        """Whether drift and noise are treated alike."""
        return self.drift == self.noise and self.weights == self.noise_weights

    @property
    def explicit(self) -> bool:
        """Whether a stage needs earlier ones only."""
        return not any(row[j] for m in (self.drift, self.noise) for i, row in enumerate(m) for j in range(i, len(row)))


STRATONOVICH_ONE = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 0.5})
"""Strong orders of a method that uses increments only: 1, unless noises do not commute and need Lévy areas."""

HEUN = Tableau.of(((0.0, 0.0), (1.0, 0.0)), (0.5, 0.5), 2)
"""The trapezoidal rule made explicit (Heun 1900)."""

EULER_HEUN = Tableau(((0.0, 0.0), (0.0, 0.0)), ((0.0, 0.0), (1.0, 0.0)), (1.0, 0.0), (0.5, 0.5), (0.0, 1.0), 1)
"""Heun for the noise, Euler for the drift."""

KUTTA = Tableau.of(
    ((0.0, 0.0, 0.0, 0.0), (0.5, 0.0, 0.0, 0.0), (0.0, 0.5, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)),
    (1 / 6, 1 / 3, 1 / 3, 1 / 6),
    4,
)
"""The classical method (Kutta 1901)."""


@cache
def gauss_legendre(stages: int) -> Tableau:
    """Collocation at the zeros of the shifted Legendre polynomial of degree s, order 2s (Butcher 1964).

    a_ij = ∫₀^{c_i} ℓ_j, b_j = ∫₀¹ ℓ_j with the Lagrange polynomials ℓ_j of the nodes; the integrals are Gauss sums, exact.
    b_i a_ij + b_j a_ji = b_i b_j holds to 1.1e-16 for s ≤ 6, so quadratic invariants are preserved.
    """
    x, w = np.polynomial.legendre.leggauss(stages)
    c, b = (x + 1) / 2, w / 2
    a = np.empty((stages, stages))
    for j in range(stages):
        others = np.delete(c, j)
        for i in range(stages):
            at = c[i] * c
            a[i, j] = c[i] * np.sum(b * np.prod((at[:, None] - others) / (c[j] - others), axis=1))
    rows = tuple(tuple(map(float, row)) for row in a)
    weights = tuple(map(float, b))
    return Tableau(rows, rows, weights, weights, tuple(map(float, c)), 2 * stages)
