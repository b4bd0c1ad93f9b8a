"""The Heisenberg group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import exact, ops
from semidirect.groups.coordinates import Cell
from semidirect.groups.lie_group import LieGroup


@final
class Heisenberg(LieGroup):
    """The matrices ``[[1, y, z], [0, 1, x], [0, 0, 1]]``, algebra ξ = (ξ_x, ξ_y, ξ_z), ``[e_x, e_y] = −e_z``.

    With g⁻¹ġ = hat(ξ): ẋ = ξ_x, ẏ = ξ_y, ż = ξ_z + y ξ_x. Stored: ``x``, ``y``, ``z``.

    Parameters
    ----------
    blocks : names of the algebra's parts, ``("xi",)``
    coordinates : names of the stored coordinates, ``("x", "y", "z")``
    """

    def __init__(self, blocks: Sequence[str] | None = None, coordinates: Sequence[str] | None = None):
        basis = np.zeros((3, 3, 3), dtype=int)
        basis[0, 1, 2] = basis[1, 0, 1] = basis[2, 0, 2] = 1
        super().__init__("Heisenberg", basis, blocks={"xi": 3}, names=blocks, coordinate_names=coordinates, quadratic=True,
                         coordinates=[Cell("x", 1, 2), Cell("y", 0, 1), Cell("z", 0, 2)])  # fmt: skip

    def exp_entries(self, xi: Any) -> np.ndarray:
        """(ξ_x, ξ_y, ξ_z + ξ_x ξ_y/2)."""
        x, y, z = ops.array(xi)
        return _matrix(x, y, z + exact.times(exact.HALF, x * y))

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """The same as exp: hat(ξ)³ = 0."""
        return self.exp_entries(xi)

    def inverse_entries(self, g: Any) -> np.ndarray:
        """(−x, −y, −z + xy)."""
        g = ops.array(g)
        x, y, z = g[1, 2], g[0, 1], g[0, 2]
        return _matrix(-x, -y, x * y - z)

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """(x, y, z − xy/2)."""
        x, y, z = g[:, 1, 2], g[:, 0, 1], g[:, 0, 2]
        return np.stack([x, y, z - 0.5 * x * y], axis=-1)

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """The largest difference of a constant entry."""
        constant = np.tril(np.ones((3, 3), dtype=bool))
        return np.max(np.abs(np.where(constant, g - np.eye(3), 0.0)), axis=(-2, -1))

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Standard normal x, y and z."""
        return np.moveaxis(_matrix(*rng.standard_normal((3, count))), -1, 0)


def _matrix(x: Any, y: Any, z: Any) -> np.ndarray:
    return ops.matrix([[1, y, z], [0, 1, x], [0, 0, 1]])
