"""Conditions of a run: what stops a path, and crossings that are recorded."""

from semidirect.core import open_door

open_door(__name__)
