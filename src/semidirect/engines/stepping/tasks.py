"""Runs the chunks of a run, by threads of this process or by an executor."""

from __future__ import annotations

import logging
import os
import pickle
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Event

from semidirect.core import errors
from semidirect.engines.record import ChunkResult
from semidirect.engines.sink import Sink
from semidirect.engines.stepping.chunk import run_chunk
from semidirect.engines.stepping.task import Deliver, Finished, Job, Task, compute
from semidirect.specification import RunSpec

_log = logging.getLogger(__name__)

QUEUED_A_WORKER = 2
QUEUED_ANYWHERE = 4096
"""Tasks submitted at once to an executor whose number of workers is unknown."""
FEWEST_QUEUED = 64
QUEUED_BYTES = 2**28
"""Most bytes of submitted tasks, if there are more than the fewest: each has all that differs from path to path."""
TASK_SECONDS = 2.0
"""Intended duration of a task [s]: long compared with the overhead of an executor, short compared with an acceptable loss."""
MOST_LOSSES = 3
"""Pools that may break in succession without finishing a chunk, and tasks that an executor may lose of one chunk."""


@dataclass
class Work:
    """The workers that computed a run; not part of the results.

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


def usable_cores() -> int:
    """The number of cores that this process may use: its affinity if the system has one, not the number of the machine."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chunk_of(spec: RunSpec, number: int, stopped: Event | None) -> ChunkResult:
    """The usual job, which runs a chunk from its start."""
    return run_chunk(spec, spec.chunk(number), stopped)


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
        _with(spec, sink, todo, executor, job, work)
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


class _Lost(Exception):
    """An executor lost its workers; what it says of them."""


def _refuse_what_cannot_be_sent(error: BaseException) -> None:
    """Raise an error if an executor could not send a task."""
    words = "pickle", "serialize"
    if isinstance(error, (pickle.PicklingError, AttributeError, TypeError)) and any(w in str(error) for w in words):
        raise errors.WorkerError(
            "the run cannot be sent to the executor", got=str(error),
            hint="Define the class of the system at the top of a module that the workers can import.",
        ) from error  # fmt: skip


def _most_queued(spec: RunSpec) -> int:
    """How many tasks may be submitted at once."""
    values = (*spec.start.arrays().values(), *spec.by_path().values())
    return max(FEWEST_QUEUED, min(QUEUED_ANYWHERE, QUEUED_BYTES // (1 + sum(value.nbytes for value in values))))


def _with(spec: RunSpec, sink: Sink, todo: deque[int], executor: Executor | Callable[[], Executor], job: Job,
          work: Work) -> None:  # fmt: skip
    key, at_once = uuid.uuid4().hex, _most_queued(spec)

    def submit(pool: Executor, chunks: tuple[int, ...]) -> Future[Finished]:
        try:
            return pool.submit(Task(key, spec, job, sink.deliver, chunks, attempt=work.lost))
        except Exception as error:
            _refuse_what_cannot_be_sent(error)
            raise _Lost(_described(error)) from error  # its connection was closed, say

    if isinstance(executor, Executor):
        try:
            _collect(sink, todo, executor, submit, at_once, work, TASK_SECONDS)
        except _Lost as error:
            raise errors.WorkerError(
                "the executor lost its workers and cannot continue", got=str(error),
                hint="Workers need memory for a chunk, and the packages of the run. Give a function that makes an executor, "
                "so that it can be replaced, or resume a run with a store.",
            ) from error  # fmt: skip
        return
    losses = 0
    while todo:
        before = work.chunks.total()
        try:
            with executor() as pool:
                _collect(sink, todo, pool, submit, at_once, work, TASK_SECONDS)
        except _Lost as error:
            losses = losses + 1 if work.chunks.total() == before else 1
            if losses >= MOST_LOSSES:
                raise errors.WorkerError(
                    f"the executor lost its workers {losses} times without finishing a chunk", got=str(error),
                    hint="Workers may lack memory; a run with a store continues with Save(resume=True) or --resume.",
                ) from error  # fmt: skip
            _log.warning("a worker was lost; a new executor gets its tasks, with %d chunks left", len(todo))


def _described(error: Exception) -> str:
    """The message of an executor; its words alone if it is broken."""
    return str(error) if isinstance(error, BrokenExecutor) else f"{type(error).__name__}: {error}"


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

    broken: Exception | None = None
    losses: Counter[int] = Counter()

    def take(future: Future[Finished]) -> None:
        nonlocal broken
        chunks = running.pop(future)
        try:
            finished = future.result()
        except Exception as error:  # of the executor: an exception of a chunk is part of what a task returns
            work.lost += 1
            todo.extendleft(reversed(chunks))
            _refuse_what_cannot_be_sent(error)
            losses.update(chunks)
            if isinstance(error, BrokenExecutor):
                broken = error
            elif losses[chunks[0]] >= MOST_LOSSES:
                raise _Lost(_described(error)) from error
            else:
                _log.warning("a task was lost, and is submitted again: %s", _described(error))
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
        raise _Lost(_described(broken)) from broken


def _accept(sink: Sink, work: Work, finished: Finished) -> None:
    for number, result in finished.results:
        sink.accept(number, result)
    work.chunks[finished.worker] += len(finished.results)
    work.seconds += finished.seconds
    work.tasks += 1
    if finished.failed is not None:
        finished.failed.reraise()
