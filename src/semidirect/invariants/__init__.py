"""What is conserved: exact proofs, and the search for invariants."""

from semidirect.invariants.counterexample import Counterexample
from semidirect.invariants.generators import Generator
from semidirect.invariants.lie_rank import LieRank, lie_rank
from semidirect.invariants.polynomial import Polynomial
from semidirect.invariants.prove import Proof, Verdict, is_conserved, prove
from semidirect.invariants.search import Invariants, find_invariants

__all__ = [
    "Counterexample", "Generator", "Invariants", "LieRank", "Polynomial", "Proof", "Verdict",
    "find_invariants", "is_conserved", "lie_rank", "prove",
]  # fmt: skip
