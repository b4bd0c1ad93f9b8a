"""Locks that a forked process can use, and what it restores where another thread was in the middle of a change."""

from __future__ import annotations

import functools
import importlib
import logging  # it takes a lock before a fork, after ours: hooks run in reverse
import os
import threading
from collections.abc import Callable, Iterator
from threading import RLock, get_ident
from types import TracebackType
from typing import Any, final
from weakref import WeakSet

__all__ = ["ForkSafeLock", "ProcessChange"]

_log = logging.getLogger(__name__)
_all: WeakSet[Any] = WeakSet()
SECONDS_TO_WAIT = 60.0
"""How long a fork waits for a lock that is to be free in the new process."""


@final
class ForkSafeLock:
    """A lock, which one thread may take repeatedly. In a forked process it is free unless the thread that forked holds it.

    A plain lock that another thread holds at a fork is never released in the new process, which does not have that thread.

    Parameters
    ----------
    restore : callable, optional
        Undoes in the new process what the thread that held the lock had begun.
    waits : bool
        Whether a fork waits until the lock is free: for code that cannot be left in the middle, and is done soon.
    """

    def __init__(self, *, restore: Callable[[], None] | None = None, waits: bool = False):
        self._lock, self._restore, self._waits = RLock(), restore, waits
        self._owner, self._depth = 0, 0
        _all.add(self)
        if waits:
            _come_before_executors()

    def __enter__(self) -> None:
        self._lock.acquire()
        self._owner, self._depth = get_ident(), self._depth + 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if not self._depth:
            self._owner = 0
        self._lock.release()

    def before_fork(self) -> bool:
        """Wait where that is asked for; whether the lock is taken now."""
        return self._waits and self._lock.acquire(timeout=SECONDS_TO_WAIT)

    def release_after_fork(self) -> None:
        """Release what :meth:`before_fork` took."""
        self._lock.release()

    def renew(self) -> None:
        """Free the lock in a new process, and restore, if a thread that does not exist there held it."""
        owned = self._owner == get_ident()
        abandoned = self._depth > 0 and not owned
        self._lock = RLock()
        if owned:
            for _ in range(self._depth):
                self._lock.acquire()
        else:
            self._owner = self._depth = 0
        if abandoned and self._restore is not None:
            self._restore()


@final
class ProcessChange:
    """A change of the process that lasts while any thread is within its context; contexts of several threads may overlap.

    In a forked process only the contexts of the thread that forked count.

    Parameters
    ----------
    make : callable → callable
        Makes the change and returns what undoes it.
    """

    def __init__(self, make: Callable[[], Callable[[], None]]):
        self._make = make
        self._undo: Callable[[], None] | None = None
        self._depths: dict[int, int] = {}
        self._lock = ForkSafeLock()
        _all.add(self)

    def __enter__(self) -> None:
        with self._lock:
            if self._undo is None:
                self._undo = self._make()
            me = get_ident()
            self._depths[me] = self._depths.get(me, 0) + 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            me = get_ident()
            self._depths[me] -= 1
            if not self._depths[me]:
                del self._depths[me]
            self._undo_if_unused()

    def _undo_if_unused(self) -> None:
        if not self._depths and self._undo is not None:
            undo, self._undo = self._undo, None
            undo()

    def renew(self) -> None:
        """Undo the change in a new process unless the thread that forked is within."""
        me = get_ident()
        self._depths = {me: self._depths[me]} if me in self._depths else {}
        self._undo_if_unused()


class _AtFork(threading.local):
    """The data that the hook before a fork passes to those after it."""

    locks: tuple[ForkSafeLock, ...] = ()
    alone: bool = True
    ready: bool = False


_at_fork = _AtFork()


def _before() -> None:
    if _at_fork.ready:
        return
    _at_fork.ready = True
    _at_fork.locks = tuple(lock for lock in list(_all) if isinstance(lock, ForkSafeLock) and lock.before_fork())
    _at_fork.alone = threading.active_count() == 1
    if not _at_fork.alone:
        _finish_imports()


@functools.cache
def _come_before_executors() -> None:
    """Wait for locks before executors take one of theirs for the fork, which who holds ours may need: hooks run in reverse.

    Executors are not imported by what needs no lock to wait, such as help.
    """
    import concurrent.futures.thread  # noqa: F401

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_before)


def _finish_imports() -> None:
    """Wait for the modules that other threads are importing: a new process would wait for those threads for ever."""
    bootstrap, me = getattr(importlib, "_bootstrap", None), get_ident()
    locks: dict[str, Callable[[], Any]] = getattr(bootstrap, "_module_locks", {})
    attempts: set[str] = set()
    while True:
        owners = {name: getattr(lock(), "owner", None) for name, lock in list(locks.items())}
        names = [name for name, owner in owners.items() if owner not in (None, me) and name not in attempts]
        if not names:
            return
        for name in names:
            attempts.add(name)
            try:
                importlib.import_module(name)
            except Exception as error:  # it is raised in the thread that imports
                _log.debug("importing %s in another thread: %s", name, error)


def _release() -> None:
    for lock in _at_fork.locks:
        lock.release_after_fork()
    _at_fork.locks, _at_fork.ready = (), False


def _renew() -> None:
    _release()
    if _at_fork.alone:
        return
    for one in sorted(_all, key=lambda one: isinstance(one, ProcessChange)):  # a change takes its lock
        one.renew()
    if hasattr(functools.cached_property(len), "lock"):  # before Python 3.12, one lock for all instances
        for one in _cached_properties():
            if not one.lock._is_owned():  # type: ignore[attr-defined]
                one.lock = RLock()  # type: ignore[attr-defined]


def _cached_properties() -> Iterator[functools.cached_property[Any]]:
    """Those of all classes. The collector does not list them after ``gc.freeze``, which servers call before they fork."""
    classes: set[type] = {object}
    new = [object]
    while new:
        subclasses = [kind for kind in type.__subclasses__(new.pop()) if kind not in classes]
        classes.update(subclasses)
        new += subclasses
    for kind in classes:
        yield from (one for one in list(vars(kind).values()) if type(one) is functools.cached_property)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_release, after_in_child=_renew)
