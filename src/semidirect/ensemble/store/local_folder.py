"""A folder of the file system."""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self, final

from semidirect.core import errors
from semidirect.engines import stepping
from semidirect.ensemble.store.file_errors import reading, writing
from semidirect.ensemble.store.files import place, read_file, remove_partial, write_whole
from semidirect.ensemble.store.folder import NOTE, Folder
from semidirect.ensemble.store.lock import Lock


@final
@dataclass(frozen=True)
class LocalFolder(Folder):
    """A folder of the file system; links in it are read, and nothing is written through them."""

    path: Path
    most_chunks: ClassVar[int] = 16384

    @property
    def place(self) -> Path:
        """The path."""
        return self.path

    def __str__(self) -> str:
        return str(self.path)

    def exists(self) -> bool:
        """Whether anything exists there, even a link to nothing."""
        return os.path.lexists(self.path)

    def read(self, name: str, most: int) -> bytes:
        """The bytes of a file."""
        return read_file(self.path / name, most)

    def sizes(self, *folders: str) -> Mapping[str, int | None]:
        """The bytes of the files in some folders."""
        out: dict[str, int | None] = {}
        for folder in folders:
            with os.scandir(self.path / folder) as entries:
                out |= {f"{folder}/{entry.name}": _size(entry) for entry in entries}
        return out

    def write(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Write files, one after the other."""
        for name, content in files:
            write_whole(place(self.path, name), content)

    def remove(self, name: str) -> None:
        """Remove a file, if it exists."""
        place(self.path, name).unlink(missing_ok=True)

    def remove_partial(self) -> None:
        """Remove partial files of interrupted writers."""
        remove_partial(self.path)

    def create(self, files: Mapping[str, bytes]) -> None:
        """The folder with its first files, under another name before; remains of interrupted attempts are removed."""
        path = self.path
        growing = path.with_name(f"{path.name}.{os.getpid()}.new")
        for begun in path.parent.glob(f"{glob.escape(path.name)}.*.new"):
            if begun.name.split(".")[-2].isdecimal() and _holds_only(begun, files):
                shutil.rmtree(begun)
        growing.mkdir()
        try:
            for name, content in files.items():
                place(growing, name).write_bytes(content)
            growing.rename(path)
        except BaseException:
            shutil.rmtree(growing, ignore_errors=True)
            raise

    def lock(self) -> Lock:
        """The lock of the operating system on a file next to it."""
        return Lock(self.path)

    def refuse_without_room(self, size: float) -> None:
        """Raise a :class:`StoreError` if the disk has less room."""
        stepping.refuse_without_disk(self.path, size)

    def real(self) -> Self:
        """The folder with links resolved, so that a store has one lock under all of its names."""
        with writing(self.path):
            return type(self)(
                self.path.resolve(strict=True) if self.path.is_symlink() and self.path.exists() else self.path
            )

    def absolute(self) -> Self:
        """The same folder, with an absolute path."""
        return type(self)(self.path.absolute())

    def beside(self, note: bytes) -> Self:
        """The folder ``longer`` in the folder next to it."""
        beside = self._beside
        with writing(beside):
            if not os.path.lexists(beside):
                beside.mkdir()
            if not beside.is_symlink() and not any(beside.iterdir()):
                write_whole(beside / NOTE, note)
        self._refuse_what_is_not_ours(note)
        return type(self)(beside / "longer")

    def set_aside(self) -> None:
        """Rename it to ``shorter``, next to the longer run."""
        with writing(self.path):
            self.path.rename(self._beside / "shorter")

    def exchange(self, note: bytes) -> None:
        """Rename the longer run and remove the shorter one."""
        beside = self._beside
        shorter, longer = beside / "shorter", beside / "longer"
        if not shorter.exists():
            return
        self._refuse_what_is_not_ours(note)
        with writing(self.path):
            if not self.path.exists():
                longer.rename(self.path)
            elif longer.exists():
                raise errors.StoreError(
                    f"{self.path} was written while it was being extended", hint=f"Remove {beside}."
                )
            shutil.rmtree(shorter)
            (beside / NOTE).unlink()
            beside.rmdir()

    @property
    def _beside(self) -> Path:
        return self.path.with_name(f"{self.path.name}.extending")

    def _refuse_what_is_not_ours(self, note: bytes) -> None:
        """Raise a :class:`StoreError` if the folder was not made to extend this run, since its content may be replaced or
        removed.
        """
        beside = self._beside
        links = [p for p in (beside, beside / "longer", beside / "shorter") if p.is_symlink()]
        with reading(beside):
            if links or read_file(beside / NOTE, len(note)) != note:
                raise errors.StoreError(f"{beside} was not made to extend this run", hint="Move it away.")


def _size(entry: os.DirEntry[str]) -> int | None:
    """The number of bytes of a file, ``None`` if it does not exist."""
    try:
        return entry.stat().st_size
    except OSError:
        return None


def _holds_only(folder: Path, names: Iterable[str]) -> bool:
    """Whether a folder contains only files of these names: no chunk, and no files of others."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    expected, inside = set(names), [p for p in folder.rglob("*") if p.is_symlink() or not p.is_dir()]
    return all(not p.is_symlink() and p.relative_to(folder).as_posix() in expected for p in inside)
