"""Runs the chunks of a run, by threads of this process or by an executor."""

from __future__ import annotations

import logging
import os
import pickle
import socket
import threading
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from threading import Event

from semidirect.core import ForkSafeLock, Results, errors
from semidirect.engines.record import ChunkResult
from semidirect.engines.sink import Sink
from semidirect.engines.stepping.chunk import run_chunk
from semidirect.specification import RunSpec

_log = logging.getLogger(__name__)

QUEUED_A_WORKER = 2
QUEUED_ANYWHERE = 4096
"""Tasks submitted at once to an executor whose number of workers is unknown."""
TASK_SECONDS = 2.0
"""Intended duration of a task [s]: long compared with the overhead of an executor, short compared with an acceptable loss."""
MOST_LOSSES = 3
"""Pools that may break in succession without finishing a chunk."""

Job = Callable[[RunSpec, int, Event | None], ChunkResult]
Deliver = Callable[[int, ChunkResult], ChunkResult | None]


@dataclass
class Work:
    """Which workers computed a run; not part of the results.

    Attributes
    ----------
    chunks : dict worker → int
        Number of chunks of each worker, which is named ``host:process:thread``.
    seconds : float
        Total time of the chunks [s].
    tasks : int
        Tasks that returned results.
    lost : int
        Tasks that were lost with their worker and repeated by others.
    """

    chunks: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    tasks: int = 0
    lost: int = 0

    @property
    def chunk_seconds(self) -> float:
        """Mean time of a chunk [s]; 0 while it is unknown."""
        return self.seconds / self.chunks.total() if self.chunks else 0.0


@dataclass(frozen=True)
class Finished:
    """The result of a task."""

    results: tuple[tuple[int, ChunkResult | None], ...]
    worker: str
    seconds: float


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
    """

    key: str
    spec: RunSpec
    job: Job
    deliver: Deliver | None
    numbers: tuple[int, ...]

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


def usable_cores() -> int:
    """The number of cores that this process may use: its affinity if the system has one, not the number of the machine."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_host = cache(socket.gethostname)
_deriving = ForkSafeLock()


def chunk_of(spec: RunSpec, number: int, stopped: Event | None) -> ChunkResult:
    """The usual job, which runs a chunk from its start."""
    return run_chunk(spec, spec.chunk(number), stopped)


def compute(spec: RunSpec, numbers: tuple[int, ...], job: Job, deliver: Deliver | None,
            stopped: Event | None) -> Finished:  # fmt: skip
    """Compute chunks, in a worker."""
    began = time.perf_counter()
    results = []
    for number in numbers:
        result = job(spec, number, stopped)
        results.append((number, result if deliver is None else deliver(number, result)))
    worker = f"{_host()}:{os.getpid()}:{threading.get_ident()}"
    return Finished(tuple(results), worker, time.perf_counter() - began)


def execute(spec: RunSpec, sink: Sink, numbers: Iterable[int] | None = None, *, threads: int | None = None,
            executor: Executor | Callable[[], Executor] | None = None, job: Job | None = None,
            on_progress: Callable[[int], None] | None = None) -> Work:  # fmt: skip
    """Run chunks and pass each result to the sink as soon as it is ready.

    An exception of a chunk or of the sink, or an interruption, ends the running chunks and is raised again; the results that
    the sink has accepted until then are complete.

    Parameters
    ----------
    numbers : iterable of int, optional
        The chunks to run; default all.
    threads : int, optional
        Worker threads; default the number of cores that this process may use.
    executor : concurrent.futures.Executor, or a function that makes one; optional
        Runs the chunks instead of threads; it may get the specification pickled. An executor that a function makes
        is shut down at the end, and replaced if it breaks.
    job : callable(spec, number, stopped), optional
        Computes a chunk; default: runs it from its start.
    on_progress : callable, optional
        Called with the number of finished path-steps: during a chunk by threads, otherwise when a chunk is accepted.

    Raises
    ------
    WorkerError
        If the executor lost its workers and cannot be replaced.
    """
    todo = deque(range(spec.chunks) if numbers is None else numbers)
    _ = spec.model, spec.contents  # derived once, before threads share them
    if on_progress is not None and (job is not None or executor is not None):
        sink = ProgressSink(spec, sink, on_progress)
    elif on_progress is not None:

        def job(spec: RunSpec, number: int, stopped: Event | None) -> ChunkResult:
            return run_chunk(spec, spec.chunk(number), stopped, on_progress)

    job = job or chunk_of
    work = Work()
    if executor is not None:
        _anywhere(spec, sink, todo, executor, job, work)
        return work
    workers = max(1, min(threads or usable_cores(), len(todo)))
    if workers == 1:
        for number in todo:
            _accept(sink, work, compute(spec, (number,), job, None, None))
        return work
    stopped = Event()

    def submit(pool: Executor, chunks: tuple[int, ...]) -> Future[Finished]:
        return pool.submit(compute, spec, chunks, job, None, stopped)

    with ThreadPoolExecutor(workers) as pool:
        try:
            _collect(sink, todo, pool, submit, QUEUED_A_WORKER * workers, work, 0.0)
        except BaseException:  # a chunk failed, or the user interrupted the run: stop the others
            stopped.set()
            raise
    return work


@dataclass(frozen=True)
class ProgressSink:
    """A sink that reports the path-steps of each chunk before it passes the chunk on."""

    spec: RunSpec
    sink: Sink
    on_progress: Callable[[int], None]

    @property
    def deliver(self) -> Deliver | None:
        """The function of the other sink."""
        return self.sink.deliver

    def accept(self, number: int, result: ChunkResult | None) -> None:
        """Report the chunk and pass it on."""
        self.on_progress(len(self.spec.chunk(number)) * self.spec.steps)
        self.sink.accept(number, result)


def _anywhere(spec: RunSpec, sink: Sink, todo: deque[int], executor: Executor | Callable[[], Executor], job: Job,
              work: Work) -> None:  # fmt: skip
    try:
        _with(spec, sink, todo, executor, job, work)
    except (pickle.PicklingError, AttributeError) as error:
        if "pickle" not in str(error):
            raise
        raise errors.WorkerError(
            "the run cannot be sent to the executor", got=str(error),
            hint="Define the class of the system at the top of a module that the workers can import.",
        ) from error  # fmt: skip


def _with(spec: RunSpec, sink: Sink, todo: deque[int], executor: Executor | Callable[[], Executor], job: Job,
          work: Work) -> None:  # fmt: skip
    key = uuid.uuid4().hex

    def submit(pool: Executor, chunks: tuple[int, ...]) -> Future[Finished]:
        return pool.submit(Task(key, spec, job, sink.deliver, chunks))

    if isinstance(executor, Executor):
        try:
            _collect(sink, todo, executor, submit, QUEUED_ANYWHERE, work, TASK_SECONDS)
        except BrokenExecutor as error:
            raise errors.WorkerError(
                "the executor lost its workers and cannot continue", got=str(error),
                hint="Give a function that makes an executor, so that it can be replaced, or resume a run with a store.",
            ) from error  # fmt: skip
        return
    losses = 0
    while todo:
        before = work.chunks.total()
        try:
            with executor() as pool:
                _collect(sink, todo, pool, submit, QUEUED_ANYWHERE, work, TASK_SECONDS)
        except BrokenExecutor as error:
            losses = losses + 1 if work.chunks.total() == before else 1
            if losses >= MOST_LOSSES:
                raise errors.WorkerError(
                    f"the executor lost its workers {losses} times without finishing a chunk", got=str(error),
                    hint="Workers may lack memory; a run with a store continues with Save(resume=True) or --resume.",
                ) from error  # fmt: skip
            _log.warning("a worker was lost; a new executor gets its tasks, with %d chunks left", len(todo))


def _collect(sink: Sink, todo: deque[int], pool: Executor, submit: Callable[[Executor, tuple[int, ...]], Future[Finished]],
             at_once: int, work: Work, task_seconds: float) -> None:  # fmt: skip
    """Keep ``at_once`` tasks submitted, so that few results wait for the sink; unfinished chunks are in ``todo`` at the end."""
    running: dict[Future[Finished], tuple[int, ...]] = {}

    def fill() -> None:
        while todo and len(running) < at_once:
            fair = max(1, len(todo) // at_once)
            usual = int(task_seconds / work.chunk_seconds) if work.chunk_seconds else 1
            size = max(1, min(fair, usual))
            chunks = tuple(todo.popleft() for _ in range(size))
            try:
                running[submit(pool, chunks)] = chunks
            except BaseException:
                todo.extendleft(reversed(chunks))
                raise

    broken: BrokenExecutor | None = None

    def take(future: Future[Finished]) -> None:
        nonlocal broken
        chunks = running.pop(future)
        try:
            finished = future.result()
        except BrokenExecutor as error:
            broken = error
            work.lost += 1
            todo.extendleft(reversed(chunks))
        else:
            _accept(sink, work, finished)

    try:
        fill()
        while running:
            ready = wait(running, return_when=FIRST_COMPLETED).done
            while ready:
                take(ready.pop())  # no name keeps a result while others are computed
            if broken is None:
                fill()
    except BaseException:
        for future, chunks in running.items():
            future.cancel()
            todo.extend(chunks)
        raise
    if broken is not None:
        raise broken


def _accept(sink: Sink, work: Work, finished: Finished) -> None:
    for number, result in finished.results:
        sink.accept(number, result)
    work.chunks[finished.worker] += len(finished.results)
    work.seconds += finished.seconds
    work.tasks += 1
