"""The specification of a run: times, conditions, saved quantities, statistics and checks."""

from semidirect.core import open_door

open_door(__name__)
