"""Statistics of configurations, factor by factor of the group, by geomstats."""

from semidirect.core import open_door

open_door(__name__)
