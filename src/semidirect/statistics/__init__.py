"""Statistics taken while paths run, so that memory does not grow with their number."""

from semidirect.core import open_door

open_door(__name__)
