"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .check import LAWS as LAWS
from .check import check as check
from .law import Law as Law
from .report import Finding as Finding
from .report import Outcome as Outcome
from .report import Report as Report

"""For other packages."""

from . import exact_numbers as exact_numbers
from . import exact_state as exact_state
from . import identities as identities
from . import symmetry as symmetry
from .budget import budget as budget
from .derivations import Derivations as Derivations
from .derived_columns import DerivedColumns as DerivedColumns
from .float_states import admissible as admissible
from .subject import Subject as Subject
