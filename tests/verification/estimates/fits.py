"""Fits: intervals of parameters, from the search over a likelihood that is known exactly."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from .cell import Cell, Outcome, of_interval

sys.path.insert(0, str(Path(__file__).parents[2] / "inference"))

from ornstein_uhlenbeck import Braked, log_likelihood, values

from semidirect.inference.fit import _searched
from semidirect.inference.free_parameters import FreeParameters
from semidirect.inference.surface import Surface


def intervals(truth: tuple[float, float], count: int, axis: int, seeds: range) -> Iterator[Outcome]:
    """Other data each time; an estimate at a bound, and what is not determined, count as warnings."""
    for seed in seeds:
        data = values(seed, *truth, count)
        free = FreeParameters.of(Braked(a=0.8, b=0.5), ["a", "b"], None)
        surface = Surface(lambda point, seed, data=data, free=free: log_likelihood(*free.values(point), data),
                          free.lower, free.upper)  # fmt: skip
        outcome = _searched(free, surface, [free.start], [seed], True, 0.95)
        low, high = free.ends(outcome.ends.T).T[axis]
        warned = bool(outcome.maximum.at_bound[axis] or outcome.undetermined[axis] or not outcome.maximum.converged)
        yield of_interval(low, high, truth[axis], warned)


CELLS = [
    Cell("interval of a fit", f"{name}, {count} velocities{note}", "the values of the simulation",
         partial(intervals, truth, count, axis), trait, healthy or axis == 0)
    for truth, count, note, trait, healthy in (
        ((0.8, 0.7), 100, "", "correlated", True), ((0.8, 0.7), 20, "", "skewed", True),
        ((0.8, 0.0), 20, ", no noise", "at a bound", False),
    )
    for axis, name in enumerate(("friction", "noise"))
]  # fmt: skip
