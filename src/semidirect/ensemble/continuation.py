"""Going on with the paths of a run that ended, to what a longer run would have left, bit for bit."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event

import numpy as np

from semidirect.ensemble.choose_engine import engine_of
from semidirect.ensemble.chunk import NEVER, finished, nothing
from semidirect.ensemble.record import ChunkResult, Record
from semidirect.ensemble.spec import RunSpec
from semidirect.integrators.adaptive import AdaptiveIntegrator


@dataclass(frozen=True)
class Ended:
    """Where a shorter run ended, of which a specification is the longer one.

    Attributes
    ----------
    last : int
        Its last step.
    kept : int array
        The steps it kept.
    """

    last: int
    kept: np.ndarray

    def suffices(self, spec: RunSpec) -> bool:
        """Whether what it left is enough to go on; else paths have to start anew.

        It is not where something was known of paths while they ran that was not written down: for reductions, stops, steps
        chosen by the method; where a value was looked at for its bound at the end, as a longer run does not; and where it did
        not keep what the longer run keeps.
        """
        simple = not (
            spec.reductions or spec.stop or isinstance(spec.method, AdaptiveIntegrator) or spec.on_failure != "report"
        )
        looked = not spec.bounds or self.last in spec.visited
        return simple and looked and bool(np.isin(spec.kept[spec.kept <= self.last], self.kept).all())


def continue_chunk(spec: RunSpec, ended: Ended, before: ChunkResult, stopped: Event | None = None) -> ChunkResult:
    """Run the paths of a chunk from where they ended to the end of ``spec``."""
    paths = before.paths
    record = Record(spec, paths)
    record.status[:], record.failed_at[:] = before.status, before.failed_at
    record.failed_component[:] = before.failed_component
    _, ours, theirs = np.intersect1d(spec.kept, ended.kept, return_indices=True)
    for name, values in record.data.items():
        values[:, ours] = before.data[name].reshape(len(paths), len(ended.kept), values.shape[2])[:, theirs]
    engine = engine_of(spec)(spec, record, stopped or NEVER, nothing, ended.last)
    engine.go(spec.model.of_paths(paths), np.ascontiguousarray(before.y.T), np.ascontiguousarray(before.stored.T))
    return finished(engine)
