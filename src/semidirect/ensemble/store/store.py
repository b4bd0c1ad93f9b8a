"""A run on disk, chunk by chunk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from semidirect.core import errors
from semidirect.ensemble.store.file_errors import reading, writing
from semidirect.ensemble.store.folder import MANIFEST, Folder
from semidirect.ensemble.store.folder_at import folder_at
from semidirect.ensemble.store.layout import StoredArray
from semidirect.ensemble.store.manifest import Manifest

LARGEST_MANIFEST = 2**30
"""Bytes; enough for an own initial state of each of 10⁷ paths."""


@dataclass(frozen=True, eq=False)
class Store:
    """A Zarr v3 group with the chunks of the run; a chunk is valid once its checksums exist, which are written last.

    Two runs of one configuration write the same bytes in every file, independently of workers and their order.
    """

    folder: Folder
    manifest: Manifest
    _sums: dict[int, bytes] = field(default_factory=dict, init=False, repr=False)
    """The checksums of chunks, verified, which are read once for all arrays."""

    @property
    def path(self) -> Path | str:
        """Its path or URL."""
        return self.folder.place

    @classmethod
    def create(cls, place: Path | str | Folder, manifest: Manifest, fixed: Mapping[str, np.ndarray]) -> Store:
        """A store without chunks, created completely or not at all; remains of interrupted attempts are removed.

        Raises
        ------
        StoreError
            If it cannot be written.
        """
        fixed_files = {array.file(0): array.encoded(fixed[name]) for name, array in manifest.fixed.items()}
        files = {**fixed_files, **manifest.files()}
        folder = folder_at(place)
        with writing(folder):
            folder.create(files)
        return cls(folder, manifest)

    @classmethod
    def open(cls, place: Path | str | Folder) -> Store:
        """An existing store, with its manifest verified.

        Raises
        ------
        StoreError
            If it does not exist, or is not a run.
        """
        folder = folder_at(place)
        with reading(folder):
            try:
                content = folder.read(MANIFEST, LARGEST_MANIFEST)
            except (FileNotFoundError, NotADirectoryError) as error:
                if folder.exists():
                    raise
                raise errors.StoreError(
                    f"there is no {folder}", hint="Write one with run.save(path) or semidirect run … -o path."
                ) from error
            return cls(folder, Manifest.decoded(content, folder))

    def check_metadata(self) -> None:
        """Compare all metadata with the manifest.

        Raises
        ------
        StoreError
            If an entry is missing or was changed.
        """
        files = self.manifest.files()
        with reading(self.path):
            for name, content in self.folder.read_each({name: len(content) for name, content in files.items()}):
                if content != files[name]:
                    raise errors.StoreError(
                        f"{self.path} cannot be read as a run: {name} was changed",
                        hint="simulate(…) with resume=True writes it again.",
                    )

    def write_metadata(self) -> None:
        """Write all metadata, the manifest last.

        Raises
        ------
        StoreError
            If they cannot be written.
        """
        files = self.manifest.files()
        with writing(self.path):
            self.folder.write((name, content) for name, content in files.items() if name != MANIFEST)
            self.folder.write([(MANIFEST, files[MANIFEST])])

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
                    self.folder.write([(array.file(0), content)])

    def fixed(self, name: str) -> np.ndarray:
        """An array that does not grow with the chunks, such as ``record/times``, verified.

        Raises
        ------
        StoreError
            If its file is missing or does not have its checksum.
        """
        array, entry = self.manifest.fixed[name], self.manifest.given[name]
        with reading(self.path):
            content = self.folder.read(array.file(0), array.largest)
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
        names = re.compile(rf"{marks.folder}/c\.(0|[1-9]\d{{0,18}})\.0\.0")
        with reading(self.path):
            try:
                entries = self.folder.sizes(marks.folder)
            except FileNotFoundError:
                return []
            chunks = [(int(m[1]), size) for name, size in entries.items() if (m := names.fullmatch(name))]
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
        sums: list[bytes] = []

        def contents() -> Iterator[tuple[str, bytes]]:
            for name, array in manifest.layout.items():
                content = array.encoded(values[name])
                sums.append(hashlib.sha256(content).digest())
                yield array.file(number), content

        try:
            self.folder.write(contents())
            sums.append(manifest.seal(number, b"".join(sums)))
            self.folder.write([(manifest.marks.file(number), b"".join(sums))])
        except OSError as error:
            progress = f"{manifest.chunks - self.lacks} of {manifest.chunks} chunks are complete"
            raise errors.StoreError(
                f"cannot write chunk {number} of {self.path}: {error.strerror or error}: {progress}",
                hint="These chunks are kept: free disk space, and finish the run with Save(resume=True) or --resume.",
            ) from error

    def forget(self, number: int) -> None:
        """Mark a chunk as unfinished."""
        self._sums.pop(number, None)
        with writing(self.path):
            self.folder.remove(self.manifest.marks.file(number))

    def read(self, number: int, names: Iterable[str] | None = None) -> dict[str, np.ndarray]:
        """Some arrays of a chunk, or all.

        Raises
        ------
        StoreError
            If a file is missing or does not match its checksum, or if the checksums belong to another chunk.
        """
        layout = self.manifest.layout
        order = list(layout)
        with reading(self.path):
            checksums = self._checksums(number)
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

    def _checksums(self, number: int) -> bytes:
        """Those of the files of a chunk, and their seal."""
        if number not in self._sums:
            marks = self.manifest.marks
            content = self._content(marks, number)
            if len(content) != marks.size or self.manifest.seal(number, content[:-32]) != content[-32:]:
                raise self._damaged(number, marks.file(number), "checksums of another chunk or run")
            self._sums[number] = content
        return self._sums[number]

    def _content(self, array: StoredArray, number: int) -> bytes:
        """The bytes of the file of a chunk; a file that is too long raises an error."""
        try:
            return self.folder.read(array.file(number), array.largest)
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
            arrays, fixed = self.manifest.layout.values(), self.manifest.fixed.values()
            sizes = self.folder.sizes(*(array.folder for array in (*arrays, *fixed)))
            for array in arrays:
                for number in complete:
                    size = sizes.get(array.file(number))
                    if size is None or size != (array.size or size) or size > array.largest:
                        got = "nothing" if size is None else f"{size} bytes"
                        raise self._damaged(
                            number, array.file(number), f"{got} instead of {array.size or array.largest}"
                        )
            for array in fixed:
                size = sizes.get(array.file(0))
                if size != array.size:
                    got = "nothing" if size is None else f"{size} bytes"
                    raise errors.StoreError(
                        f"{self.path} is damaged: {array.file(0)}: {got} instead of {array.size}",
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
            self.folder.remove_partial()
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
