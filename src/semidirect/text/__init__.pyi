"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import printing as printing
from . import text_layout as text_layout
from .entries import split_at_commas as split_at_commas
