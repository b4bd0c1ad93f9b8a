"""Machine code: a small compiler, the cache of what it makes, and digests of code."""

from semidirect.core import open_door

open_door(__name__)
