"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from . import plugins as plugins
from .constraints import Annihilator as Annihilator
from .constraints import Contact as Contact
from .constraints import CovectorConstraint as CovectorConstraint
from .constraints import Distribution as Distribution
from .constraints import DistributionConstraint as DistributionConstraint
from .constraints import PrescribedVelocity as PrescribedVelocity
from .constraints import Rolling as Rolling
from .constraints import StochasticConstraint as StochasticConstraint
from .constraints import Unconstrained as Unconstrained
from .definition import Definition as Definition
from .definition import Forces as Forces
from .double_bracket import DoubleBracket as DoubleBracket
from .lagrangians import QuadraticLagrangian as QuadraticLagrangian
from .lagrangians import ReducedLagrangian as ReducedLagrangian
from .observables import derived as derived
from .observables import energy as energy
from .observables import observable as observable
from .parameters import Numbers as Numbers
from .parameters import Option as Option
from .parameters import Parameter as Parameter
from .parameters import inertia as inertia
from .parameters import option as option
from .parameters import parameter as parameter
from .parameters import unit_vector as unit_vector
from .preset import Preset as Preset
from .tables import table as table
from .transport_noise import InternalState as InternalState
from .transport_noise import StateNoise as StateNoise

"""For other packages."""

from . import labels as labels
from . import transport_noise as transport_noise
from .array_statement import ArrayStatement as ArrayStatement
from .constraints.complement import compare_forms as compare_forms
from .constraints.joined_constraints import JoinedConstraints as JoinedConstraints
from .constraints.stochastic_constraint import MovingPart as MovingPart
from .energy_preserving_noise import EnergyPreservingNoise as EnergyPreservingNoise
from .exact_parameters import ExactValue as ExactValue
from .given_motion import GivenMotion as GivenMotion
from .identity import Identity as Identity
from .observables import Observable as Observable
from .scalars import in_scalars as in_scalars
from .scalars import start_in_scalars as start_in_scalars
from .system_argument import a_system as a_system
from .system_definition import SystemDefinition as SystemDefinition
from .transport_noise import CombinedNoise as CombinedNoise
from .transport_noise import ConstantNoise as ConstantNoise
from .transport_noise import FormalNoise as FormalNoise
from .transport_noise import PrescribedNoise as PrescribedNoise
from .transport_noise import TransportNoise as TransportNoise
from .transport_noise import VolatilityNoise as VolatilityNoise
from .values_at import ValuesAt as ValuesAt
from .workings import Workings as Workings
from .workings import WorkingsOf as WorkingsOf
