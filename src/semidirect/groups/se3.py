"""The rigid motions of space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import ops
from semidirect.groups.arguments import first_name
from semidirect.groups.coordinates import Cell
from semidirect.groups.distances import PartialDistance, of_positions, of_rotations
from semidirect.groups.lie_group import Geometry, LieGroup
from semidirect.groups.matrices.affine import affine_entries, affine_inverse, affine_matrices, affine_residuals
from semidirect.groups.matrices.functions import half_angle, stumpff_3
from semidirect.groups.motions.rotations import (
    SPACE,
    cayley_half,
    orthogonality,
    space_cayley_of_half,
    space_logarithm,
    space_rotation,
)
from semidirect.groups.motions.series import without_screw
from semidirect.groups.parts import Quotient
from semidirect.groups.so3 import SO3


@final
class SE3(LieGroup):
    """SE(3), points (..., 4, 4) ``[[g, x], [0, 1]]`` body to space, algebra ξ = (Ω, Y): Ω (3,) [rad/s] and Y (3,) [m/s], both
    in the body.

    ``ad((Ω, Y), (η, z)) = (Ω×η, Ω×z − η×Y)``. Stored: ``g11`` … ``g33`` by rows, then ``x1, x2, x3`` [m].

    Parameters
    ----------
    blocks : names of the algebra's parts, ``("Omega", "Y")``
    coordinates : names of the stored coordinates
    """

    geometry: ClassVar[Geometry | None] = Geometry.MOTIONS

    def __init__(self, blocks: Sequence[str] | None = None, coordinates: Sequence[str] | None = None):
        basis = np.zeros((6, 4, 4), dtype=int)
        basis[:3, :3, :3] = SPACE
        for i in range(3):
            basis[3 + i, i, 3] = 1
        cells = [Cell(f"g{i + 1}{j + 1}", i, j) for i in range(3) for j in range(3)]
        super().__init__(
            "SE3", basis, blocks={"Omega": 3, "Y": 3}, names=blocks, coordinate_names=coordinates, quadratic=True,
            coordinates=[*cells, *(Cell(f"x{i + 1}", i, 3) for i in range(3))],
            quotients={("Omega",): Quotient(SO3(blocks=None if blocks is None else first_name(blocks)), 0)},
        )  # fmt: skip

    def exp_entries(self, xi: Any) -> np.ndarray:
        """Rotation exp(hat Ω), translation ``Y + c₂ Ω×Y + c₃ Ω×(Ω×Y)``, c₂ = (1 − cos θ)/θ², c₃ = (θ − sin θ)/θ³."""
        xi = ops.array(xi)
        omega, y = xi[:3], xi[3:]
        square = ops.dot(omega, omega)
        a, w = half_angle(square)
        c2, c3 = 2 * a * a, stumpff_3(square, 2 * a * w)
        once = ops.cross(omega, y)
        twice = ops.cross(omega, once)
        return affine_entries(space_rotation(omega, a, w), [y[i] + c2 * once[i] + c3 * twice[i] for i in range(3)])

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """Rotation cay(hat Ω), translation ``(1 − hat(Ω)/2)⁻¹ Y = Y + k (h×Y + h×(h×Y))``, h = Ω/2, k = 1/(1 + h²)."""
        xi = ops.array(xi)
        omega, y = xi[:3], xi[3:]
        h, k = cayley_half(omega)
        once = ops.cross(h, y)
        twice = ops.cross(h, once)
        return affine_entries(space_cayley_of_half(h, k), [y[i] + k * (once[i] + twice[i]) for i in range(3)])

    def inverse_entries(self, g: Any) -> np.ndarray:
        """``[[gᵀ, −gᵀx], [0, 1]]``."""
        return affine_inverse(g)

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """Ω with |Ω| ≤ π and ``Y = x − Ω×x/2 + d Ω×(Ω×x)``, see :func:`~semidirect.groups.motions.without_screw`."""
        turn = space_logarithm(g[:, :3, :3])
        return np.concatenate([turn.T, without_screw(turn.T, g[:, :3, 3].T)]).T

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """That of the rotation, and of the last row."""
        return affine_residuals(g, orthogonality)

    def distances(self) -> tuple[PartialDistance, ...]:
        """The angle, and the distance in space."""
        return of_rotations(self.size - 1), of_positions(self.size, "m")

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """A Haar rotation and a standard normal position."""
        return affine_matrices(SO3().draw(rng, count), rng.standard_normal((count, 3)))
