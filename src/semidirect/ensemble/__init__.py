"""Running many paths: a run from its specification to its result, longer runs, and runs on disk."""

from semidirect.core import open_door

open_door(__name__)
