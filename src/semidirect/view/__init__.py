"""Runs that move: a page with the body of a system in three dimensions, in one file."""

from semidirect.core import open_door

open_door(__name__)
