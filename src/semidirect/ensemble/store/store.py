"""A run on disk, chunk by chunk."""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from semidirect.core.errors import StoreError
from semidirect.ensemble.store.files import remove_partial, write_whole
from semidirect.ensemble.store.manifest import Manifest


@dataclass(frozen=True, eq=False)
class Store:
    """A Zarr v3 group whose chunks are those of the run; a chunk counts once its checksums are there, which come last.

    Two runs of one configuration leave the same bytes in every file, whoever computed what in which order.
    """

    path: Path
    manifest: Manifest

    @classmethod
    def create(cls, path: Path, manifest: Manifest, fixed: Mapping[str, np.ndarray]) -> Store:
        """A store without chunks, whole or not at all; what others that died began in its place is removed.

        Raises
        ------
        StoreError
            If it cannot be written.
        """
        growing = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            for begun in path.parent.glob(f"{glob.escape(path.name)}.*.new"):
                if begun.name.split(".")[-2].isdecimal():
                    shutil.rmtree(begun, ignore_errors=True)
            known = {array.file(0): array.encoded(fixed[name]) for name, array in manifest.fixed.items()}
            for name, content in {**manifest.files(), **known}.items():
                (growing / name).parent.mkdir(parents=True, exist_ok=True)
                (growing / name).write_bytes(content)
            growing.rename(path)
        except OSError as error:
            shutil.rmtree(growing, ignore_errors=True)
            raise StoreError(
                f"cannot write {path}: {error.strerror or error}", hint="Choose a place you may write to."
            ) from error
        return cls(path, manifest)

    @classmethod
    def open(cls, path: Path) -> Store:
        """What is there.

        Raises
        ------
        StoreError
            If it is not there, or not a run.
        """
        if not path.exists():
            raise StoreError(f"there is no {path}", hint="Write one with run.save(path) or semidirect run … -o path.")
        try:
            content = (path / "zarr.json").read_bytes()
        except OSError as error:
            raise StoreError(f"{path} cannot be read as a run: {error.strerror or error}: zarr.json") from error
        return cls(path, Manifest.decoded(content, path))

    def check_metadata(self) -> None:
        """Compare all metadata with what the manifest says.

        Raises
        ------
        StoreError
            If something is missing or was changed.
        """
        for name, content in self.manifest.files().items():
            try:
                found = (self.path / name).read_bytes()
            except OSError as error:
                raise StoreError(f"{self.path} cannot be read as a run: {error.strerror or error}: {name}") from error
            if found != content:
                raise StoreError(f"{self.path} cannot be read as a run: {name} was changed")

    def write_metadata(self) -> None:
        """Write all metadata, the manifest first."""
        for name, content in self.manifest.files().items():
            write_whole(self.path / name, content)

    def fixed(self, name: str) -> np.ndarray:
        """An array that does not grow with the chunks, such as ``record/times``."""
        array = self.manifest.fixed[name]
        try:
            return array.decoded((self.path / array.file(0)).read_bytes(), array.shape)
        except (OSError, ValueError) as error:
            raise StoreError(f"{self.path} cannot be read as a run: {error}: {array.file(0)}") from error

    # -- chunks ----------------------------------------------------------------------------------------------------

    def done(self) -> list[int]:
        """The numbers of the chunks that are there, ascending."""
        marks = self.manifest.marks
        names = re.compile(r"c\.(\d+)\.0\.0")
        found = [(m, e) for e in os.scandir(self.path / marks.name) if (m := names.fullmatch(e.name))]
        numbers = [int(m[1]) for m, entry in found if entry.stat().st_size == marks.size]
        return sorted(n for n in numbers if n < self.manifest.chunks)

    def missing(self) -> list[int]:
        """The numbers of the other chunks."""
        done = set(self.done())
        return [n for n in range(self.manifest.chunks) if n not in done]

    def write(self, number: int, values: Mapping[str, np.ndarray]) -> None:
        """Write a chunk, its checksums last.

        Raises
        ------
        StoreError
            If it cannot be written; the chunks before are as they were.
        """
        manifest = self.manifest
        sums = []
        try:
            for name, array in manifest.layout.items():
                content = array.encoded(values[name])
                sums.append(hashlib.sha256(content).digest())
                write_whole(self.path / array.file(number), content)
            write_whole(self.path / manifest.marks.file(number), b"".join(sums))
        except OSError as error:
            done = f"{len(self.done())} of {manifest.chunks} chunks are complete"
            raise StoreError(
                f"cannot write chunk {number} of {self.path}: {error.strerror or error}: {done}",
                hint="They are kept: make room, and finish the run with resume=True or --resume.",
            ) from error

    def forget(self, number: int) -> None:
        """Let a chunk not count any more."""
        (self.path / self.manifest.marks.file(number)).unlink(missing_ok=True)

    def read(self, number: int, names: Iterable[str] | None = None) -> dict[str, np.ndarray]:
        """Some arrays of a chunk, or all.

        Raises
        ------
        StoreError
            If a file is missing or does not have its checksum.
        """
        marks, layout = self.manifest.marks, self.manifest.layout
        order = list(layout)
        try:
            sums = (self.path / marks.file(number)).read_bytes()
            out = {}
            for name in order if names is None else names:
                content = (self.path / layout[name].file(number)).read_bytes()
                first = 32 * order.index(name)
                if hashlib.sha256(content).digest() != sums[first : first + 32]:
                    raise self._damaged(number, layout[name].file(number), f"{len(content)} bytes, another checksum")
                out[name] = layout[name].decoded(content, self.manifest.shape(name, number))
            return out
        except StoreError:
            raise
        except OSError as error:
            raise self._damaged(number, str(error.filename), error.strerror or str(error)) from error

    def check_sizes(self) -> None:
        """Look whether the files of the chunks that count are there as a whole.

        Raises
        ------
        StoreError
            That names the first chunk of which a file is missing or was cut off.
        """
        done = self.done()
        for array in self.manifest.layout.values():
            sizes = {entry.name: entry.stat().st_size for entry in os.scandir(self.path / array.name)}
            for number in done:
                size = sizes.get(array.file(number).rpartition("/")[2])
                if size is None or size != (array.size or size):
                    got = "nothing" if size is None else f"{size} bytes"
                    raise self._damaged(number, array.file(number), f"{got} in the place of {array.size}")

    def repair(self) -> list[int]:
        """Let only those chunks count that are as they were written, and remove what writers that died left.

        Returns
        -------
        list of int
            The chunks that do not count any more.
        """
        remove_partial(self.path)
        bad = []
        for number in self.done():
            try:
                self.read(number)
            except StoreError:
                self.forget(number)
                bad.append(number)
        return bad

    def _damaged(self, number: int, file: str, reason: str) -> StoreError:
        paths = self.manifest.chunk(number)
        return StoreError(
            f"chunk {number} of {self.path}, paths {paths.start} to {paths.stop - 1}, is damaged: {file}: {reason}",
            hint="A run with resume=True or --resume computes it again.",
        )

    def array(self, name: str, numbers: Sequence[int]) -> np.ndarray:
        """An array of some chunks, put together."""
        array = self.manifest.layout[name]
        out = np.empty((sum(len(self.manifest.chunk(n)) for n in numbers), *array.shape[1:]), dtype=array.dtype)
        first = 0
        for number in numbers:
            part = self.read(number, [name])[name]
            out[first : first + len(part)] = part
            first += len(part)
        return out
