"""Representations of Lie groups, diamond maps and advected quantities."""

from semidirect.representations.adjoint import AdjointRepresentation
from semidirect.representations.advected import Advected
from semidirect.representations.advected_frame import AdvectedFrame
from semidirect.representations.coadjoint import CoadjointRepresentation
from semidirect.representations.direct_sum import DirectSum
from semidirect.representations.dual import DualRepresentation
from semidirect.representations.homogeneous import HomogeneousRepresentation
from semidirect.representations.pullback import Pullback
from semidirect.representations.representation import Representation
from semidirect.representations.semidirect_product import SemidirectProduct
from semidirect.representations.subrepresentation import Subrepresentation
from semidirect.representations.symmetric_square import SymmetricSquare
from semidirect.representations.trivial import TrivialRepresentation
from semidirect.representations.vector import VectorRepresentation

__all__ = [
    "AdjointRepresentation", "Advected", "AdvectedFrame", "CoadjointRepresentation", "DirectSum", "DualRepresentation",
    "HomogeneousRepresentation", "Pullback", "Representation", "SemidirectProduct", "Subrepresentation", "SymmetricSquare",
    "TrivialRepresentation", "VectorRepresentation",
]  # fmt: skip
