"""Work that may take seconds, in the log: INFO when it begins, DEBUG when it is done and how long it took."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

BEGINS, DONE = "begins", "done"
"""What the attribute ``work`` of such a record of the log says."""


@contextmanager
def announced(log: logging.Logger, text: str, *values: object) -> Iterator[None]:
    """Log that work begins, ``text % values``, and that it is done, or has failed."""
    start = time.perf_counter()
    log.info(text, *values, extra={"work": BEGINS})
    try:
        yield
    finally:
        log.debug(f"{text}: %.1f s", *values, time.perf_counter() - start, extra={"work": DONE})
