"""Work that may take seconds, in the log: INFO when it begins, DEBUG when it is done and how long it took."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

BEGINS, DONE = "begins", "done"
"""What the attribute ``work`` of such a record of the log says."""


LONG, EVERY = 10.0, 2.0
"""Seconds from which on work is called long, and between two lines on how far it is."""


@dataclass
class _Work:
    log: logging.Logger
    text: str
    start: float
    last: float


_long: ContextVar[_Work | None] = ContextVar("_long", default=None)


@contextmanager
def announced(
    log: logging.Logger, text: str, *values: object, seconds: float = 0.0, advice: str = ""
) -> Iterator[None]:
    """Log that work begins, ``text % values``, and that it is done, or has failed.

    Where it is expected to take long, ``seconds``, that is a warning with ``advice``, and :func:`stage` says how far it is.
    """
    start, what, long = time.perf_counter(), text % values, seconds >= LONG
    if long:
        log.warning("%s takes about %s: %s Ctrl-C interrupts it.", what, duration(seconds), advice)
    else:
        log.info(text, *values, extra={"work": BEGINS})
    token = _long.set(_Work(log, what, start, start)) if long else None
    try:
        yield
    finally:
        if token is not None:
            _long.reset(token)
        log.debug(f"{text}: %.1f s", *values, time.perf_counter() - start, extra={"work": DONE})


def stage(what: str) -> None:
    """Log the progress of long work, at most every :data:`EVERY` seconds."""
    work = _long.get()
    if work is not None and (now := time.perf_counter()) - work.last >= EVERY:
        work.last = now
        work.log.info("%s: %s, after %.0f s", work.text, what, now - work.start)


def duration(seconds: float) -> str:
    """A time for people."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
