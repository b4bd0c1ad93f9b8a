"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .readers import OfRows as OfRows
from .readers import Reader as Reader
from .readers import reader as reader
from .row_function import RowFunction as RowFunction
from .row_function import apart as apart
from .row_function import width_of as width_of
from .row_loops import function_of_rows as function_of_rows
