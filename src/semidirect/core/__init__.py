"""Arithmetic on symbols and numbers alike, errors, parameters; no mechanics."""

from semidirect.core.door import open_door

open_door(__name__)
