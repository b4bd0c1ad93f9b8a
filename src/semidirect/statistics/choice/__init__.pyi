"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .by_name import STATISTICS as STATISTICS
from .by_name import examples as examples
from .by_name import from_description as from_description
from .by_name import options as options
from .by_name import statistic as statistic
from .by_name import without_options as without_options
from .by_text import from_text as from_text
