"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .expanded import MOST_SHOWN as MOST_SHOWN
from .expanded import Size as Size
from .expanded import expanded as expanded
from .expanded import expanded_size as expanded_size
from .expanded import small as small
from .limits import AT_POINTS as AT_POINTS
from .limits import WRITTEN_OUT as WRITTEN_OUT
from .limits import SizeLimits as SizeLimits
