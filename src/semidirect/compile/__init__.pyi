"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import packed_tables as packed_tables
from . import reader as reader
from . import row_function as row_function
from .chosen_rate import ChosenRate as ChosenRate
from .kernels import Kernel as Kernel
from .kernels import kernel as kernel
from .kernels import known as known
from .row_loops import function_of_rows as function_of_rows
from .variant import Variant as Variant
