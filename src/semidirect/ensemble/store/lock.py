"""One writer at a time."""

from __future__ import annotations

import json
import logging
import os
import socket
import stat
from pathlib import Path
from types import TracebackType
from typing import Any

from filelock import FileLock, Timeout

from semidirect.core import errors
from semidirect.ensemble.store.files import read_file

_log = logging.getLogger(__name__)

PATIENCE = 0.1
"""Seconds to wait for a writer that is about to finish."""
LARGEST = 4096
"""Bytes of a lock file."""


class Lock:
    """A lock of the operating system on a file next to the store, ``run.zarr.lock``; it is released whenever the process
    ends, for any reason.

    The file names the host and the process that hold the lock. A lock that nobody holds is taken over if it was made
    on this host, or is empty. A lock of another host is not, since some file systems do not show the locks of other hosts.
    A file with any other content is not a lock and stays unchanged.

    Raises
    ------
    StoreError
        If another process writes the store, or the lock cannot be made.
    """

    def __init__(self, store: Path):
        if not store.name:
            raise errors.StoreError(f"{store} exists already", hint="Choose another name.")
        self.store, self.path = store, store.with_name(f"{store.name}.lock")
        self._lock = FileLock(self.path, mode=0o644)

    def __enter__(self) -> Lock:
        self._refuse_what_is_no_file()
        if not os.path.isdir(self.path.parent):  # which the library would create
            raise errors.StoreError(f"cannot write {self.store}: there is no folder {self.path.parent}",
                                    hint="Choose a place you may write to.")  # fmt: skip
        try:
            self._lock.acquire(timeout=PATIENCE, poll_interval=PATIENCE / 5)
        except Timeout:
            raise errors.StoreError(
                f"{self.store} is being written by {_named(self._owner())}", hint="Wait for it, or stop it."
            ) from None
        except OSError as error:
            raise errors.StoreError(
                f"cannot write {self.store}: {error.strerror or error}", hint="Choose a place you may write to."
            ) from error
        try:
            self._take_over()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not _marked_by_the_library(self._lock):
                self.path.unlink(missing_ok=True)  # while it is locked, so that a waiting process notices it
        finally:
            self._lock.release()

    def _take_over(self) -> None:
        """Write this process into the locked file, unless its content belongs to others."""
        if _marked_by_the_library(self._lock):
            return
        before = self._owner()
        if before is None:
            raise errors.StoreError(
                f"{self.path} is not the lock of a run",
                hint=f"Move it away; it is in the way of writing {self.store.name}.",
            )
        if before and before.get("host") != socket.gethostname():
            raise errors.StoreError(
                f"{self.store} is being written by {_named(before)}, which may still be running",
                hint=f"If it is not running, remove {self.path}.",
            )
        owner = {"host": socket.gethostname(), "pid": os.getpid()}
        try:
            with self.path.open("r+") as file:
                file.write(json.dumps(owner))
                file.truncate()
        except OSError as error:
            raise errors.StoreError(f"cannot write {self.path}: {error.strerror or error}") from error
        if before:
            _log.warning("%s: took over the lock of %s, which is not running any more", self.store, _named(before))

    def _refuse_what_is_no_file(self) -> None:
        try:
            kind = self.path.lstat().st_mode
        except OSError:  # there is none
            return
        if not stat.S_ISREG(kind):
            raise errors.StoreError(
                f"{self.path} is not the lock of a run", hint=f"Move it away to write {self.store.name}."
            )

    def _owner(self) -> dict[str, Any] | None:
        """The content of the file: empty if it is empty, ``None`` if it is not a lock."""
        try:
            content = read_file(self.path, LARGEST)
        except OSError:
            return None
        if not content.strip():
            return {}
        try:
            owner = json.loads(content)
        except (ValueError, RecursionError):
            return None
        return owner if isinstance(owner, dict) and {"host", "pid"} <= owner.keys() else None


def _named(owner: dict[str, Any] | None) -> str:
    return f"process {owner['pid']} on {owner['host']}" if owner else "another process"


def _marked_by_the_library(lock: Any) -> bool:
    """Whether the file system has no locks, so that the library wrote its own marker into the file."""
    try:
        return bool(lock.is_lock_held_by_us)
    except AttributeError:
        return False
