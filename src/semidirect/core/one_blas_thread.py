"""One thread for products of small matrices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

_lock = Lock()
_inside = 0
_limit: Any = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within this context BLAS uses one thread; afterwards as many as before. Contexts of several threads may overlap.

    Threads of BLAS wait for each other actively: where other processes keep the processors busy, a product of small matrices
    takes milliseconds. And how a product is divided among threads may change its last bits.
    """
    global _inside, _limit
    from threadpoolctl import threadpool_limits

    with _lock:
        if not _inside:
            _limit = threadpool_limits(limits=1, user_api="blas")
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                _limit.restore_original_limits()
