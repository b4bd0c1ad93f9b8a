"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from .extend import extended as extended
from .run_arguments import EnsembleArguments as EnsembleArguments
from .simulation import simulate as simulate
from .simulation import specify as specify
from .store import run_files as run_files
from .store.files import place as place
from .store.files import write_whole as write_whole
from .store.manifest import fixed as fixed
from .store.manifest import manifest as manifest
from .store.recorded_configuration import check_configuration as check_configuration
from .store.run_files import values_of as values_of
from .store.running import Delivery as Delivery
from .store.running import as_stored as as_stored
from .store.store import Store as Store
