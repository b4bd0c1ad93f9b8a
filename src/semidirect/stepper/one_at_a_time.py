"""Objects that change, and whose methods may be called by several threads: one call at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from semidirect.core import ForkSafeLock

__all__ = ["OneAtATime", "one_at_a_time"]

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound="OneAtATime")


class OneAtATime:
    """Base of a class some of whose methods are :func:`one_at_a_time`. A copy and a pickle have a lock of their own."""

    def __init__(self) -> None:
        self._lock = ForkSafeLock()

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {k: v for k, v in vars(self).items() if k != "_lock"}

    def __copy__(self) -> Self:
        with self._lock:
            twin = object.__new__(type(self))
            vars(twin).update(vars(self), _lock=ForkSafeLock())
        return twin

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=ForkSafeLock())


def one_at_a_time(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A method that waits until no other thread is in such a method of the same object."""

    @wraps(method)
    def waiting(self: S, *args: P.args, **arguments: P.kwargs) -> R:
        with self._lock:
            return method(self, *args, **arguments)

    return waiting
