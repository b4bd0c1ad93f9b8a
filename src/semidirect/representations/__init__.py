"""Representations: of Lie groups, from given ones, and the quantities that they advect."""

from semidirect.core import open_door

open_door(__name__)
