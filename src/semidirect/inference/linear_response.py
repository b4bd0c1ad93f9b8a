"""The linear response of observed values to the noise of paths, and the normal distribution of the noise that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, final

import numpy as np

__all__ = ["LinearResponse"]

RIDGE = 1e-3
"""Of the variance of the coordinates, so that few paths suffice for many of them."""


@final
class LinearResponse:
    """Residuals r ≈ r₀ + H a of observed values, for coordinates a of the noise, which are standard normal before the data.

    With them a is normal with the covariance C = (1 + HᵀH)⁻¹ and the mean C Hᵀ(H a − r), which is the same for all a where the
    response is linear.

    Parameters
    ----------
    matrix : array (k, d)
        H.
    """

    def __init__(self, matrix: np.ndarray):
        self._matrix = matrix
        precision = np.eye(matrix.shape[1]) + np.einsum("ki,kj->ij", matrix, matrix)
        sizes, axes = np.linalg.eigh(precision)
        self._precision, self._covariance = precision, (axes / sizes) @ axes.T
        self._root = (axes / np.sqrt(sizes)) @ axes.T

    @classmethod
    def fitted(cls, da: np.ndarray, dr: np.ndarray, blocks: Sequence[tuple[int, int]]) -> Self:
        """The response by least squares from differences ``da (paths, d)`` of the noise and ``dr (paths, k)`` of residuals.

        Parameters
        ----------
        blocks : sequence of (k, d)
            Up to which residual and which coordinate each interval goes: residuals do not depend on later noise.
        """
        good = np.isfinite(dr).all(axis=1)
        da, dr = np.where(good[:, None], da, 0), np.where(good[:, None], dr, 0)
        gram = np.einsum("pi,pj->ij", da, da)
        cross = np.einsum("pi,pk->ik", da, dr)
        gram += RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
        matrix, before = np.zeros((dr.shape[1], da.shape[1])), 0
        for k, d in blocks:
            if gram[0, 0] > 0:
                matrix[before:k, :d] = np.linalg.solve(gram[:d, :d], cross[:d, before:k]).T
            before = k
        return cls(matrix)

    @classmethod
    def none(cls, k: int, d: int) -> Self:
        """No response of k residuals to d coordinates."""
        return cls(np.zeros((k, d)))

    def scaled(self, factors: np.ndarray) -> LinearResponse:
        """The response of residuals times factors ``(k,)``."""
        return LinearResponse(self._matrix * factors[:, None])

    def mean(self, a: np.ndarray, residuals: np.ndarray) -> np.ndarray:
        """The mean ``(paths, d)`` of the noise of paths with these coordinates and residuals."""
        return np.asarray((a @ self._matrix.T - residuals) @ (self._matrix @ self._covariance))

    def spread(self, z: np.ndarray) -> np.ndarray:
        """Standard normal numbers ``(paths, d)`` with the covariance C."""
        return np.asarray(z @ self._root)

    def square(self, a: np.ndarray) -> np.ndarray:
        """aᵀC⁻¹a of each path."""
        return np.asarray(np.einsum("pi,pi->p", a @ self._precision, a))
