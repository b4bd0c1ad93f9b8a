"""Running the chunks of a run, here by threads or anywhere by an executor."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from threading import Event

from semidirect.ensemble.chunk import run_chunk
from semidirect.ensemble.record import ChunkResult
from semidirect.ensemble.sink import Sink
from semidirect.ensemble.spec import RunSpec

QUEUED_A_WORKER = 2


def execute(spec: RunSpec, sink: Sink, numbers: Iterable[int] | None = None, *, threads: int | None = None,
            executor: Executor | None = None) -> None:  # fmt: skip
    """Run chunks and give each result to the sink as soon as it is there.

    An exception, that of a chunk, of the sink or an interruption, ends what still runs and passes on; what the sink has
    accepted by then is complete.

    Parameters
    ----------
    numbers : iterable of int, optional
        Which chunks; default all.
    threads : int, optional
        Worker threads; default the number of cores.
    executor : concurrent.futures.Executor, optional
        What runs the chunks in the place of threads; it gets the specification pickled, if it needs to.
    """
    todo = list(range(spec.chunks) if numbers is None else numbers)
    _ = spec.model, spec.contents  # derived once, before threads share them
    if executor is not None:
        _collect(spec, sink, todo, executor, len(todo), None)
        return
    workers = max(1, min(threads or os.cpu_count() or 1, len(todo)))
    if workers == 1:
        for number in todo:
            sink.accept(number, run_chunk(spec, spec.chunk(number)))
        return
    with ThreadPoolExecutor(workers) as pool:
        _collect(spec, sink, todo, pool, QUEUED_A_WORKER * workers, Event())


def _collect(spec: RunSpec, sink: Sink, todo: list[int], pool: Executor, at_once: int, stopped: Event | None) -> None:
    """Keep ``at_once`` chunks submitted, so that few results wait for the sink."""
    more = () if stopped is None else (stopped,)
    waiting = iter(todo)
    running: dict[Future[ChunkResult], int] = {}

    def submit(count: int) -> None:
        for _, number in zip(range(count), waiting, strict=False):
            running[pool.submit(run_chunk, spec, spec.chunk(number), *more)] = number

    try:
        submit(at_once)
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                sink.accept(running.pop(future), future.result())
            submit(len(done))
    except BaseException:  # one part failed, or the user interrupts: the others need not go on
        if stopped is not None:
            stopped.set()
        for future in running:
            future.cancel()
        raise
