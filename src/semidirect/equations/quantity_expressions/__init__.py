"""Expressions of quantities, given by names, by functions or as text."""

from semidirect.core import open_door

open_door(__name__)
