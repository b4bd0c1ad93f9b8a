"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from .answer import Answer as Answer
from .argument import Call as Call
from .command import Command as Command
from .commands import BUILT_IN as BUILT_IN
from .entry import main as main
from .entry import make_parser as make_parser
from .outputs import force_flag as force_flag
from .show import choices as choices
from .show import description as description
