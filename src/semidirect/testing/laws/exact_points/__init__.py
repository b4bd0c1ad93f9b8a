"""Exact numbers and states at which laws are checked."""

from semidirect.core import open_door

open_door(__name__)
