"""Matrices of groups: their structure, exponentials and Cayley maps, and blocks."""

from semidirect.core import open_door

open_door(__name__)
