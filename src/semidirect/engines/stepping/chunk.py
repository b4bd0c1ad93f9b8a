"""Running one chunk of paths: a pure function of the specification and the paths."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import numpy as np

from semidirect.core import errors, failure
from semidirect.engines.engine import Engine
from semidirect.engines.record import ChunkResult, Record
from semidirect.engines.stepping.choice import engine_of
from semidirect.specification import RunSpec

NEVER = Event()
"""An event that is never set."""


class Cancelled(Exception):
    """The rest of a run is not needed any more."""


def run_chunk(
    spec: RunSpec, paths: range, stopped: Event | None = None, on_progress: Callable[[int], None] | None = None
) -> ChunkResult:
    """Run consecutive paths; the result does not depend on the other paths.

    Parameters
    ----------
    spec : RunSpec
        The run.
    paths : range
        Any consecutive paths of the run; ``spec.chunk(number)`` for the paths of a chunk.
    stopped : Event, optional
        If it is set, the function soon raises an exception.
    on_progress : callable, optional
        Called with the number of finished path-steps.

    Raises
    ------
    Cancelled
        If ``stopped`` was set.
    SimulationError
        If paths failed and ``on_failure`` is ``"raise"``.
    """
    record = Record(spec, paths)
    engine = engine_of(spec)(spec, record, stopped or NEVER, on_progress or nothing, spec.first)
    engine.run(spec.model.of_paths(paths), *spec.begin)
    return finished(engine)


def finished(engine: Engine) -> ChunkResult:
    """The result of an engine; raises the exceptions of :func:`run_chunk`."""
    spec, paths = engine.spec, engine.record.paths
    if engine.stopped.is_set():
        raise Cancelled
    result = engine.record.result()
    if spec.checks.on_failure == "raise":
        numbers = np.arange(paths.start, paths.stop)
        failures = failure.failures(result.status, result.failed_at, result.failed_component, spec.components, numbers)
        if failures:
            raise errors.SimulationError(failures)
    return result


def nothing(path_steps: int) -> None:
    """Ignore the progress."""
