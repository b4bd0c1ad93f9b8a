"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .installed import GROUP as GROUP
from .installed import available as available
from .installed import load as load
from .installed import load_all as load_all

"""For other packages."""

from .installed import Loaded as Loaded
from .installed import is_system as is_system
from .system_names import resolve as resolve
from .systems_of_records import recorded_system as recorded_system
