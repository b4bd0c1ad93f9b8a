"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.groups import AdjointRepresentation as AdjointRepresentation
from semidirect.groups import Advected as Advected
from semidirect.groups import AdvectedFrame as AdvectedFrame
from semidirect.groups import CoadjointRepresentation as CoadjointRepresentation
from semidirect.groups import DirectSum as DirectSum
from semidirect.groups import DualRepresentation as DualRepresentation
from semidirect.groups import HomogeneousRepresentation as HomogeneousRepresentation
from semidirect.groups import Pullback as Pullback
from semidirect.groups import Representation as Representation
from semidirect.groups import SemidirectProduct as SemidirectProduct
from semidirect.groups import Subrepresentation as Subrepresentation
from semidirect.groups import SymmetricSquare as SymmetricSquare
from semidirect.groups import TrivialRepresentation as TrivialRepresentation
from semidirect.groups import VectorRepresentation as VectorRepresentation
