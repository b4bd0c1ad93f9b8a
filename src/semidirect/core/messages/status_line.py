"""One line on stderr that says how far work is, on a terminal and below the cell of a notebook, and is erased at its end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ClassVar, TextIO, final
from weakref import WeakSet

from semidirect.core.locks import ForkSafeLock

_progress: ContextVar[bool] = ContextVar("_progress", default=False)


@final
class StatusLine:
    """A line that is written anew in place of itself."""

    _all: ClassVar[WeakSet[StatusLine]] = WeakSet()

    def __init__(self, stream: TextIO):
        self.stream, self.width = stream, 0
        self._lock = ForkSafeLock()
        self._all.add(self)

    def write(self, line: str) -> None:
        """Write a line over the one before."""
        with self._lock:
            self.stream.write("\r" + line.ljust(self.width))
            self.stream.flush()
            self.width = len(line)

    def erase(self) -> None:
        """Erase the line."""
        with self._lock:
            if self.width:
                self.write("")
                self.stream.write("\r")
                self.stream.flush()


def erase_lines() -> None:
    """Erase what is shown before other text follows; work that continues shows its line again."""
    for line in list(StatusLine._all):
        line.erase()


def watched_stderr() -> TextIO | None:
    """Stderr where somebody sees a line on it; a kernel of Jupyter shows what follows a carriage return in place of the line."""
    stream: TextIO | None = sys.stderr
    if stream is None:
        return None
    return stream if stream.isatty() or type(stream).__module__.partition(".")[0] == "ipykernel" else None


@contextmanager
def showing_progress() -> Iterator[None]:
    """Within this context long work shows its progress."""
    token = _progress.set(True)
    try:
        yield
    finally:
        _progress.reset(token)


def shown_line() -> StatusLine | None:
    """A line where progress is wanted and somebody sees it."""
    stream = watched_stderr() if _progress.get() else None
    return None if stream is None else StatusLine(stream)
