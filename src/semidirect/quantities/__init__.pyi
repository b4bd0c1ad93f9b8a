"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from .arrays_by_name import ArraysByName as ArraysByName
from .quantities import Quantities as Quantities
from .quantity_units import unit_of_quantity as unit_of_quantity
