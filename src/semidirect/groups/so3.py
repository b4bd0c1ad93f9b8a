"""The rotations of space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import ops
from semidirect.groups.distances import PartialDistance, of_rotations
from semidirect.groups.lie_group import Geometry, LieGroup
from semidirect.groups.motions.rotations import SPACE, orthogonality, space_cayley, space_exponential, space_logarithm


@final
class SO3(LieGroup):
    """SO(3), points (..., 3, 3) body to space, algebra Ω (..., 3) in the body, ``hat(Ω) v = Ω × v``.

    ``ad(Ω, η) = Ω × η`` and ``ad_star(Ω, Π) = Π × Ω``. Stored: the nine entries ``g11`` … ``g33`` by rows.

    Parameters
    ----------
    blocks : names of the algebra's parts, ``("Omega",)``
    coordinates : names of the stored coordinates
    """

    geometry: ClassVar[Geometry | None] = Geometry.ROTATIONS
    rotation_vector: ClassVar[bool] = True

    def __init__(self, blocks: Sequence[str] | None = None, coordinates: Sequence[str] | None = None):
        super().__init__("SO3", SPACE, blocks={"Omega": 3}, names=blocks, coordinate_names=coordinates, quadratic=True,
                         compact=True)  # fmt: skip

    def exp_entries(self, xi: Any) -> np.ndarray:
        """Rodrigues' formula, by the quaternion of half the angle."""
        return space_exponential(xi)

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """The rotation about ξ by 2 atan(|ξ|/2)."""
        return space_cayley(xi)

    def inverse_entries(self, g: Any) -> np.ndarray:
        """The transpose."""
        return ops.transpose(g)

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """The rotation vector, |ξ| ≤ π; at π one of the two."""
        return space_logarithm(g)

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """max |gᵀg − 1|, and the sign of the determinant."""
        return orthogonality(g)

    def distances(self) -> tuple[PartialDistance, ...]:
        """The angle."""
        return (of_rotations(self.size, self.distance),)

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Haar: the angle law is (θ − sin θ)/π."""
        from scipy.spatial.transform import Rotation

        return Rotation.random(count, rng=rng).as_matrix()
