"""Templates of plugin packages, written by ``semidirect new``."""

from semidirect.core import open_door

open_door(__name__)
