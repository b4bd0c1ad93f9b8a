"""The check of runs whose noise is made of Sobol points."""

from __future__ import annotations

import numpy as np

import semidirect as sd
from what_works_with_what.capability import capability
from what_works_with_what.kind import Kind, is_hybrid
from what_works_with_what.of_runs import method
from what_works_with_what.runs import ROUNDING, agreement, close, identical, kernel, run, together


@capability("Sobol points")
def points(kind: Kind) -> str:
    """Other statements, the other engine, a start by a function, and errors between replications."""
    how = {"driver": sd.noise.Sobol(2), **method(kind)}
    ours = run(kind.made, reduce=sd.Moments([kind.scalar]), **how)
    identical(ours, run(kind.made, execution=kernel(), **how), kind.names, "engines")
    if not is_hybrid(kind.made.system) and kind.state is not None:
        count = ours.paths
        drawn = run(kind.made, **{**how, "state": lambda rng, n: kind.state, "paths": count})
        identical(ours, drawn, kind.names, "a start by a function")
    x = np.asarray(ours[kind.scalar]).reshape(ours.paths, -1)
    between = np.abs(x[::2].mean(axis=0) - x[1::2].mean(axis=0)) / 2
    close(np.ravel(ours.reductions["moments"].standard_error[kind.scalar]), between, ROUNDING, "error")
    together(kind, kind.units, ROUNDING, "in other units", **how)
    together(kind, kind.twin, agreement(kind), "in another statement", **how)
    return "other units, another statement, both engines; errors between replications"
