"""Expressions given as text: read, evaluated, and their units."""

from semidirect.core import open_door

open_door(__name__)
