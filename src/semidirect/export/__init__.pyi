"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .export import export as export
from .exported import Exported as Exported
from .program import ExportedProgram as ExportedProgram
from .target import Target as Target
