"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import component_names as component_names
from . import expression_sizes as expression_sizes
from . import expression_text as expression_text
from .read_by_name import ReadByName as ReadByName
from .units import Unit as Unit
from .units import UnitLabel as UnitLabel
