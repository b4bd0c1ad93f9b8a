"""Running one chunk of paths: a pure function of the specification and the paths."""

from __future__ import annotations

from threading import Event

from semidirect.ensemble.compiled_march import CompiledMarch
from semidirect.ensemble.march import March
from semidirect.ensemble.record import ChunkResult, Record
from semidirect.ensemble.spec import RunSpec


class Cancelled(Exception):
    """The rest of a run is not wanted any more."""


def run_chunk(spec: RunSpec, paths: range, stopped: Event | None = None) -> ChunkResult:
    """Run consecutive paths; what they leave does not depend on the other paths.

    Parameters
    ----------
    spec : RunSpec
        The run.
    paths : range
        Any consecutive paths of it; ``spec.chunk(number)`` for those of a chunk.
    stopped : Event, optional
        Setting it ends this soon, by an exception.

    Raises
    ------
    Cancelled
        If it was stopped.
    """
    record = Record(spec, paths)
    march = March(spec, record, stopped or Event())
    runner = CompiledMarch(march) if spec.engine == "compiled" else march
    runner.run(spec.model.of_paths(paths), spec.start.vector(spec.model, 0.0), spec.start.stored)
    if march.stopped.is_set():
        raise Cancelled
    return record.result()
