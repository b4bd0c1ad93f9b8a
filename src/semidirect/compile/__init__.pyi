"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import packed_tables as packed_tables
from . import reader as reader
from . import row_function as row_function
from .chosen_rate import ChosenRate as ChosenRate
from .function_of_rows import function_of_rows as function_of_rows
from .kernel import Kernel as Kernel
from .kernel import kernel as kernel
from .kernel import known as known
from .trail import Steps as Steps
from .trail import Trail as Trail
from .variant import Variant as Variant
