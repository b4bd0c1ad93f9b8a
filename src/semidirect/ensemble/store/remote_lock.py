"""One writer at a time, where there are no locks of the operating system."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import secrets
import socket
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

from filelock import FileLock, Timeout

from semidirect.core import errors
from semidirect.ensemble.store.lock import LARGEST, PATIENCE
from semidirect.ensemble.store.remote_files import asking, file_system

_log = logging.getLogger(__name__)

EXCLUSIVE = ("memory", "s3", "s3a", "gs", "gcs", "abfs", "abfss", "az")
"""Protocols by which an object is created only if there is none of its name, in one step."""


class RemoteLock:
    """An object next to the store, ``run.zarr.lock``, which is created only if it does not exist.

    It names the host and the process that hold it. Nobody removes it if that process is killed, so the process also holds a
    lock of the operating system on a file of its host, which contains a word that is in this object too: if nobody holds
    that file, and the words are the same, the process has ended, and its lock is taken over. The lock of another host
    is not.

    Raises
    ------
    StoreError
        If another process writes the store, if the lock cannot be made, or if the server cannot lock at all.
    """

    def __init__(self, store: str):
        self.store, self.url = store, f"{store}.lock"
        self._owner: dict[str, Any] = {}

    def __enter__(self) -> RemoteLock:
        protocol = self.store.partition("://")[0]
        if protocol not in EXCLUSIVE:
            raise errors.StoreError(
                f"cannot write {self.store}: another process could write it, too, since {protocol}:// has no locks",
                hint=f"Write to a folder and copy it there, or to one of {', '.join(EXCLUSIVE)}; reading needs no lock.",
            )
        path = self._local_file()
        self._lock = FileLock(path, mode=0o600)
        try:
            self._lock.acquire(timeout=PATIENCE, poll_interval=PATIENCE / 5)
        except Timeout:
            raise self._held(self._read()) from None
        except OSError as error:
            raise errors.StoreError(f"cannot lock {self.store}: {path}: {error.strerror or error}") from error
        try:
            self._acquire(path)
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._read() == self._owner:
                self._remove()
            Path(self._lock.lock_file).unlink(missing_ok=True)  # while it is locked, as in Lock
        except OSError as problem:
            _log.warning("%s: its lock %s could not be removed: %s", self.store, self.url, problem)
        finally:
            self._lock.release()

    def _acquire(self, path: Path) -> None:
        word = path.read_text().strip()
        if not word:
            word = secrets.token_hex(16)
            path.write_text(word)
        self._owner = {"host": socket.gethostname(), "pid": os.getpid(), "word": word}
        if not self._create():
            before = self._read()
            if before is None:
                raise errors.StoreError(
                    f"{self.url} is not the lock of a run",
                    hint=f"Move it away; it is in the way of writing {self.store}.",
                )
            if any(before.get(key) != self._owner[key] for key in ("host", "word")):
                raise self._held(before, may=True)
            self._remove()
            if not self._create():
                raise self._held(self._read())
            _log.warning("%s: took over the lock of %s, which is not running any more", self.store, _named(before))
        if self._create():  # a second time, which a server that locks refuses
            self._remove()
            raise errors.StoreError(
                f"cannot write {self.store}: its server creates an object that exists already, so it cannot lock",
                hint="Write to a folder and copy it there.",
            )

    def _create(self) -> bool:
        """Create the object; whether there was none.

        Raises
        ------
        StoreError
            If it cannot be written for another reason.
        """
        files, name = file_system(self.url)
        content = json.dumps(self._owner).encode()
        try:
            with asking(self.url):
                files.pipe_file(name, content, mode="create")
        except OSError as error:
            if isinstance(error, errors.StoreError):
                raise
            files.invalidate_cache()
            with contextlib.suppress(OSError), asking(self.url):
                if files.exists(name):
                    return False
            raise errors.StoreError(
                f"cannot write {self.store}: {error.strerror or error}",
                hint="Make the bucket first, and choose a place you may write to.",
            ) from error
        return True

    def _remove(self) -> None:
        files, name = file_system(self.url)
        with asking(self.url):
            files.rm_file(name)

    def _read(self) -> dict[str, Any] | None:
        """The content of the object, ``None`` if it is not a lock."""
        files, name = file_system(self.url)
        try:
            with asking(self.url):
                owner = json.loads(files.cat_file(name, start=0, end=LARGEST))
        except (OSError, ValueError, RecursionError):
            return None
        return owner if isinstance(owner, dict) and {"host", "pid"} <= owner.keys() else None

    def _held(self, owner: dict[str, Any] | None, *, may: bool = False) -> errors.StoreError:
        if may:
            return errors.StoreError(
                f"{self.store} is being written by {_named(owner)}, which may still be running",
                hint=f"If it is not running, remove the object {self.url}.",
            )
        return errors.StoreError(f"{self.store} is being written by {_named(owner)}", hint="Wait for it, or stop it.")

    def _local_file(self) -> Path:
        """The file of this host for this URL, in a folder that belongs to the user; objects in memory are those of a process."""
        user = os.getuid() if hasattr(os, "getuid") else ""
        folder = Path(tempfile.gettempdir(), f"semidirect-locks-{user}")
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            if folder.is_symlink() or (user != "" and folder.lstat().st_uid != user):
                raise OSError(f"{folder} belongs to somebody else")
        except OSError as error:
            raise errors.StoreError(
                f"cannot lock {self.store}: {error}", hint="Set TMPDIR to a folder of yours."
            ) from error
        own = f" {os.getpid()}" if self.store.startswith("memory:") else ""
        return folder / f"{hashlib.sha256(f'{self.store}{own}'.encode()).hexdigest()}.lock"


def _named(owner: dict[str, Any] | None) -> str:
    return f"process {owner['pid']} on {owner['host']}" if owner else "another process"
