"""Small linear systems, and fixed points, on batches of paths."""

from semidirect.core.door import open_door

open_door(__name__)
