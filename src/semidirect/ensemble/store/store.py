"""A run on disk, chunk by chunk."""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from semidirect.core import errors
from semidirect.ensemble.store.files import place, read_file, remove_partial, write_whole
from semidirect.ensemble.store.layout import StoredArray
from semidirect.ensemble.store.manifest import Manifest

LARGEST_MANIFEST = 2**30
"""Bytes; enough for an own initial state of each of 10⁷ paths."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn every exception that a damaged store causes into a :class:`StoreError`."""
    try:
        yield
    except errors.StoreError:
        raise
    except MemoryError as error:
        raise errors.StoreError(
            f"{path} does not fit into memory", hint="Run.parts(path) reads a run chunk by chunk."
        ) from error
    except OSError as error:
        where = Path(str(error.filename or path))
        name = where.relative_to(path) if where.is_relative_to(path) else where
        raise errors.StoreError(f"{path} cannot be read as a run: {name}: {error.strerror or error}") from error
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise errors.StoreError(f"{path} cannot be read as a run: {type(error).__name__}: {error}") from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn errors of the operating system about a file of a store into a :class:`StoreError`."""
    try:
        yield
    except errors.StoreError:
        raise
    except OSError as error:
        where = f": {error.filename}" if error.filename is not None else ""
        raise errors.StoreError(
            f"cannot write {path}: {error.strerror or error}{where}", hint="Choose a place you may write to."
        ) from error


@dataclass(frozen=True, eq=False)
class Store:
    """A Zarr v3 group with the chunks of the run; a chunk is valid once its checksums exist, which are written last.

    Two runs of one configuration write the same bytes in every file, independently of workers and their order.
    """

    path: Path
    manifest: Manifest

    @classmethod
    def create(cls, path: Path, manifest: Manifest, fixed: Mapping[str, np.ndarray]) -> Store:
        """A store without chunks, created completely or not at all; remains of interrupted attempts are removed.

        Raises
        ------
        StoreError
            If it cannot be written.
        """
        fixed_files = {array.file(0): array.encoded(fixed[name]) for name, array in manifest.fixed.items()}
        files = {**fixed_files, **manifest.files()}
        growing = path.with_name(f"{path.name}.{os.getpid()}.new")
        with writing(path):
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
        return cls(path, manifest)

    @classmethod
    def open(cls, path: Path) -> Store:
        """An existing store, with its manifest verified.

        Raises
        ------
        StoreError
            If it does not exist, or is not a run.
        """
        with reading(path):
            if not path.exists():
                raise errors.StoreError(
                    f"there is no {path}", hint="Write one with run.save(path) or semidirect run … -o path."
                )
            return cls(path, Manifest.decoded(read_file(path / "zarr.json", LARGEST_MANIFEST), path))

    def check_metadata(self) -> None:
        """Compare all metadata with the manifest.

        Raises
        ------
        StoreError
            If an entry is missing or was changed.
        """
        with reading(self.path):
            for name, content in self.manifest.files().items():
                if read_file(self.path / name, len(content)) != content:
                    raise errors.StoreError(f"{self.path} cannot be read as a run: {name} was changed")

    def write_metadata(self) -> None:
        """Write all metadata, the manifest last.

        Raises
        ------
        StoreError
            If they cannot be written.
        """
        files = self.manifest.files()
        with writing(self.path):
            for name in [*(n for n in files if n != "zarr.json"), "zarr.json"]:
                write_whole(place(self.path, name), files[name])

    def write_fixed(self, fixed: Mapping[str, np.ndarray]) -> None:
        """Write again the damaged ones among the arrays that do not grow with the chunks.

        Raises
        ------
        StoreError
            If they cannot be written, or do not belong to this run.
        """
        for name, array in self.manifest.fixed.items():
            try:
                self.fixed(name)
            except errors.StoreError:
                content = array.encoded(fixed[name])
                if hashlib.sha256(content).hexdigest() != self.manifest.given[name].checksum:
                    raise
                with writing(self.path):
                    write_whole(place(self.path, array.file(0)), content)

    def fixed(self, name: str) -> np.ndarray:
        """An array that does not grow with the chunks, such as ``record/times``, verified.

        Raises
        ------
        StoreError
            If its file is missing or does not have its checksum.
        """
        array, entry = self.manifest.fixed[name], self.manifest.given[name]
        with reading(self.path):
            content = read_file(self.path / array.file(0), array.largest)
            if hashlib.sha256(content).hexdigest() != entry.checksum:
                raise errors.StoreError(
                    f"{self.path} is damaged: {array.file(0)}: {len(content)} bytes, another checksum",
                    hint="A run with Save(resume=True) or --resume writes it again.",
                )
            return array.decoded(content, array.shape)

    # -- chunks ----------------------------------------------------------------------------------------------------

    def done(self) -> list[int]:
        """The numbers of the finished chunks, ascending.

        Raises
        ------
        StoreError
            If the folder of the checksums cannot be read.
        """
        marks = self.manifest.marks
        names = re.compile(r"c\.(0|[1-9]\d{0,18})\.0\.0")
        if not (self.path / marks.name).exists():
            return []
        with reading(self.path), os.scandir(self.path / marks.name) as entries:
            chunks = [(int(m[1]), _size(e)) for e in entries if (m := names.fullmatch(e.name))]
        return sorted(n for n, size in chunks if n < self.manifest.chunks and size == marks.size)

    def missing(self) -> Iterator[int]:
        """The numbers of the other chunks, ascending."""
        complete = set(self.done())
        return (n for n in range(self.manifest.chunks) if n not in complete)

    @property
    def lacks(self) -> int:
        """The number of missing chunks."""
        return self.manifest.chunks - len(self.done())

    def write(self, number: int, values: Mapping[str, np.ndarray]) -> None:
        """Write a chunk, its checksums last.

        Raises
        ------
        StoreError
            If it cannot be written; earlier chunks are not affected.
        """
        manifest = self.manifest
        sums = []
        try:
            for name, array in manifest.layout.items():
                content = array.encoded(values[name])
                sums.append(hashlib.sha256(content).digest())
                write_whole(place(self.path, array.file(number)), content)
            sums.append(manifest.seal(number, b"".join(sums)))
            write_whole(place(self.path, manifest.marks.file(number)), b"".join(sums))
        except OSError as error:
            progress = f"{manifest.chunks - self.lacks} of {manifest.chunks} chunks are complete"
            raise errors.StoreError(
                f"cannot write chunk {number} of {self.path}: {error.strerror or error}: {progress}",
                hint="These chunks are kept: free disk space, and finish the run with Save(resume=True) or --resume.",
            ) from error

    def forget(self, number: int) -> None:
        """Mark a chunk as unfinished."""
        with writing(self.path):
            place(self.path, self.manifest.marks.file(number)).unlink(missing_ok=True)

    def read(self, number: int, names: Iterable[str] | None = None) -> dict[str, np.ndarray]:
        """Some arrays of a chunk, or all.

        Raises
        ------
        StoreError
            If a file is missing or does not match its checksum, or if the checksums belong to another chunk.
        """
        marks, layout = self.manifest.marks, self.manifest.layout
        order = list(layout)
        with reading(self.path):
            checksums = self._content(marks, number)
            if len(checksums) != marks.size or self.manifest.seal(number, checksums[:-32]) != checksums[-32:]:
                raise self._damaged(number, marks.file(number), "checksums of another chunk or run")
            out = {}
            for name in order if names is None else names:
                content = self._content(layout[name], number)
                first = 32 * order.index(name)
                if hashlib.sha256(content).digest() != checksums[first : first + 32]:
                    raise self._damaged(number, layout[name].file(number), f"{len(content)} bytes, another checksum")
                try:
                    out[name] = layout[name].decoded(content, self.manifest.shape(name, number))
                except ValueError as error:
                    raise self._damaged(number, layout[name].file(number), str(error)) from error
            return out

    def _content(self, array: StoredArray, number: int) -> bytes:
        """The bytes of the file of a chunk; a file that is too long raises an error."""
        try:
            return read_file(self.path / array.file(number), array.largest)
        except OSError as error:
            raise self._damaged(number, array.file(number), error.strerror or str(error)) from error

    def check_sizes(self) -> None:
        """Check the sizes of all files of finished chunks.

        Raises
        ------
        StoreError
            With the name of the first missing or truncated file, and its chunk.
        """
        complete = self.done()
        with reading(self.path):
            for array in self.manifest.layout.values():
                with os.scandir(self.path / array.folder) as entries:
                    sizes = {entry.name: _size(entry) for entry in entries}
                for number in complete:
                    size = sizes.get(array.file(number).rpartition("/")[2])
                    if size is None or size != (array.size or size) or size > array.largest:
                        got = "nothing" if size is None else f"{size} bytes"
                        raise self._damaged(
                            number, array.file(number), f"{got} instead of {array.size or array.largest}"
                        )
            for array in self.manifest.fixed.values():
                size = (self.path / array.file(0)).stat().st_size
                if size != array.size:
                    raise errors.StoreError(
                        f"{self.path} is damaged: {array.file(0)}: {size} bytes instead of {array.size}",
                        hint="A run with Save(resume=True) or --resume writes it again.",
                    )

    def repair(self) -> list[int]:
        """Mark damaged chunks as unfinished, and remove partial files of interrupted writers.

        Returns
        -------
        list of int
            The damaged chunks.
        """
        with writing(self.path):
            remove_partial(self.path)
        bad = []
        for number in self.done():
            try:
                self.read(number)
            except errors.StoreError:
                self.forget(number)
                bad.append(number)
        return bad

    def _damaged(self, number: int, file: str, reason: str) -> errors.StoreError:
        paths = self.manifest.chunk(number)
        return errors.StoreError(
            f"chunk {number} of {self.path}, paths {paths.start} to {paths.stop - 1}, is damaged: {file}: {reason}",
            hint="A run with Save(resume=True) or --resume computes it again.",
        )

    def array(self, name: str, numbers: Sequence[int]) -> np.ndarray:
        """An array of some chunks, concatenated."""
        array = self.manifest.layout[name]
        parts = (self.read(number, [name])[name] for number in numbers)
        with reading(self.path):
            out: np.ndarray | None = None
            first = 0
            for part in parts:
                if out is None:  # allocated after the first file turned out to have the size in the manifest
                    count = sum(len(self.manifest.chunk(n)) for n in numbers)
                    out = np.empty((count, *array.shape[1:]), dtype=array.dtype)
                out[first : first + len(part)] = part
                first += len(part)
            return np.empty((0, *array.shape[1:]), dtype=array.dtype) if out is None else out


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
