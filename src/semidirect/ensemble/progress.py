"""The progress of a run, on stderr: on a terminal, and below the cell of a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TextIO

from semidirect.core import ForkSafeLock

FIRST_AFTER, EVERY = 1.0, 0.2
"""Seconds before the first line, and between two updates."""


class Progress:
    """One line, ``412 of 1000 paths, 41 %, 12 s left``, which is updated during the run and erased at the end.

    Paths advance together, so the number is that of the paths whose steps would be as many as are done.
    """

    def __init__(self, paths: int, steps: int, stream: TextIO, clock: Callable[[], float] = time.monotonic):
        self.paths, self.steps, self.total = paths, steps, paths * steps
        self.stream, self.clock = stream, clock
        self.done, self.started = 0, clock()
        self.shown_at, self.width = self.started + FIRST_AFTER - EVERY, 0
        self._lock = ForkSafeLock()

    @classmethod
    def shown(cls, paths: int, steps: int, enabled: bool) -> AbstractContextManager[Callable[[int], None] | None]:
        """A function to call with the number of finished path-steps; ``None`` if progress is off or nobody sees stderr."""
        if not (enabled and sys.stderr is not None and (sys.stderr.isatty() or _in_a_notebook(sys.stderr))):
            return nullcontext()
        return cls(paths, steps, sys.stderr)._until_the_end()

    @contextmanager
    def _until_the_end(self) -> Iterator[Callable[[int], None]]:
        try:
            yield self.advance
        finally:
            self.erase()

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
            self._write(f"{paths} of {self.paths} paths, {share:.0f} %, {_duration(left)} left")

    def erase(self) -> None:
        """Erase the line."""
        if self.width:
            self._write("")
            self.stream.write("\r")
            self.stream.flush()

    def _write(self, line: str) -> None:
        self.stream.write("\r" + line.ljust(self.width))
        self.stream.flush()
        self.width = len(line)


def _in_a_notebook(stream: TextIO) -> bool:
    """Whether a stream is that of a kernel of Jupyter, which shows what follows a carriage return in place of the line."""
    return type(stream).__module__.partition(".")[0] == "ipykernel"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
