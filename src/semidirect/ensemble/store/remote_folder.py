"""A folder in a bucket, or wherever fsspec reaches."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

from semidirect.core import errors
from semidirect.ensemble.store.file_errors import reading, writing
from semidirect.ensemble.store.files import is_partial
from semidirect.ensemble.store.folder import MANIFEST, NOTE, Folder
from semidirect.ensemble.store.remote_files import asking, file_system
from semidirect.ensemble.store.remote_lock import RemoteLock

AT_ONCE = 2**26
"""Bytes of the objects that are sent together."""


@final
@dataclass(frozen=True)
class RemoteFolder(Folder):
    """The objects whose names begin with that of a URL. An object appears as a whole, and a name cannot be changed: what is
    created begins with its manifest, so that an interrupted creation can be resumed.
    """

    url: str
    most_chunks: ClassVar[int] = 256
    """Every object costs a request: there are fewer, larger ones than files on a disk."""

    @property
    def place(self) -> str:
        """The URL."""
        return self.url

    def __str__(self) -> str:
        return self.url

    @property
    def of_one_process(self) -> bool:
        """Of ``memory://``, of which a process that is forked has a copy."""
        return self.url.startswith("memory://")

    def exists(self) -> bool:
        """Whether there is an object of this name, or one whose name begins with it."""
        files, root = self._files()
        with asking(self.url):
            return bool(files.exists(root))

    def read(self, name: str, most: int) -> bytes:
        """The bytes of an object; of a longer one, no more is read."""
        files, root = file_system(self.url)
        with asking(self.url, name):
            try:
                content = files.cat_file(f"{root}/{name}", start=0, end=most + 1)
            except OSError as error:
                if error.errno != errno.EINVAL or files.size(f"{root}/{name}"):
                    raise
                content = b""  # of an empty object no first byte can be asked for
            if len(content) > most:
                raise OSError(errno.EFBIG, f"more than {most} bytes")
            return bytes(content)

    def read_each(self, most: Mapping[str, int]) -> Iterator[tuple[str, bytes]]:
        """The bytes of several objects, which are asked for at once."""
        files, root = file_system(self.url)
        names = [f"{root}/{name}" for name in most]
        ends = [size + 1 for size in most.values()]
        with asking(self.url):
            contents = files.cat_ranges(names, [0] * len(names), ends, on_error="return")
        for name, size, content in zip(most, most.values(), contents, strict=True):
            if isinstance(content, Exception):
                content = self.read(name, size)  # which says what is wrong
            yield name, bytes(content)

    def sizes(self, *folders: str) -> Mapping[str, int | None]:
        """The bytes of the objects in some folders, of several by one list of all."""
        files, root = self._files()
        with asking(self.url):
            at = f"{root}/{folders[0]}" if len(folders) == 1 else root
            entries = files.find(at, detail=True)
        prefix = f"{root}/"
        return {key.removeprefix(prefix): entry["size"] for key, entry in entries.items() if key.startswith(prefix)}

    def write(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Send objects, several at once."""
        batch: dict[str, bytes] = {}
        size = 0
        for name, content in files:
            batch[name] = content
            size += len(content)
            if size > AT_ONCE:
                self._send(batch)
                batch, size = {}, 0
        self._send(batch)

    def _send(self, batch: Mapping[str, bytes]) -> None:
        if batch:
            to, root = file_system(self.url)
            with asking(self.url, next(iter(batch)) if len(batch) == 1 else ""):
                to.pipe({f"{root}/{name}": content for name, content in batch.items()})

    def remove(self, name: str) -> None:
        """Remove an object, if it exists."""
        files, root = file_system(self.url)
        try:
            with asking(self.url, name):
                files.rm_file(f"{root}/{name}")
        except FileNotFoundError:
            return

    def remove_partial(self) -> None:
        """Remove those that were copied from a folder; an object appears as a whole, so there are no others."""
        for name in filter(is_partial, self.sizes()):
            self.remove(name)

    def create(self, files: Mapping[str, bytes]) -> None:
        """Send the first objects, the manifest before all others."""
        try:
            self.write([(MANIFEST, files[MANIFEST])])
            self.write((name, content) for name, content in files.items() if name != MANIFEST)
        except BaseException:
            for name in (*(n for n in files if n != MANIFEST), MANIFEST):
                self._remove_quietly(name)
            raise

    def _remove_quietly(self, name: str) -> None:
        try:
            self.remove(name)
        except OSError:  # the error that led here says more
            return

    def lock(self) -> RemoteLock:
        """An object next to it."""
        return RemoteLock(self.url)

    def refuse_without_room(self, size: float) -> None:
        """A bucket has room."""

    # -- replacement by a longer run -------------------------------------------------------------------------------

    def beside(self, note: bytes) -> Self:
        """The folder ``longer`` in the folder next to it."""
        beside = self._beside
        with writing(beside.url):
            if not beside.exists():
                beside.write([(NOTE, note)])
        self._refuse_what_is_not_ours(note)
        longer = type(self)(f"{beside.url}/longer")
        if longer.exists() and MANIFEST not in longer.sizes():
            longer._clear()  # what an interrupted exchange left
        return longer

    def set_aside(self) -> None:
        """Say next to the longer run that it is finished."""
        with writing(self.url):
            self._beside.write([("finished", b"finished")])

    def exchange(self, note: bytes) -> None:
        """Copy the objects of the longer run here, and remove its folder. Until all are here, each call begins again."""
        beside = self._beside
        with reading(beside.url):
            here = set(beside.sizes())
        if "finished" not in here:
            return
        self._refuse_what_is_not_ours(note)
        with writing(self.url):
            names = sorted(name.removeprefix("longer/") for name in here if name.startswith("longer/"))
            if MANIFEST in names:
                self._clear()
                self._copy(f"{beside.url}/longer", [name for name in names if name != MANIFEST])
                self._copy(f"{beside.url}/longer", [MANIFEST])
                beside.remove(f"longer/{MANIFEST}")
            beside.remove("finished")
            beside._clear()

    def _copy(self, source: str, names: list[str]) -> None:
        (files, root), (_, begin) = file_system(self.url), file_system(source)
        with asking(self.url):
            files.copy([f"{begin}/{n}" for n in names], [f"{root}/{n}" for n in names])

    def _clear(self) -> None:
        files, root = self._files()
        with asking(self.url):
            files.rm(root, recursive=True)
        files.invalidate_cache()

    def _files(self) -> tuple[Any, str]:
        """The file system, without what it remembers, and the name of the folder."""
        files, root = file_system(self.url)
        files.invalidate_cache()
        return files, root

    @property
    def _beside(self) -> Self:
        return type(self)(f"{self.url}.extending")

    def _refuse_what_is_not_ours(self, note: bytes) -> None:
        beside = self._beside
        with reading(beside.url):
            if beside.read(NOTE, len(note)) != note:
                raise errors.StoreError(f"{beside.url} was not made to extend this run", hint="Move it away.")
