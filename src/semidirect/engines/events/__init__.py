"""Events: where within a step a path meets a condition, and derivatives there."""

from semidirect.core import open_door

open_door(__name__)
