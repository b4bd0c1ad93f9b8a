"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .execution import Execution as Execution

"""For other packages."""

from . import events as events
from . import stepping as stepping
from .built_in.chosen_states import ChosenStates as ChosenStates
from .built_in.lane_states import RememberedLanes as RememberedLanes
from .engine import Engine as Engine
from .record import ChunkResult as ChunkResult
from .record import Record as Record
