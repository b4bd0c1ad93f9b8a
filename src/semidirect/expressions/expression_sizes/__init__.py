"""The size of an expression that is written out, and the bounds on it."""

from semidirect.core import open_door

open_door(__name__)
