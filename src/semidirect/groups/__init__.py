"""Lie groups, their algebras and duals, their representations, and advected quantities."""

from semidirect.core import open_door

open_door(__name__)
