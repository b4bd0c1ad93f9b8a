"""The progress of a run, on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Lock
from typing import TextIO

FIRST_AFTER, EVERY = 1.0, 0.2
"""Seconds before the first line, and between two updates."""


class Progress:
    """One line, ``40 %, 3.1e+07 path-steps/s, 12 s left``, which is updated during the run and erased at the end."""

    def __init__(self, total: int, stream: TextIO, clock: Callable[[], float] = time.monotonic):
        self.total, self.stream, self.clock = total, stream, clock
        self.done, self.started = 0, clock()
        self.shown_at, self.width = self.started + FIRST_AFTER - EVERY, 0
        self._lock = Lock()

    @classmethod
    def shown(cls, total: int, wanted: bool) -> AbstractContextManager[Callable[[int], None] | None]:
        """A function to call with the number of finished path-steps; ``None`` if progress is off or stderr is not a terminal."""
        if not (wanted and sys.stderr is not None and sys.stderr.isatty()):
            return nullcontext()
        return cls(total, sys.stderr)._until_the_end()

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
            self._write(f"{100 * self.done / self.total:.0f} %, {rate:.1e} path-steps/s, {_duration(left)} left")

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


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
