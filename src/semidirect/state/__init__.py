"""Initial states, configurations, restarts."""

from semidirect.core import open_door

open_door(__name__)
