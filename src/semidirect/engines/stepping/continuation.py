"""Continues the paths of a finished run; the result is identical to the last bit to that of a longer run."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event

import numpy as np

from semidirect.engines.record import ChunkResult, Record
from semidirect.engines.stepping.choice import engine_of
from semidirect.engines.stepping.chunk import NEVER, finished, nothing
from semidirect.integrators import AdaptiveIntegrator
from semidirect.specification import RunSpec


@dataclass(frozen=True)
class Ended:
    """The end of a shorter run that a specification prolongs.

    Attributes
    ----------
    last : int
        Its last step.
    saved_steps : int array
        The steps that it saved.
    """

    last: int
    saved_steps: np.ndarray

    def suffices(self, spec: RunSpec) -> bool:
        """Whether its results suffice to continue; otherwise the paths have to start anew.

        They do not suffice if the longer run needs data of the paths that were not saved: for reductions, stops, crossings or
        steps chosen by the method; if a bound was checked at the end, where a longer run does not check it; or if the shorter run
        did not save the quantities that the longer run saves.
        """
        simple = not (
            spec.reductions
            or spec.stops
            or spec.crossings
            or isinstance(spec.method, AdaptiveIntegrator)
            or spec.checks.on_failure != "report"
        )
        checked = not spec.bounds or self.last in spec.recorded_steps
        return (
            simple
            and checked
            and bool(np.isin(spec.saved_steps[spec.saved_steps <= self.last], self.saved_steps).all())
        )


def continue_chunk(spec: RunSpec, ended: Ended, before: ChunkResult, stopped: Event | None = None) -> ChunkResult:
    """Run the paths of a chunk from their end to the end of ``spec``."""
    paths = before.paths
    record = Record(spec, paths)
    record.status[:], record.failed_at[:] = before.status, before.failed_at
    record.failed_component[:] = before.failed_component
    _, ours, theirs = np.intersect1d(spec.saved_steps, ended.saved_steps, return_indices=True)
    for name, values in record.data.items():
        values[:, ours] = before.data[name].reshape(len(paths), len(ended.saved_steps), values.shape[2])[:, theirs]
    engine = engine_of(spec)(spec, record, stopped or NEVER, nothing, ended.last)
    engine.go(spec.model.of_paths(paths), np.ascontiguousarray(before.y.T), np.ascontiguousarray(before.stored.T))
    return finished(engine)
