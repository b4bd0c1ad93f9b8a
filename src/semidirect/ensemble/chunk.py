"""Running one chunk of paths: a pure function of the specification and the paths."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import numpy as np

from semidirect.core.errors import SimulationError
from semidirect.core.failure import failures
from semidirect.ensemble.kernel_engine import KernelEngine
from semidirect.ensemble.numpy_engine import NumpyEngine
from semidirect.ensemble.record import ChunkResult, Record
from semidirect.ensemble.spec import RunSpec
from semidirect.integrators.adaptive import AdaptiveIntegrator

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
    march = NumpyEngine(spec, record, stopped or NEVER, advanced or nothing, spec.first)
    runner_of(march).run(spec.model.of_paths(paths), *spec.begin)
    return finished(march)


def runner_of(march: NumpyEngine) -> NumpyEngine | KernelEngine:
    """What steps: a method of fixed steps may be compiled whole; ``dop853`` compiles the rate that it asks for."""
    compiled = march.spec.engine == "compiled" and not isinstance(march.spec.method, AdaptiveIntegrator)
    return KernelEngine(march) if compiled else march


def finished(march: NumpyEngine) -> ChunkResult:
    """What a march leaves; raises what :func:`run_chunk` raises."""
    spec, paths = march.spec, march.record.paths
    if march.stopped.is_set():
        raise Cancelled
    result = march.record.result()
    if spec.on_failure == "raise":
        numbers = np.arange(paths.start, paths.stop)
        found = failures(result.status, result.failed_at, result.failed_component, spec.components, numbers)
        if found:
            raise SimulationError(found)
    return result


def nothing(path_steps: int) -> None:
    """Nobody wants to know."""
