"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .increments import GivenIncrements as GivenIncrements
from .path import GivenPath as GivenPath
from .registry import DRIVERS as DRIVERS
from .registry import driver_as_json as driver_as_json
from .registry import driver_from_json as driver_from_json
from .registry import driver_of as driver_of
from .registry import has_one_noise as has_one_noise
from .registry import replications_of as replications_of
