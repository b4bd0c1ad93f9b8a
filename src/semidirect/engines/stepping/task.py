"""Chunks that a worker computes, and what it returns."""

from __future__ import annotations

import os
import pickle
import socket
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import Event

from semidirect.core import ForkSafeLock, Results, errors
from semidirect.engines.record import ChunkResult
from semidirect.specification import RunSpec

Job = Callable[[RunSpec, int, Event | None], ChunkResult]
Deliver = Callable[[int, ChunkResult], ChunkResult | None]

_host = cache(socket.gethostname)
_deriving = ForkSafeLock()


class WorkerTraceback(Exception):
    """The traceback of an exception in another process."""


@dataclass(frozen=True, eq=False, repr=False)
class ChunkError:
    """An exception of a chunk. It is part of what a task returns, so that what an executor raises is about its workers."""

    error: Exception
    trace: str = ""

    def __reduce__(self) -> tuple[type[ChunkError], tuple[Exception, str]]:
        """With the traceback; of an exception that cannot be sent, what it says."""
        error = self.error
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            error = errors.WorkerError(
                "a chunk failed in a worker", got=f"{type(error).__name__}: {error}",
                hint="Run a few paths without an executor to see where.",
            )  # fmt: skip
        return ChunkError, (error, self.trace or "".join(traceback.format_exception(self.error)))

    def reraise(self) -> None:
        """Raise it here."""
        if self.trace:
            raise self.error from WorkerTraceback(self.trace)
        raise self.error


@dataclass(frozen=True)
class Finished:
    """The result of a task: of all of its chunks, or of those before one that failed."""

    results: tuple[tuple[int, ChunkResult | None], ...]
    worker: str
    seconds: float
    failed: ChunkError | None = None


@dataclass(frozen=True)
class Task:
    """Chunks to compute, in the form for an executor; a worker derives the equations of a run once for all of its tasks.

    Attributes
    ----------
    key : str
        Names the run.
    spec, job, deliver
        The run, the function that computes a chunk, and the function that delivers it in the worker.
    numbers : tuple of int
        The chunks.
    attempt : int
        Tells it from a lost task of the same chunks, whose outcome a scheduler may remember.
    """

    key: str
    spec: RunSpec
    job: Job
    deliver: Deliver | None
    numbers: tuple[int, ...]
    attempt: int = 0

    def __call__(self) -> Finished:
        """Compute them, in a worker."""
        results = Results.of(type(self.spec.system))
        with _deriving:
            key, spec = results.get(Task, ("", self.spec))
            if key != self.key:
                spec = self.spec
                _ = spec.model, spec.contents
                results[Task] = self.key, spec  # with the class, which it would keep alive otherwise
        return compute(spec, self.numbers, self.job, self.deliver, None)


def compute(spec: RunSpec, numbers: tuple[int, ...], job: Job, deliver: Deliver | None,
            stopped: Event | None) -> Finished:  # fmt: skip
    """Compute chunks, in a worker."""
    began = time.perf_counter()
    results, failed = [], None
    try:
        for number in numbers:
            result = job(spec, number, stopped)
            results.append((number, result if deliver is None else deliver(number, result)))
    except Exception as error:
        failed = ChunkError(error)
    worker = f"{_host()}:{os.getpid()}:{threading.get_ident()}"
    return Finished(tuple(results), worker, time.perf_counter() - began, failed)
