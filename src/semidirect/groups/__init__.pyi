"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .direct_product import DirectProduct as DirectProduct
from .heisenberg import Heisenberg as Heisenberg
from .lie_group import LieGroup as LieGroup
from .matrix_group import MatrixGroup as MatrixGroup
from .motions.minimal import minimal_rotation as minimal_rotation
from .real_space import RealSpace as RealSpace
from .se2 import SE2 as SE2
from .se3 import SE3 as SE3
from .so2 import SO2 as SO2
from .so3 import SO3 as SO3
from .special_orthogonal import SO as SO
from .special_orthogonal import SpecialOrthogonal as SpecialOrthogonal
from .torus import Torus as Torus

"""For other packages."""

from . import matrices as matrices
from . import motions as motions
from .arguments import a_count as a_count
from .arguments import a_group as a_group
from .arguments import names_of as names_of
from .coordinates import Cell as Cell
from .coordinates import Coordinate as Coordinate
from .distances import PartialDistance as PartialDistance
from .distances import of_positions as of_positions
from .element_layout import ElementLayout as ElementLayout
from .group_texts import described_group as described_group
from .group_units import coordinate_units as coordinate_units
from .group_units import displacement_units as displacement_units
from .lie_group import Geometry as Geometry
from .lie_group import no_cayley as no_cayley
from .parts import Quotient as Quotient
from .rational_points import configuration as configuration
