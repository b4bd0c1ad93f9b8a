"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .condition import Barrier as Barrier
from .condition import Condition as Condition
from .crossing import Crossing as Crossing
from .several import from_description as from_description
from .several import validated_crossings as validated_crossings
from .several import validated_stops as validated_stops
from .stop import Stop as Stop
