"""One thread for products of small matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from semidirect.core import ProcessChange


def _limit() -> Callable[[], None]:
    from threadpoolctl import threadpool_limits

    restore: Callable[[], None] = threadpool_limits(limits=1, user_api="blas").restore_original_limits
    return restore


_limited = ProcessChange(_limit)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within this context BLAS uses one thread; afterwards as many as before. Contexts of several threads may overlap.

    Threads of BLAS wait for each other actively: where other processes keep the processors busy, a product of small matrices
    takes milliseconds. And how a product is divided among threads may change its last bits.
    """
    with _limited:
        yield
