"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import data_set as data_set
from .assembly import Assembly as Assembly
from .crossings import RecordedCrossings as RecordedCrossings
from .derivatives import sensitivity as sensitivity
from .difference import Difference as Difference
from .mode_history import ModeHistory as ModeHistory
from .mode_history import Transitions as Transitions
from .run import RunData as RunData
from .run import RunLike as RunLike
from .run import a_run as a_run
from .run_result import RunResult as RunResult
from .step_error import ErrorCheck as ErrorCheck
from .stopped_paths import StoppedPaths as StoppedPaths
from .values_at_end import ValuesAtEnd as ValuesAtEnd
