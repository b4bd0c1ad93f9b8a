"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .announcement import BEGINS as BEGINS
from .announcement import DONE as DONE
from .announcement import FIRST_AFTER as FIRST_AFTER
from .announcement import LONG as LONG
from .announcement import UPDATED_EVERY as UPDATED_EVERY
from .announcement import announced as announced
from .announcement import duration as duration
from .announcement import stage as stage
from .announcement import working as working
from .callers_line import warn_caller as warn_caller
from .near_names import did_you_mean as did_you_mean
from .near_names import nearest as nearest
from .near_names import nearest_name as nearest_name
from .shortened import printable as printable
from .shortened import quoted as quoted
from .shortened import shortened as shortened
from .status_line import StatusLine as StatusLine
from .status_line import erase_lines as erase_lines
from .status_line import showing_progress as showing_progress
from .status_line import watched_stderr as watched_stderr
from .user_source_line import user_source_line as user_source_line
