"""A pause of Python's collector of cycles, while many objects are made that stay."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from semidirect.core import ProcessChange

__all__ = ["paused_collector"]


def _pause() -> Callable[[], None]:
    if not gc.isenabled():
        return lambda: None
    gc.disable()
    return gc.enable


_paused = ProcessChange(_pause)


@contextmanager
def paused_collector() -> Iterator[None]:
    """Collect no cycles within the block, in any thread; pauses may overlap, and the last to end restores what was before.

    To derive equations and to compile them makes a million objects, nearly all of which stay: the collector would look
    through them again and again, which takes a fifteenth of the time of a first run.
    """
    with _paused:
        yield
