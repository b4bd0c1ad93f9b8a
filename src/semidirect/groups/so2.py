"""The rotations of the plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import ops
from semidirect.groups.coordinates import Circle
from semidirect.groups.distances import PartialDistance, of_rotations
from semidirect.groups.lie_group import Geometry, LieGroup
from semidirect.groups.motions.rotations import PLANE, haar_rotations, orthogonality, plane_cayley, plane_rotation


@final
class SO2(LieGroup):
    """SO(2), points (..., 2, 2), algebra ``hat(ω) = [[0, −ω], [ω, 0]]`` with ω [rad] or [rad/s].

    Stored: the unwrapped ``angle`` [rad].

    Parameters
    ----------
    blocks : names of the algebra's parts, ``("omega",)``
    coordinates : names of the stored coordinates, ``("angle",)``
    """

    geometry: ClassVar[Geometry | None] = Geometry.ROTATIONS

    def __init__(self, blocks: Sequence[str] | None = None, coordinates: Sequence[str] | None = None):
        super().__init__("SO2", PLANE[None], blocks={"omega": 1}, names=blocks, coordinates=[Circle("angle", 0, 0)],
                         coordinate_names=coordinates, quadratic=True, compact=True)  # fmt: skip

    def exp_entries(self, xi: Any) -> np.ndarray:
        """The rotation by ω."""
        return plane_rotation(ops.array(xi)[0])

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """The rotation by 2 atan(ω/2)."""
        return plane_cayley(ops.array(xi)[0])

    def inverse_entries(self, g: Any) -> np.ndarray:
        """The transpose."""
        return ops.transpose(g)

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """The angle in (−π, π]."""
        return np.arctan2(g[:, 1, 0], g[:, 0, 0])[:, None]

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """max |gᵀg − 1|, and the sign of the determinant."""
        return orthogonality(g)

    def distances(self) -> tuple[PartialDistance, ...]:
        """The angle."""
        return (of_rotations(self.size, self.distance),)

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Uniform angles."""
        return haar_rotations(rng, count, 2)
