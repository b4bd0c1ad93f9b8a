"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import row_functions as row_functions
from .chosen_rate import ChosenRate as ChosenRate
from .kernel_call import KernelCall as KernelCall
from .lattice_call import LatticeCall as LatticeCall
from .tracer import Trace as Trace
from .tracer import inputs as inputs
from .trail import Steps as Steps
from .trail import Trail as Trail
