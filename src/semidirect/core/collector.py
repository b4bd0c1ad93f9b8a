"""A pause of Python's collector of cycles, while many objects are made that stay."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["paused_collector"]

_changing = threading.Lock()
_pauses = 0
_was_on = False


@contextmanager
def paused_collector() -> Iterator[None]:
    """Collect no cycles within the block, in any thread; pauses may overlap, and the last to end restores what was before.

    To derive equations and to compile them makes a million objects, nearly all of which stay: the collector would look
    through them again and again, which takes a fifteenth of the time of a first run.
    """
    global _pauses, _was_on
    with _changing:
        if _pauses == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _changing:
            _pauses -= 1
            if _pauses == 0 and _was_on:
                gc.enable()
