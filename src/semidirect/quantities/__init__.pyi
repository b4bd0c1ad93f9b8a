"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from .arrays_by_name import ArraysByName as ArraysByName
from .named_array import NamedArray as NamedArray
from .not_saved import unknown_in_run as unknown_in_run
from .quantities import RESERVED as RESERVED
from .quantities import Quantities as Quantities
from .quantities import with_derivatives as with_derivatives
from .quantity_units import unit_of_quantity as unit_of_quantity
