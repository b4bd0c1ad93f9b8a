"""The quantities that a run reads from its states: their names, units and values."""

from semidirect.core import open_door

open_door(__name__)
