"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .directions import CONFIGURATION as CONFIGURATION
from .directions import STATE as STATE
from .directions import directions as directions
from .directions import kink_of as kink_of
from .directions import numbers_of as numbers_of
from .directions import refuse_kinks as refuse_kinks
from .directions import tangents_of as tangents_of
from .tangents import SENSITIVITY as SENSITIVITY
from .tangents import Direction as Direction
from .tangents import Slope as Slope
from .tangents import Tangents as Tangents
