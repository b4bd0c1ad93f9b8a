"""Running many paths: engines, chunks, executors, statistics and stores."""

from semidirect.core import open_door

open_door(__name__)
