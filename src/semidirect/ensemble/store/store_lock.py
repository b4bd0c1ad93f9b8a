"""The abstract lock of a store: one writer at a time."""

from __future__ import annotations

import json
import logging
import os
import socket
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from filelock import FileLock, Timeout

from semidirect.core import errors

_log = logging.getLogger(__name__)

PATIENCE = 0.1
"""Seconds to wait for a writer that is about to finish."""
LARGEST = 4096
"""Bytes of what says who writes."""


class StoreLock(ABC):
    """A lock of the operating system on a file, which is released whenever the process ends, for any reason, and a note at
    the store that names the host and the process.

    A note of this host that nobody holds is taken over. One of another host is not, since this host does not see whether its
    process runs. Anything else with the name of the note is not a lock and stays unchanged.

    Raises
    ------
    StoreError
        If another process writes the store, or the lock cannot be made.
    """

    _mode: ClassVar[int]
    """The rights of the file."""

    def __init__(self, store: object, note: object):
        self.store, self.note = store, note

    def __enter__(self) -> Self:
        file = self._file()
        self._lock = FileLock(file, mode=self._mode)
        try:
            self._lock.acquire(timeout=PATIENCE, poll_interval=PATIENCE / 5)
        except Timeout:
            raise self._held() from None
        except OSError as error:
            raise errors.StoreError(
                f"cannot write {self.store}: {file}: {error.strerror or error}", hint="Choose a place you may write to."
            ) from error
        try:
            self._write_note()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._remove_note()
        finally:
            self._lock.release()

    @abstractmethod
    def _file(self) -> Path:
        """The file to lock; an error if there cannot be one."""

    @abstractmethod
    def _write_note(self) -> None:
        """Write this process into the note while the file is locked, unless its content belongs to others."""

    @abstractmethod
    def _remove_note(self) -> None:
        """Remove the note and the file, while that is locked, so that a waiting process notices it."""

    @abstractmethod
    def _content(self) -> bytes | None:
        """The content of the note; ``None`` if it cannot be read."""

    def _me(self) -> dict[str, Any]:
        return {"host": socket.gethostname(), "pid": os.getpid()}

    def _owner(self) -> dict[str, Any] | None:
        """The content of the note: empty if it is empty, ``None`` if it is not one."""
        content = self._content()
        if content is None or not content.strip():
            return None if content is None else {}
        try:
            owner = json.loads(content)
        except (ValueError, RecursionError):
            return None
        return owner if isinstance(owner, dict) and {"host", "pid"} <= owner.keys() else None

    def _held(self) -> errors.StoreError:
        """The error for a store that another process of this host writes."""
        return errors.StoreError(
            f"{self.store} is being written by {_named(self._owner())}", hint="Wait for it, or stop it."
        )

    def _held_elsewhere(self, owner: dict[str, Any]) -> errors.StoreError:
        """The error for one that a process of another host may write."""
        return errors.StoreError(
            f"{self.store} is being written by {_named(owner)}, which may still be running",
            hint=f"If it is not running, remove {self.note}.",
        )

    def _no_lock(self) -> errors.StoreError:
        """The error for something else with the name of the note."""
        return errors.StoreError(
            f"{self.note} is not the lock of a run", hint=f"Move it away; it is in the way of writing {self.store}."
        )

    def _say_taken_over(self, owner: dict[str, Any]) -> None:
        _log.warning("%s: took over the lock of %s, which is not running any more", self.store, _named(owner))


def _named(owner: dict[str, Any] | None) -> str:
    return f"process {owner['pid']} on {owner['host']}" if owner else "another process"
