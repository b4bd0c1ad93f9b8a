"""Engines, which step the paths of a chunk, events within a step, and the record of what happens."""

from semidirect.core import open_door

open_door(__name__)
