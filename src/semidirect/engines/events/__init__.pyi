"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .event_slopes import EventSlopes as EventSlopes
from .event_slopes import refuse_without_slopes as refuse_without_slopes
from .event_slopes import slopes_at_event as slopes_at_event
from .event_slopes import slopes_on_grid as slopes_on_grid
from .events import empty_crossings as empty_crossings
from .locate import LARGEST_SQUARE as LARGEST_SQUARE
from .locate import Located as Located
from .locate import bracketed as bracketed
from .locate import excursions as excursions
from .locate import located as located
from .partial_step import PartialStep as PartialStep
from .sides import just_after as just_after
from .sides import still as still
