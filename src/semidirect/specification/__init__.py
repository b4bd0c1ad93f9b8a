"""What a run is: times, conditions, what is saved, reduced and checked."""

from semidirect.core import open_door

open_door(__name__)
