"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .numbers import plain_array as plain_array
from .numbers import same as same
from .states import ExactState as ExactState
from .states import on_orbit as on_orbit
from .states import random_state as random_state
from .states import sizes as sizes
