"""Normal errors of which the components of a mark are correlated, given by their covariance."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import arguments, display, errors, frozen
from semidirect.inference.noise import MarkwiseNoise

__all__ = ["CovarianceNoise", "is_covariance"]

SYMMETRIC = 1e-9
"""Relative difference of a covariance from its transpose that rounding may make."""


def is_covariance(matrix: np.ndarray) -> bool:
    """Whether a matrix is finite, symmetric and positive definite."""
    if not np.isfinite(matrix).all() or np.abs(matrix - matrix.T).max() > SYMMETRIC * np.abs(matrix).max():
        return False
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


@final
@dataclass(frozen=True, eq=False, repr=False)
class CovarianceNoise(display.Brief, frozen.Rebuilt, MarkwiseNoise):
    """Normal errors with a covariance; marks are independent.

    Attributes
    ----------
    matrix : (components, components), or (marks, components, components)
        The covariance, of every mark or of each, in the units of the observed values squared; a number is a variance.
    """

    matrix: Any

    def __post_init__(self) -> None:
        matrix = arguments.validated_array("the covariance of the noise", self.matrix)
        matrix = matrix.reshape(1, 1) if matrix.ndim == 0 else matrix
        square = matrix.ndim in (2, 3) and matrix.shape[-1] == matrix.shape[-2] and matrix.size > 0
        if not (square and all(map(is_covariance, matrix.reshape(-1, *matrix.shape[-2:])))):
            raise errors.InputError(
                "the covariance of the noise",
                expected="symmetric positive definite matrices, one or one per mark",
                got=reprlib.repr(np.asarray(self.matrix).tolist()),
            )
        matrix.setflags(write=False)
        object.__setattr__(self, "matrix", matrix)

    def numbers(self, marks: int, components: int) -> np.ndarray:
        """The rows of the inverse of the Cholesky factor, and the logarithm of the density at the predicted values."""
        root = np.linalg.cholesky(self.covariance(marks, components))
        top = -np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1) - 0.5 * components * math.log(2 * math.pi)
        return np.column_stack([np.linalg.inv(root).reshape(marks, -1), top])

    def marginal_numbers(self, here: np.ndarray) -> np.ndarray:
        """The numbers of the part of the matrices that belongs to the observed components, and rows of 0 for the others."""
        rows = []
        for matrix, present in zip(self.covariance(*here.shape), here, strict=True):
            root = np.linalg.cholesky(matrix[np.ix_(present, present)])
            weights = np.zeros(matrix.shape)
            weights[np.ix_(present, present)] = np.linalg.inv(root)
            top = -np.log(np.diagonal(root)).sum() - 0.5 * len(root) * math.log(2 * math.pi)
            rows.append([*weights.ravel(), top])
        return np.array(rows)

    def scaled(self, factors: np.ndarray) -> CovarianceNoise:
        """The matrices times the factors of both components."""
        return CovarianceNoise(self.matrix * np.multiply.outer(factors, factors))

    def mark_log_density(self, away: Sequence[Any], numbers: Sequence[Any]) -> Any:
        """Of the components of a mark together."""
        *weights, top = numbers
        total: Any = 0.0
        for i in range(len(away)):
            residual: Any = 0.0
            for j in range(i + 1):
                residual = residual + weights[i * len(away) + j] * away[j]
            total = total + residual * residual
        return top - 0.5 * total

    def draw(self, rng: np.random.Generator, predicted: np.ndarray) -> np.ndarray:
        """Predicted values with correlated normal errors."""
        root = np.linalg.cholesky(self.covariance(*predicted.shape[-2:]))
        return np.asarray(predicted + np.einsum("mij,...mj->...mi", root, rng.standard_normal(predicted.shape)))

    def covariance(self, marks: int, components: int) -> np.ndarray:
        """The matrices."""
        return np.broadcast_to(self.matrix, (marks, components, components))

    def check(self, marks: int, components: int) -> None:
        """The matrices have to fit."""
        if self.matrix.shape not in ((components,) * 2, (1, components, components), (marks, components, components)):
            expected = f"shape {(components,) * 2} or {(marks, components, components)}"
            raise errors.InputError("the covariance of the noise", expected=expected,
                                    got=f"shape {self.matrix.shape}")  # fmt: skip
