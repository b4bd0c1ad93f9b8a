"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .page import View as View
from .page import view as view

"""For other packages."""

from .animation import animate as animate
from .modes import with_modes as with_modes
from .motion_of_run import motion_of_run as motion_of_run
