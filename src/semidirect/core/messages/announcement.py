"""Work that may take seconds, in the log: INFO when it begins, DEBUG when it is done and how long it took."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from semidirect.core.messages.status_line import StatusLine, shown_line

BEGINS, DONE = "begins", "done"
"""What the attribute ``work`` of such a record of the log says."""


LONG, EVERY = 10.0, 2.0
"""Seconds from which on work is called long, and between two lines of the log on how far it is."""
FIRST_AFTER, UPDATED_EVERY = 1.0, 0.2
"""Seconds before progress is shown, of work as of runs, and between two updates."""


class Work:
    """Work that is in progress, and the line that shows it.

    Attributes
    ----------
    log : Logger
    text : str
        What is done.
    seconds : float
        How long it is expected to take; 0 if that is not known.
    stage : str
        How far it is.
    """

    def __init__(self, log: logging.Logger, text: str, seconds: float = 0.0):
        self.log, self.text, self.seconds, self.stage = log, text, seconds, ""
        self.start = self.last = time.perf_counter()
        self.line: StatusLine | None = None
        self.within: Work | None = None

    def expect(self, seconds: float, advice: str) -> None:
        """Warn, with advice, if it is expected to take long."""
        self.seconds = seconds
        if seconds >= LONG:
            self.log.warning("%s takes about %s: %s", self.text, duration(seconds), advice)

    def show(self) -> None:
        """Write the line: what is done, cut to the width of the terminal, and since when."""
        if self.line is None or self.within is not None:
            return
        from shutil import get_terminal_size

        now = time.perf_counter() - self.start
        end = f"{now:.0f} s" + (f" of about {duration(self.seconds)}" if now < self.seconds else "")
        end = f"{self.stage and ': '}{self.stage}, {end}"
        room = max(8, get_terminal_size().columns - 1)  # a line that is broken in two would not be written over
        text = self.text if len(self.text) + len(end) <= room else self.text[: max(0, room - len(end) - 1)] + "…"
        self.line.write((text + end)[:room])


_works: ContextVar[Work | None] = ContextVar("_works", default=None)


@contextmanager
def working(log: logging.Logger, text: str, seconds: float = 0.0) -> Iterator[Work]:
    """Within, :func:`stage` says how far the work is, and a thread shows that where progress is wanted.

    A thread, because neither LLVM nor a long computation of symbols calls back.
    """
    work, outer = Work(log, text, seconds), _works.get()
    work.line, ended = shown_line(), threading.Event()
    token = _works.set(work)
    if outer is not None:
        outer.within = work
        if outer.line is not None:
            outer.line.erase()

    def update() -> None:
        wait = FIRST_AFTER
        while not ended.wait(wait):
            work.show()
            wait = UPDATED_EVERY

    thread = None if work.line is None else threading.Thread(target=update, name="progress", daemon=True)
    try:
        if thread is not None:
            thread.start()
        yield work
    finally:
        ended.set()
        if outer is not None:
            outer.within = None
        _works.reset(token)
        if thread is not None and work.line is not None:
            thread.join()
            work.line.erase()


@contextmanager
def announced(
    log: logging.Logger, text: str, *values: object, seconds: float = 0.0, advice: str = ""
) -> Iterator[None]:
    """Log that work begins, ``text % values``, and that it is done, or has failed.

    Where it is expected to take long, ``seconds``, that is a warning with ``advice``, and :func:`stage` says how far it is.
    """
    start, what = time.perf_counter(), text % values
    if seconds < LONG:
        log.info(text, *values, extra={"work": BEGINS})
    try:
        with working(log, what, seconds) as work:
            work.expect(seconds, f"{advice} Ctrl-C interrupts it.")
            yield
    finally:
        log.debug(f"{text}: %.1f s", *values, time.perf_counter() - start, extra={"work": DONE})


def stage(what: str) -> None:
    """Say how far work is, on its line, or of long work in the log, at most every :data:`EVERY` seconds."""
    work = _works.get()
    if work is None:
        return
    work.stage = what
    if work.line is None and work.seconds >= LONG and (now := time.perf_counter()) - work.last >= EVERY:
        work.last = now
        work.log.info("%s: %s, after %.0f s", work.text, what, now - work.start)


def duration(seconds: float) -> str:
    """A time for people."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
