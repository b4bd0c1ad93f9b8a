"""The work of a run: which engine steps a chunk of paths, where chunks are stepped, and whether there is room for them."""

from semidirect.core import open_door

open_door(__name__)
