"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .checks import Checks as Checks
from .crossing import Crossing as Crossing
from .formulation import Formulation as Formulation
from .reduce import Reduce as Reduce
from .save import Save as Save
from .stop import Stop as Stop

"""For other packages."""

from . import conditions as conditions
from . import run_spec as run_spec
from . import schedule as schedule
from . import seeds as seeds
from . import time_labels as time_labels
from .chunked import Chunked as Chunked
from .condition import Barrier as Barrier
from .condition import Condition as Condition
from .driver import driving_process as driving_process
from .method_choice import MethodLike as MethodLike
from .method_choice import default_method as default_method
from .moved_arguments import names_moved_arguments as names_moved_arguments
from .places import store_place as store_place
from .run_argument import RunArgument as RunArgument
