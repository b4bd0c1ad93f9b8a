"""The few operations that a run on disk needs of the folder that holds it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, Self

MANIFEST = "zarr.json"
"""The file that makes a folder a run."""
NOTE = "extension.json"
"""Name of the note in the folder in which a run is extended."""


class Folder(ABC):
    """A folder whose files exist completely or not at all; ``name`` is that of a file below it, with slashes.

    Attributes
    ----------
    most_chunks : int
        The most chunks that a run has here, unless they would become too large.
    place : Path or str
        The path, or the URL.
    """

    most_chunks: ClassVar[int]

    @property
    @abstractmethod
    def place(self) -> Path | str:
        """The path, or the URL."""

    @property
    def name(self) -> str:
        """The last part of it."""
        return Path(self.place).name

    def __str__(self) -> str:
        return str(self.place)

    @abstractmethod
    def exists(self) -> bool:
        """Whether anything exists there."""

    @abstractmethod
    def read(self, name: str, most: int) -> bytes:
        """The bytes of a file of at most ``most`` bytes.

        Raises
        ------
        OSError
            If it cannot be read, or is longer.
        """

    def read_each(self, most: Mapping[str, int]) -> Iterable[tuple[str, bytes]]:
        """The bytes of several files, each with the most that it may have."""
        return ((name, self.read(name, size)) for name, size in most.items())

    @abstractmethod
    def sizes(self, *folders: str) -> Mapping[str, int | None]:
        """The bytes of the files in some folders, by their names below this one; ``None`` for an entry without a size.

        Raises
        ------
        OSError
            If a folder cannot be read.
        """

    @abstractmethod
    def write(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Write files, each completely or not at all.

        Raises
        ------
        OSError
            If one cannot be written; then nothing of it remains.
        """

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, if it exists."""

    @abstractmethod
    def remove_partial(self) -> None:
        """Remove partial files of interrupted writers."""

    @abstractmethod
    def create(self, files: Mapping[str, bytes]) -> None:
        """The folder with its first files.

        Raises
        ------
        OSError
            If it cannot be written; then nothing of it remains.
        """

    @abstractmethod
    def lock(self) -> AbstractContextManager[Any]:
        """The lock of the one process that writes; entering it raises a :class:`StoreError` if another one has it."""

    @abstractmethod
    def refuse_without_room(self, size: float) -> None:
        """Raise a :class:`StoreError` if there is less room than so many bytes, as far as that is known."""

    @property
    def of_one_process(self) -> bool:
        """Whether other processes see something else there."""
        return False

    def real(self) -> Self:
        """The same folder under its real name."""
        return self

    def absolute(self) -> Self:
        """The same folder, which is found though the working directory changes."""
        return self

    # -- replacement by a longer run, which is written beside it ---------------------------------------------------------

    @abstractmethod
    def beside(self, note: bytes) -> Self:
        """The folder of the longer run, in one with a note of its purpose.

        Raises
        ------
        StoreError
            If something else exists there.
        """

    @abstractmethod
    def set_aside(self) -> None:
        """Mark the longer run as finished, so that :meth:`exchange` puts it here."""

    @abstractmethod
    def exchange(self, note: bytes) -> None:
        """Replace the files by those of a longer run that is finished, and remove its folder; also completes an interrupted
        exchange.
        """
