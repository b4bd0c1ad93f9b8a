"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .casimirs import Casimirs as Casimirs
from .casimirs import find_casimirs as find_casimirs
from .counterexample import Counterexample as Counterexample
from .frobenius import Integrability as Integrability
from .frobenius import integrability as integrability
from .generators import Generator as Generator
from .gibbs import Gibbs as Gibbs
from .gibbs import gibbs_density as gibbs_density
from .lie_rank import LieRank as LieRank
from .lie_rank import lie_rank as lie_rank
from .measure import Measure as Measure
from .measure import find_measure as find_measure
from .momenta.linear_momenta import LinearMomenta as LinearMomenta
from .momenta.momentum_sections import MomentumSection as MomentumSection
from .momenta.nonholonomic_momenta import NonholonomicMomenta as NonholonomicMomenta
from .momenta.nonholonomic_momenta import nonholonomic_momenta as nonholonomic_momenta
from .momenta.nonholonomic_momentum import NonholonomicMomentum as NonholonomicMomentum
from .noether import Symmetries as Symmetries
from .noether import Symmetry as Symmetry
from .noether import find_symmetries as find_symmetries
from .parameters import ParameterSet as ParameterSet
from .polynomial import Polynomial as Polynomial
from .principles import PrincipleComparison as PrincipleComparison
from .principles import compare_principles as compare_principles
from .principles import substituted as substituted
from .principles import vakonomic as vakonomic
from .proofs import Proof as Proof
from .proofs import Verdict as Verdict
from .proofs import is_conserved as is_conserved
from .proofs import prove as prove
from .relations import Relation as Relation
from .relations import Relations as Relations
from .relations import find_relations as find_relations
from .search import Invariants as Invariants
from .search import find_invariants as find_invariants

"""For other packages."""

from .algebra.degrees import Degrees as Degrees
from .algebra.linear_algebra import primes as primes
from .algebra.residues import PrimeField as PrimeField
from .algebra.scalars import Numbers as Numbers
from .algebra.sloped import along as along
from .algebra.sloped import regular as regular
from .conservation import Conservation as Conservation
from .constants import Constants as Constants
from .fields import Fields as Fields
from .parameters import Parameters as Parameters
from .points import random_point as random_point
from .proofs import Along as Along
from .space_symmetries import SpaceSymmetry as SpaceSymmetry
