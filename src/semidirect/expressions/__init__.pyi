"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import component_names as component_names
from . import expanded_size as expanded_size
from . import expression as expression
from . import size_limits as size_limits
from .expression_units import unit_of_expression as unit_of_expression
from .read_by_name import ReadByName as ReadByName
from .units import Unit as Unit
from .units import behind_a_number as behind_a_number
from .units import of_component as of_component
from .units import raised as raised
