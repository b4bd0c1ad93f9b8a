"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.definition.constraints import Annihilator as Annihilator
from semidirect.definition.constraints import Contact as Contact
from semidirect.definition.constraints import CovectorConstraint as CovectorConstraint
from semidirect.definition.constraints import Distribution as Distribution
from semidirect.definition.constraints import DistributionConstraint as DistributionConstraint
from semidirect.definition.constraints import PrescribedVelocity as PrescribedVelocity
from semidirect.definition.constraints import Rolling as Rolling
from semidirect.definition.constraints import StochasticConstraint as StochasticConstraint
from semidirect.definition.constraints import Unconstrained as Unconstrained
from semidirect.definition.definition import Definition as Definition
from semidirect.definition.definition import Forces as Forces
from semidirect.definition.double_bracket import DoubleBracket as DoubleBracket
from semidirect.definition.lagrangians import QuadraticLagrangian as QuadraticLagrangian
from semidirect.definition.lagrangians import ReducedLagrangian as ReducedLagrangian
from semidirect.definition.observables import derived as derived
from semidirect.definition.observables import energy as energy
from semidirect.definition.observables import observable as observable
from semidirect.definition.preset import Preset as Preset
from semidirect.definition.transport_noise import InternalState as InternalState
