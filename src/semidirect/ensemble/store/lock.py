"""One writer at a time, in a folder."""

from __future__ import annotations

import json
import os
import socket
import stat
from pathlib import Path
from typing import Any, ClassVar, final

from semidirect.core import errors
from semidirect.ensemble.store.files import read_file
from semidirect.ensemble.store.store_lock import LARGEST, StoreLock


@final
class Lock(StoreLock):
    """A lock on a file next to the store, ``run.zarr.lock``, which is the note, too. An empty file is taken over."""

    _mode: ClassVar[int] = 0o644

    def __init__(self, store: Path):
        if not store.name:
            raise errors.StoreError(f"{store} exists already", hint="Choose another name.")
        self.path = store.with_name(f"{store.name}.lock")
        super().__init__(store, self.path)

    def _file(self) -> Path:
        try:
            kind = self.path.lstat().st_mode
        except OSError:  # there is none
            kind = stat.S_IFREG
        if not stat.S_ISREG(kind):
            raise self._no_lock()
        if not os.path.isdir(self.path.parent):  # which the library would create
            raise errors.StoreError(f"cannot write {self.store}: there is no folder {self.path.parent}",
                                    hint="Choose a place you may write to.")  # fmt: skip
        return self.path

    def _write_note(self) -> None:
        if _marked_by_the_library(self._lock):
            return
        before = self._owner()
        if before is None:
            raise self._no_lock()
        if before and before.get("host") != socket.gethostname():
            raise self._held_elsewhere(before)
        try:
            with self.path.open("r+") as file:
                file.write(json.dumps(self._me()))
                file.truncate()
        except OSError as error:
            raise errors.cannot_write(self.path, error) from error
        if before:
            self._say_taken_over(before)

    def _remove_note(self) -> None:
        if not _marked_by_the_library(self._lock):
            self.path.unlink(missing_ok=True)

    def _content(self) -> bytes | None:
        try:
            return read_file(self.path, LARGEST)
        except OSError:
            return None


def _marked_by_the_library(lock: Any) -> bool:
    """Whether the file system has no locks, so that the library wrote its own marker into the file."""
    try:
        return bool(lock.is_lock_held_by_us)
    except AttributeError:
        return False
