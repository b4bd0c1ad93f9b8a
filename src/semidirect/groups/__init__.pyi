"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.groups.direct_product import DirectProduct as DirectProduct
from semidirect.groups.heisenberg import Heisenberg as Heisenberg
from semidirect.groups.lie_group import LieGroup as LieGroup
from semidirect.groups.matrix_group import MatrixGroup as MatrixGroup
from semidirect.groups.minimal_motion import minimal_motion as minimal_motion
from semidirect.groups.minimal_motion import minimal_rotation as minimal_rotation
from semidirect.groups.real_space import RealSpace as RealSpace
from semidirect.groups.se2 import SE2 as SE2
from semidirect.groups.se3 import SE3 as SE3
from semidirect.groups.so2 import SO2 as SO2
from semidirect.groups.so3 import SO3 as SO3
from semidirect.groups.special_orthogonal import SO as SO
from semidirect.groups.special_orthogonal import SpecialOrthogonal as SpecialOrthogonal
from semidirect.groups.torus import Torus as Torus
