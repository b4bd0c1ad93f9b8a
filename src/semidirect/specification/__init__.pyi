"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .checks import Checks as Checks
from .conditions.crossing import Crossing as Crossing
from .conditions.stop import Stop as Stop
from .formulation import Formulation as Formulation
from .reduce import Reduce as Reduce
from .save import Save as Save

"""For other packages."""

from . import conditions as conditions
from . import schedule as schedule
from . import seeds as seeds
from .chunked import Chunked as Chunked
from .driver import driving_process as driving_process
from .method_choice import MethodLike as MethodLike
from .method_choice import default_method as default_method
from .moved_arguments import names_moved_arguments as names_moved_arguments
from .places import store_place as store_place
from .run_argument import RunArgument as RunArgument
from .run_spec import RunSpec as RunSpec
