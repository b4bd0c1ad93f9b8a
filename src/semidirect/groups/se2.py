"""The rigid motions of the plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import exact, ops
from semidirect.groups.arguments import first_name
from semidirect.groups.coordinates import Cell, Circle
from semidirect.groups.distances import PartialDistance, of_positions, of_rotations
from semidirect.groups.lie_group import Geometry, LieGroup
from semidirect.groups.matrices.affine import affine_entries, affine_inverse, affine_matrices, affine_residuals
from semidirect.groups.matrices.functions import half_angle
from semidirect.groups.motions.rotations import PLANE, haar_rotations, orthogonality, plane_cayley, plane_rotation
from semidirect.groups.motions.series import without_screw
from semidirect.groups.parts import Quotient
from semidirect.groups.so2 import SO2


@final
class SE2(LieGroup):
    """SE(2), points (..., 3, 3) ``[[R, x], [0, 1]]``, algebra ξ = (ν; v) with turn ν [rad/s] and body velocity v (2,) [m/s].

    Stored: the unwrapped ``angle`` [rad] and the position ``x``, ``y`` [m].

    Parameters
    ----------
    blocks : names of the algebra's parts, ``("nu", "v")``
    coordinates : names of the stored coordinates, ``("angle", "x", "y")``
    """

    geometry: ClassVar[Geometry | None] = Geometry.MOTIONS

    def __init__(self, blocks: Sequence[str] | None = None, coordinates: Sequence[str] | None = None):
        basis = np.zeros((3, 3, 3), dtype=int)
        basis[0, :2, :2] = PLANE
        basis[1, 0, 2] = basis[2, 1, 2] = 1
        super().__init__(
            "SE2", basis, blocks={"nu": 1, "v": 2}, names=blocks, coordinate_names=coordinates, quadratic=True,
            coordinates=[Circle("angle", 0, 0), Cell("x", 0, 2), Cell("y", 1, 2)],
            quotients={("nu",): Quotient(SO2(blocks=("nu",) if blocks is None else first_name(blocks)), 0)},
        )  # fmt: skip

    def exp_entries(self, xi: Any) -> np.ndarray:
        """Rotation by ν, translation ``(sin ν/ν) v + ((1 − cos ν)/ν) J v``."""
        nu, x, y = ops.array(xi)
        a, w = half_angle(nu * nu)
        along, across = 2 * a * w, 2 * a * a * nu
        return affine_entries(plane_rotation(nu), [along * x - across * y, along * y + across * x])

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """Rotation by 2 atan(ν/2), translation ``(1 − νJ/2)⁻¹ v``."""
        nu, x, y = ops.array(xi)
        h = exact.times(exact.HALF, nu)
        k = 1 / (1 + h * h)
        return affine_entries(plane_cayley(nu), [k * (x - h * y), k * (y + h * x)])

    def inverse_entries(self, g: Any) -> np.ndarray:
        """``[[Rᵀ, −Rᵀx], [0, 1]]``."""
        return affine_inverse(g)

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """ν in (−π, π] and ``v = α x − (ν/2) J x`` with ``α = (ν/2) cot(ν/2)``."""
        turn = np.arctan2(g[:, 1, 0], g[:, 0, 0])[None]
        return np.concatenate([turn, without_screw(turn, g[:, :2, 2].T)]).T

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """That of the rotation, and of the last row."""
        return affine_residuals(g, orthogonality)

    def distances(self) -> tuple[PartialDistance, ...]:
        """The angle, and the distance in space."""
        return of_rotations(self.size - 1), of_positions(self.size, "m")

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """A uniform rotation and a standard normal position."""
        return affine_matrices(haar_rotations(rng, count, 2), rng.standard_normal((count, 2)))
