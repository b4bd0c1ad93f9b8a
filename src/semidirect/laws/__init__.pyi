"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .check import LAWS as LAWS
from .check import check as check
from .law import Law as Law
from .report import Finding as Finding
from .report import Outcome as Outcome
from .report import Report as Report

"""For other packages."""

from . import exact_points as exact_points
from . import identities as identities
from .contact_rates import contact_rates as contact_rates
from .contact_rates import has_contact as has_contact
from .derivations import Derivations as Derivations
from .derivations import Difference as Difference
from .derived_columns import DerivedColumns as DerivedColumns
from .exact_points.numbers import Number as Number
from .exact_points.numbers import derivatives as derivatives
from .exact_points.states import exact_configuration as exact_configuration
from .exact_points.states import generic_state as generic_state
from .float_states import admissible as admissible
from .float_states import float_state as float_state
from .locked_inertia import locked_inertia as locked_inertia
from .sizes import budget as budget
from .subject import Subject as Subject
from .symbolic_numeric_consistency import SymbolicNumericConsistency as SymbolicNumericConsistency
from .symmetry import carried_paths as carried_paths
from .symmetry import orbits as orbits
from .system_variants import structures as structures
from .system_variants import variants as variants
from .theorem import Column as Column
from .theorem import Point as Point
from .theorem import Theorem as Theorem
