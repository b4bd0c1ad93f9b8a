"""The translations of Rⁿ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import ops
from semidirect.groups.arguments import a_count
from semidirect.groups.coordinates import Cell
from semidirect.groups.distances import PartialDistance, of_positions
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.matrices.affine import affine_entries, affine_matrices, affine_residuals


@final
class RealSpace(LieGroup):
    """(Rⁿ, +), points (..., n+1, n+1) ``[[1, x], [0, 1]]``, algebra v (..., n). Stored: ``x1`` … ``xn``.

    Parameters
    ----------
    n : int
    blocks : names of the algebra's parts, ``("v",)``
    coordinates : names of the stored coordinates
    """

    def __init__(self, n: int, blocks: Sequence[str] | None = None, coordinates: Sequence[str] | None = None):
        n = a_count(n, "the dimension of a space", 1)
        basis = np.zeros((n, n + 1, n + 1), dtype=int)
        for i in range(n):
            basis[i, i, n] = 1
        super().__init__(f"R{n}", basis, blocks={"v": n}, names=blocks, coordinate_names=coordinates, quadratic=True,
                         coordinates=[Cell(f"x{i + 1}", i, n) for i in range(n)])  # fmt: skip

    def exp_entries(self, xi: Any) -> np.ndarray:
        """The translation by v."""
        return affine_entries(ops.identity(self.dimension), ops.array(xi))

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """The translation by v: hat(v)² = 0."""
        return affine_entries(ops.identity(self.dimension), ops.array(xi))

    def inverse_entries(self, g: Any) -> np.ndarray:
        """The translation by −x."""
        return affine_entries(ops.identity(self.dimension), -ops.array(g)[: self.dimension, self.dimension])

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """x."""
        return g[:, : self.dimension, self.dimension].copy()

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """The largest difference from ``[[1, x], [0, 1]]``."""
        return affine_residuals(g, lambda a: np.max(np.abs(a - np.eye(self.dimension)), axis=(-2, -1)))

    def distances(self) -> tuple[PartialDistance, ...]:
        """|x − y|."""
        return (of_positions(self.size, ""),)

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Standard normal positions."""
        return affine_matrices(np.eye(self.dimension), rng.standard_normal((count, self.dimension)))
