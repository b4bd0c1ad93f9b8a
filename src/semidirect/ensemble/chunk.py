"""Running one chunk of paths: a pure function of the specification and the paths."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import numpy as np

from semidirect.core.errors import SimulationError
from semidirect.core.failure import failures
from semidirect.ensemble.choose_engine import engine_of
from semidirect.ensemble.engine import Engine
from semidirect.ensemble.record import ChunkResult, Record
from semidirect.ensemble.spec import RunSpec

NEVER = Event()
"""It is not set."""


class Cancelled(Exception):
    """The rest of a run is not wanted any more."""


def run_chunk(
    spec: RunSpec, paths: range, stopped: Event | None = None, advanced: Callable[[int], None] | None = None
) -> ChunkResult:
    """Run consecutive paths; what they leave does not depend on the other paths.

    Parameters
    ----------
    spec : RunSpec
        The run.
    paths : range
        Any consecutive paths of it; ``spec.chunk(number)`` for those of a chunk.
    stopped : Event, optional
        Setting it ends this soon, by an exception.
    advanced : callable, optional
        Called with the number of path-steps done.

    Raises
    ------
    Cancelled
        If it was stopped.
    SimulationError
        If paths failed, where that was asked for.
    """
    record = Record(spec, paths)
    engine = engine_of(spec)(spec, record, stopped or NEVER, advanced or nothing, spec.first)
    engine.run(spec.model.of_paths(paths), *spec.begin)
    return finished(engine)


def finished(engine: Engine) -> ChunkResult:
    """What an engine leaves; raises what :func:`run_chunk` raises."""
    spec, paths = engine.spec, engine.record.paths
    if engine.stopped.is_set():
        raise Cancelled
    result = engine.record.result()
    if spec.on_failure == "raise":
        numbers = np.arange(paths.start, paths.stop)
        found = failures(result.status, result.failed_at, result.failed_component, spec.components, numbers)
        if found:
            raise SimulationError(found)
    return result


def nothing(path_steps: int) -> None:
    """Nobody wants to know."""
