"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.representations.adjoint import AdjointRepresentation as AdjointRepresentation
from semidirect.representations.advected import Advected as Advected
from semidirect.representations.advected_frame import AdvectedFrame as AdvectedFrame
from semidirect.representations.coadjoint import CoadjointRepresentation as CoadjointRepresentation
from semidirect.representations.direct_sum import DirectSum as DirectSum
from semidirect.representations.dual import DualRepresentation as DualRepresentation
from semidirect.representations.homogeneous import HomogeneousRepresentation as HomogeneousRepresentation
from semidirect.representations.pullback import Pullback as Pullback
from semidirect.representations.representation import Representation as Representation
from semidirect.representations.semidirect_product import SemidirectProduct as SemidirectProduct
from semidirect.representations.subrepresentation import Subrepresentation as Subrepresentation
from semidirect.representations.symmetric_square import SymmetricSquare as SymmetricSquare
from semidirect.representations.trivial import TrivialRepresentation as TrivialRepresentation
from semidirect.representations.vector import VectorRepresentation as VectorRepresentation
