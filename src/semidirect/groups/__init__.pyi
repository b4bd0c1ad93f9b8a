"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .direct_product import DirectProduct as DirectProduct
from .heisenberg import Heisenberg as Heisenberg
from .lie_group import LieGroup as LieGroup
from .matrix_group import MatrixGroup as MatrixGroup
from .motions.minimal import minimal_motion as minimal_motion
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
from .by_geometry import group_of as group_of
from .coordinates import Cell as Cell
from .distances import PartialDistance as PartialDistance
from .element_layout import ElementLayout as ElementLayout
from .group_texts import described_group as described_group
from .lie_group import Geometry as Geometry
from .rational_points import configuration as configuration
from .representations.adjoint import AdjointRepresentation as AdjointRepresentation
from .representations.advected import Advected as Advected
from .representations.advected_frame import AdvectedFrame as AdvectedFrame
from .representations.coadjoint import CoadjointRepresentation as CoadjointRepresentation
from .representations.direct_sum import DirectSum as DirectSum
from .representations.dual import DualRepresentation as DualRepresentation
from .representations.homogeneous import HomogeneousRepresentation as HomogeneousRepresentation
from .representations.pullback import Pullback as Pullback
from .representations.representation import Representation as Representation
from .representations.semidirect_product import SemidirectProduct as SemidirectProduct
from .representations.subrepresentation import Subrepresentation as Subrepresentation
from .representations.symmetric_square import SymmetricSquare as SymmetricSquare
from .representations.trivial import TrivialRepresentation as TrivialRepresentation
from .representations.vector import VectorRepresentation as VectorRepresentation
