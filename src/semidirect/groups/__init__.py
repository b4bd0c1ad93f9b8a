"""Lie groups, their algebras and duals."""

from semidirect.core import open_door

open_door(__name__)
