"""Runs: their results, their ends, and what steps them."""

from semidirect.core import open_door

open_door(__name__)
