"""One writer at a time, where there are no locks of the operating system."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any, ClassVar, final

from semidirect.core import errors
from semidirect.ensemble.store.remote_files import asking, file_system
from semidirect.ensemble.store.store_lock import LARGEST, StoreLock

_log = logging.getLogger(__name__)

EXCLUSIVE = ("memory", "s3", "s3a", "gs", "gcs", "abfs", "abfss", "az")
"""Protocols by which an object is created only if there is none of its name, in one step."""


@final
class RemoteLock(StoreLock):
    """An object next to the store, ``run.zarr.lock``, which is created only if it does not exist.

    Nobody removes it if its process is killed, so the file that is locked is one of the host, with a word that is in this object
    too: if nobody holds that file, and the words are the same, the process has ended, and its lock is taken over.

    Raises
    ------
    StoreError
        Also if the server cannot lock at all.
    """

    _mode: ClassVar[int] = 0o600

    def __init__(self, store: str):
        self.url, self._mine = f"{store}.lock", dict[str, Any]()
        super().__init__(store, f"the object {self.url}")

    def _write_note(self) -> None:
        path = Path(self._lock.lock_file)
        word = path.read_text().strip()
        if not word:
            word = secrets.token_hex(16)
            path.write_text(word)
        self._mine = {**self._me(), "word": word}
        if not self._create():
            before = self._owner()
            if not before:
                raise self._no_lock()
            if any(before.get(key) != self._mine[key] for key in ("host", "word")):
                raise self._held_elsewhere(before)
            self._remove()
            if not self._create():
                raise self._held()
            self._say_taken_over(before)
        if self._create():  # a second time, which a server that locks refuses
            self._remove()
            raise errors.StoreError(
                f"cannot write {self.store}: its server creates an object that exists already, so it cannot lock",
                hint="Write to a folder and copy it there.",
            )

    def _remove_note(self) -> None:
        try:
            if self._owner() == self._mine:
                self._remove()
            Path(self._lock.lock_file).unlink(missing_ok=True)
        except OSError as problem:
            _log.warning("%s: its lock %s could not be removed: %s", self.store, self.url, problem)

    def _create(self) -> bool:
        """Create the object; whether there was none.

        Raises
        ------
        StoreError
            If it cannot be written for another reason.
        """
        files, name = file_system(self.url)
        content = json.dumps(self._mine).encode()
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

    def _content(self) -> bytes | None:
        files, name = file_system(self.url)
        try:
            with asking(self.url):
                return bytes(files.cat_file(name, start=0, end=LARGEST))
        except OSError:
            return None

    def _file(self) -> Path:
        """The file of this host for this URL, in a folder that belongs to the user; objects in memory are those of a process."""
        protocol = str(self.store).partition("://")[0]
        if protocol not in EXCLUSIVE:
            raise errors.StoreError(
                f"cannot write {self.store}: another process could write it, too, since {protocol}:// has no locks",
                hint=f"Write to a folder and copy it there, or to one of {', '.join(EXCLUSIVE)}; reading needs no lock.",
            )
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
        own = f" {os.getpid()}" if protocol == "memory" else ""
        return folder / f"{hashlib.sha256(f'{self.store}{own}'.encode()).hexdigest()}.lock"
