"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .adjoint import AdjointRepresentation as AdjointRepresentation
from .advected import Advected as Advected
from .advected_frame import AdvectedFrame as AdvectedFrame
from .coadjoint import CoadjointRepresentation as CoadjointRepresentation
from .direct_sum import DirectSum as DirectSum
from .dual import DualRepresentation as DualRepresentation
from .homogeneous import HomogeneousRepresentation as HomogeneousRepresentation
from .pullback import Pullback as Pullback
from .representation import Representation as Representation
from .semidirect_product import SemidirectProduct as SemidirectProduct
from .subrepresentation import Subrepresentation as Subrepresentation
from .symmetric_square import SymmetricSquare as SymmetricSquare
from .trivial import TrivialRepresentation as TrivialRepresentation
from .vector import VectorRepresentation as VectorRepresentation

"""For other packages."""

from .representation import a_representation as a_representation
