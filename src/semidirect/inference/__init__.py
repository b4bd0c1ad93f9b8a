"""Inference: what an observation says of the states of a system, filters."""

from semidirect.core import open_door

open_door(__name__)
