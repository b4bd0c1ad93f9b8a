"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .hybrid import Hybrid as Hybrid
from .switch import Impact as Impact
from .switch import Switch as Switch

"""For other packages."""

from .hybrid_run import HybridRun as HybridRun
