"""The progress of a run, on stderr: on a terminal, and below the cell of a notebook."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TextIO

from semidirect.core import ForkSafeLock, messages
from semidirect.core.messages import FIRST_AFTER
from semidirect.core.messages import UPDATED_EVERY as EVERY


class Progress:
    """One line, ``412 of 1000 paths, 41 %, 12 s left``, which is updated during the run and erased at the end.

    Paths advance together, so the number is that of the paths whose steps would be as many as are done.
    """

    def __init__(self, paths: int, steps: int, stream: TextIO, clock: Callable[[], float] = time.monotonic):
        self.paths, self.steps, self.total = paths, steps, paths * steps
        self.line, self.clock = messages.StatusLine(stream), clock
        self.done, self.started = 0, clock()
        self.shown_at = self.started + FIRST_AFTER - EVERY
        self._lock = ForkSafeLock()

    @classmethod
    def shown(cls, paths: int, steps: int) -> AbstractContextManager[Callable[[int], None] | None]:
        """A function to call with the number of finished path-steps; ``None`` if nobody sees stderr."""
        stream = messages.watched_stderr()
        return nullcontext() if stream is None else cls(paths, steps, stream)._until_the_end()

    @contextmanager
    def _until_the_end(self) -> Iterator[Callable[[int], None]]:
        """What is compiled for the first steps shows its progress as well."""
        try:
            with messages.showing_progress():
                yield self.advance
        finally:
            self.line.erase()

    def advance(self, path_steps: int) -> None:
        """Count path-steps; may be called from any thread."""
        with self._lock:
            self.done += path_steps
            now = self.clock()
            if now - self.shown_at < EVERY:
                return
            self.shown_at = now
            rate = self.done / max(now - self.started, 1e-9)
            left = (self.total - self.done) / rate if rate > 0 else float("inf")
            paths, share = self.done // max(self.steps, 1), 100 * self.done / max(self.total, 1)
            self.line.write(f"{paths} of {self.paths} paths, {share:.0f} %, {_duration(left)} left")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
