"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import data_set as data_set
from . import differences as differences
from . import error_check as error_check
from . import recorded_crossings as recorded_crossings
from . import values_at_end as values_at_end
from .assembly import Assembly as Assembly
from .mode_history import COLUMNS as COLUMNS
from .mode_history import ModeHistory as ModeHistory
from .mode_history import Transitions as Transitions
from .run import RunData as RunData
from .run import RunLike as RunLike
from .run import a_run as a_run
from .run_html import run_html as run_html
from .sensitivity import Sensitivity as Sensitivity
from .sensitivity import sensitivity as sensitivity
from .step_error import ErrorCheck as ErrorCheck
from .stopped_paths import StoppedPaths as StoppedPaths
