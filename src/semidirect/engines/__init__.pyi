"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .execution import Execution as Execution

"""For other packages."""

from . import choose_engine as choose_engine
from . import chunk as chunk
from . import continuation as continuation
from . import execute as execute
from . import room as room
from .built_in import cost_of_step as cost_of_step
from .built_in.chosen_states import ChosenStates as ChosenStates
from .built_in.kernel_engine import KernelEngine as KernelEngine
from .built_in.lane_states import RememberedLanes as RememberedLanes
from .events import event_slopes as event_slopes
from .events import events as events
from .events import locate as locate
from .events import partial_step as partial_step
from .events import sides as sides
from .progress import Progress as Progress
from .record import ChunkResult as ChunkResult
from .record import Record as Record
from .signals import ended_like_interrupted as ended_like_interrupted
