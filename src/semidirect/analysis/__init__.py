"""Analysis of runs: convergence, comparison of methods, checks of declared invariants, pictures."""

from semidirect.core import open_door

open_door(__name__)
