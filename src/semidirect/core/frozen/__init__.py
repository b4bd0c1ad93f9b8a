"""Read-only mappings, and frozen objects that are rebuilt from their fields when they are copied or sent to another process."""

from semidirect.core.frozen.always import Always
from semidirect.core.frozen.mapping import FrozenMapping, frozen_again
from semidirect.core.frozen.rebuilt import Rebuilt, close, read_only, rebuilt

__all__ = ["Always", "FrozenMapping", "Rebuilt", "close", "frozen_again", "read_only", "rebuilt"]
