"""Compiled functions of rows of numbers: quantities of saved states, and what a filter evaluates."""

from semidirect.core import open_door

open_door(__name__)
