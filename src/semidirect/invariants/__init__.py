"""Conservation: exact proofs, the search for invariants, and the structure behind them."""

from semidirect.invariants.casimirs import Casimirs, find_casimirs
from semidirect.invariants.counterexample import Counterexample
from semidirect.invariants.generators import Generator
from semidirect.invariants.gibbs import Gibbs, gibbs_density
from semidirect.invariants.integrability import Integrability, integrability
from semidirect.invariants.lie_rank import LieRank, lie_rank
from semidirect.invariants.measure import Measure, find_measure
from semidirect.invariants.momenta.linear_momenta import LinearMomenta
from semidirect.invariants.momenta.momentum_sections import MomentumSection
from semidirect.invariants.momenta.nonholonomic_momenta import (
    NonholonomicMomenta,
    nonholonomic_momenta,
)
from semidirect.invariants.momenta.nonholonomic_momentum import NonholonomicMomentum
from semidirect.invariants.noether import Symmetries, Symmetry, find_symmetries
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.polynomial import Polynomial
from semidirect.invariants.principles import PrincipleComparison, compare_principles, substituted, vakonomic
from semidirect.invariants.prove import Proof, Verdict, is_conserved, prove
from semidirect.invariants.relations import Relation, Relations, find_relations
from semidirect.invariants.search import Invariants, find_invariants

__all__ = [
    "Casimirs", "Counterexample", "Generator", "Gibbs", "Integrability", "Invariants", "LieRank", "LinearMomenta",
    "Measure", "MomentumSection", "NonholonomicMomenta", "NonholonomicMomentum", "ParameterSet", "Polynomial",
    "PrincipleComparison", "Proof", "Relation", "Relations", "Symmetries", "Symmetry", "Verdict", "compare_principles",
    "find_casimirs", "find_invariants", "find_measure", "find_relations", "find_symmetries", "gibbs_density",
    "integrability", "is_conserved", "lie_rank", "nonholonomic_momenta", "prove", "substituted", "vakonomic",
]  # fmt: skip
