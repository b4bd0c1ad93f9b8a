"""Representations of Lie groups, diamond maps and advected quantities."""

from semidirect.core import open_door

open_door(__name__)
