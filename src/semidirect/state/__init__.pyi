"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import start_slopes as start_slopes
from .equation_identity import EquationIdentity as EquationIdentity
from .evaluation import evaluate as evaluate
from .final import Final as Final
from .final import starting_time as starting_time
from .linearisation import linearise as linearise
from .state import InitialState as InitialState
