"""The torus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import ops
from semidirect.groups.arguments import a_count
from semidirect.groups.coordinates import Circle
from semidirect.groups.distances import PartialDistance, of_rotations
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.matrices.blocks import block_diagonal
from semidirect.groups.motions.rotations import PLANE, haar_rotations, orthogonality, plane_cayley, plane_rotation


@final
class Torus(LieGroup):
    """Tⁿ = SO(2)ⁿ, points (..., 2n, 2n) of 2 × 2 rotation blocks, algebra w (..., n) [rad] or [rad/s].

    Stored: the unwrapped angles ``angle1``, … [rad].

    Parameters
    ----------
    n : int
    blocks : names of the algebra's parts, ``("w",)``
    coordinates : names of the stored coordinates
    """

    def __init__(self, n: int, blocks: Sequence[str] | None = None, coordinates: Sequence[str] | None = None):
        n = a_count(n, "the dimension of a torus", 1)
        basis = np.zeros((n, 2 * n, 2 * n), dtype=int)
        for k in range(n):
            basis[k, 2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = PLANE
        angles = [Circle(f"angle{k + 1}", 2 * k, k) for k in range(n)]
        super().__init__(f"T{n}", basis, blocks={"w": n}, names=blocks, coordinates=angles, coordinate_names=coordinates,
                         quadratic=True, compact=True)  # fmt: skip

    def exp_entries(self, xi: Any) -> np.ndarray:
        """The rotations by w."""
        return block_diagonal([plane_rotation(w) for w in ops.array(xi)])

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """The rotations by 2 atan(w/2)."""
        return block_diagonal([plane_cayley(w) for w in ops.array(xi)])

    def inverse_entries(self, g: Any) -> np.ndarray:
        """The transpose."""
        return ops.transpose(g)

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """The angles in (−π, π]."""
        even = np.arange(self.dimension) * 2
        return np.arctan2(g[:, even + 1, even], g[:, even, even])

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """max |gᵀg − 1| over the blocks, and the entries outside of them."""
        inside = np.kron(np.eye(self.dimension), np.ones((2, 2))).astype(bool)
        outside = np.max(np.abs(np.where(inside, 0.0, g)), axis=(-2, -1))
        blocks = [orthogonality(g[:, 2 * k : 2 * k + 2, 2 * k : 2 * k + 2]) for k in range(self.dimension)]
        return np.max([outside, *blocks], axis=0)

    def distances(self) -> tuple[PartialDistance, ...]:
        """The Euclidean norm of the angles."""
        return (of_rotations(self.size, self.distance),)

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Uniform angles."""
        parts = [np.moveaxis(haar_rotations(rng, count, 2), 0, -1) for _ in range(self.dimension)]
        return np.moveaxis(block_diagonal(parts), -1, 0)
