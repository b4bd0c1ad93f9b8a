"""Threads that stay, for work that takes no longer than to start a thread; a forked process makes its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from semidirect.core import ForkSafeLock

__all__ = ["at_once"]

MOST_THREADS = 256
T = TypeVar("T")
_pools: dict[int, ThreadPoolExecutor] = {}
_making = ForkSafeLock()


def at_once(functions: Sequence[Callable[[], T]]) -> list[T]:
    """The results of functions: this thread calls the first one, others the rest."""
    first, *others = functions
    if not others:
        return [first()]
    pool = _pool()
    running = [pool.submit(one) for one in others]
    return [first(), *(one.result() for one in running)]


def _pool() -> ThreadPoolExecutor:
    with _making:
        process = os.getpid()
        if process not in _pools:
            _pools.clear()
            _pools[process] = ThreadPoolExecutor(MOST_THREADS, "semidirect")
        return _pools[process]
