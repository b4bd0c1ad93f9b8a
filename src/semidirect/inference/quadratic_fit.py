"""A quadratic function fitted to values with noise, its maximum, and the error of the maximum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, final

import numpy as np

__all__ = ["Quadratic", "design"]


@final
@dataclass(frozen=True, eq=False)
class Quadratic:
    """v = c_r + g_r·d + ½ dᵀHd, by least squares, with a constant c_r and a gradient g_r for each group r of values.

    Values that are computed with one seed form a group: other seeds shift the whole function and tilt it.

    Attributes
    ----------
    constants : array (groups,)
    gradients : array (groups, k)
    hessian : array (k, k)
    deviation : float
        Standard deviation of the values about the function; 0 if there are as many coefficients as values.
    covariance : array (n, n)
        Covariance of the coefficients: constants, gradients one after the other, rows of the upper triangle of the Hessian.
    """

    constants: np.ndarray
    gradients: np.ndarray
    hessian: np.ndarray
    deviation: float
    covariance: np.ndarray

    @classmethod
    def fit(cls, points: np.ndarray, values: np.ndarray, groups: np.ndarray) -> Self:
        """Fit to points ``(n, k)``, values ``(n,)`` and numbers of groups ``(n,)``, counted from 0."""
        k, upper = points.shape[1], np.triu_indices(points.shape[1])
        products = points[:, upper[0]] * points[:, upper[1]] * np.where(upper[0] == upper[1], 0.5, 1.0)
        count = int(groups.max()) + 1
        own = np.eye(count)[groups]
        tilted = (own[:, :, None] * points[:, None, :]).reshape(len(points), count * k)
        matrix = np.concatenate([own, tilted, products], axis=1)
        coefficients = np.linalg.lstsq(matrix, values, rcond=None)[0]
        free = len(values) - matrix.shape[1]
        deviation = float(np.sqrt(np.sum((values - matrix @ coefficients) ** 2) / free)) if free > 0 else 0.0
        hessian = np.zeros((k, k))
        hessian[upper] = coefficients[count * (1 + k) :]
        hessian = hessian + np.triu(hessian, 1).T
        covariance = np.linalg.pinv(matrix.T @ matrix) * deviation**2
        return cls(
            coefficients[:count],
            coefficients[count : count * (1 + k)].reshape(count, k),
            hessian,
            deviation,
            covariance,
        )

    @property
    def gradient(self) -> np.ndarray:
        """The mean of the gradients."""
        return np.asarray(self.gradients.mean(axis=0))

    @property
    def concave(self) -> bool:
        """Whether it has a maximum."""
        return bool(np.linalg.eigvalsh(self.hessian).max() < 0)

    def __call__(self, d: np.ndarray) -> float:
        """Its value at d, without the constants."""
        return float(self.gradient @ d + 0.5 * d @ self.hessian @ d)

    def restricted(self, axes: np.ndarray) -> Self:
        """The function of some coordinates, where the others are 0."""
        count, k = self.gradients.shape
        pairs = zip(*np.triu_indices(k), strict=True)
        own = [count + r * k + axis for r in range(count) for axis in axes]
        rows = [*range(count), *own, *(count * (1 + k) + i for i, pair in enumerate(pairs) if set(pair) <= set(axes))]
        return type(self)(self.constants, self.gradients[:, axes], self.hessian[np.ix_(axes, axes)], self.deviation,
                          self.covariance[np.ix_(rows, rows)])  # fmt: skip

    def maximum(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """The place of the maximum within a box that contains 0."""
        from scipy.optimize import minimize

        starts = [np.zeros(len(low)), np.where(self.gradient > 0, high, low)]
        if self.concave:
            top = np.linalg.solve(self.hessian, -self.gradient)
            if (top >= low).all() and (top <= high).all():
                return np.asarray(top)
            starts.append(np.clip(top, low, high))
        ends = [
            minimize(lambda d: -self(d), start, jac=lambda d: -(self.gradient + self.hessian @ d), method="L-BFGS-B",
                     bounds=np.stack([low, high], axis=1)).x
            for start in starts
        ]  # fmt: skip
        return np.asarray(max(ends, key=self))

    def error_of_maximum(self) -> np.ndarray:
        """The covariance ``(k, k)`` of the place −H⁻¹g of the maximum: from the spread of the places of the groups, or, of one
        group, from the scatter of the values.
        """
        count, k = self.gradients.shape
        inverse = np.linalg.inv(self.hessian)
        if count > 1:
            return np.atleast_2d(np.cov(-self.gradients @ inverse, rowvar=False)) / count
        top = -inverse @ self.gradient
        slopes = [np.zeros((k, 1)), -inverse]
        for i, j in zip(*np.triu_indices(k), strict=True):
            change = np.zeros((k, k))
            change[i, j] = change[j, i] = 1
            slopes.append((-inverse @ change @ top)[:, None])
        jacobian = np.concatenate(slopes, axis=1)
        return np.asarray(jacobian @ self.covariance @ jacobian.T)


def design(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Points in a box that contains 0, within [−1, 1], that determine a quadratic function: 0, two on each axis, and two for each
    pair of axes. Both on an axis are on one side of 0 where there is no room on the other.
    """
    low, high = np.maximum(low, -1.0), np.minimum(high, 1.0)
    k, wide = len(low), np.where(high >= -low, high, low)
    narrow = np.where(wide > 0, low, high)
    narrow = np.where(np.abs(narrow) < 0.25, 0.5 * wide, narrow)
    first, second = np.diag(wide), np.diag(narrow)
    pairs = [(i, j) for i in range(k) for j in range(i)]
    points = [np.zeros(k), *first, *second]
    points += [ends[i] + ends[j] for i, j in pairs for ends in (first, second)]
    return np.array(points)
