"""Noise as a function of seed, path and step."""

from semidirect.core import open_door

open_door(__name__)
