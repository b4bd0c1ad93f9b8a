"""Integrators: one family of methods in each file."""

from semidirect.core import open_door

open_door(__name__)
