"""Lie groups, their algebras and duals."""

from semidirect.groups.direct_product import DirectProduct
from semidirect.groups.heisenberg import Heisenberg
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.matrix_group import MatrixGroup
from semidirect.groups.minimal_motion import minimal_motion, minimal_rotation
from semidirect.groups.real_space import RealSpace
from semidirect.groups.se2 import SE2
from semidirect.groups.se3 import SE3
from semidirect.groups.so2 import SO2
from semidirect.groups.so3 import SO3
from semidirect.groups.special_orthogonal import SO, SpecialOrthogonal
from semidirect.groups.torus import Torus

__all__ = [
    "SE2", "SE3", "SO", "SO2", "SO3", "DirectProduct", "Heisenberg", "LieGroup", "MatrixGroup", "RealSpace",
    "SpecialOrthogonal", "Torus", "minimal_motion", "minimal_rotation",
]  # fmt: skip
