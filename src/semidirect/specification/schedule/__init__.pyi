"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .labels import label as label
from .labels import labelled as labelled
from .labels import labels as labels
from .labels import labels_within as labels_within
from .labels import nearest_steps as nearest_steps
from .labels import step_times as step_times
from .steps import selected_steps as selected_steps
from .steps import span_of as span_of
from .steps import step_at as step_at
from .steps import steps_between as steps_between
from .steps import steps_of as steps_of
