"""A folder of results, in which only the written files may be replaced, and only on request."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import final

from semidirect.core import errors
from semidirect.ensemble import Store, place

__all__ = ["OutputFolder"]

RUN = ".zarr"


@final
@dataclass(frozen=True)
class OutputFolder:
    """A folder into which files and runs are written by names that are known before.

    Attributes
    ----------
    path : Path
        The folder.
    force : bool
        Whether what has these names already is replaced: files, links themselves, and runs. Nothing else is removed, and nothing
        is written through a link below the folder.
    """

    path: Path
    force: bool = False

    def claim(self, names: Sequence[str]) -> None:
        """Make the folder, and look whether all can be written, before anything is computed.

        Raises
        ------
        StoreError
            If the folder cannot be made, or something that is not to be replaced is in the way.
        """
        if self.path.exists() and not self.path.is_dir():
            raise errors.StoreError(f"{self.path} is not a folder", hint="Choose another name.")
        with self.writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        for name in names:
            self._refuse_what_is_in_the_way(name)

    def place(self, name: str) -> Path:
        """The place of ``name``: its folder exists, and it does not."""
        self._refuse_what_is_in_the_way(name)
        with self.writing(self.path / name):
            target = place(self.path, name)
            if target.is_dir() and not target.is_symlink():
                shutil.rmtree(target)
            else:
                target.unlink(missing_ok=True)
        return target

    def write(self, name: str, text: str) -> Path:
        """Write text."""
        target = self.place(name)
        with self.writing(target), target.open("x", encoding="utf-8") as file:
            file.write(text)
        return target

    @staticmethod
    @contextmanager
    def writing(target: Path) -> Iterator[None]:
        """Turn errors of the operating system about a file into a :class:`StoreError`."""
        try:
            yield
        except errors.StoreError:
            raise
        except OSError as error:
            raise errors.StoreError(
                f"cannot write {target}: {error.strerror or error}", hint="Choose a place you may write to."
            ) from error

    def _refuse_what_is_in_the_way(self, name: str) -> None:
        target = self.path / name
        for folder in list(target.relative_to(self.path).parents)[-2::-1]:
            where = self.path / folder
            if where.is_symlink() or (where.exists() and not where.is_dir()):
                raise errors.StoreError(
                    f"{where} is not a folder, or a link to one", hint="Choose another folder, or move it away."
                )
        if not (target.exists() or target.is_symlink()):
            return
        if not self.force:
            raise errors.StoreError(
                f"{self.path} holds {name!r} already",
                hint="Choose another folder, or replace the existing files with --force (force=True).",
            )
        if target.is_dir() and not target.is_symlink() and not (name.endswith(RUN) and _is_run(target)):
            raise errors.StoreError(f"{target} is a folder", hint="Choose another folder, or move it away.")


def _is_run(path: Path) -> bool:
    try:
        Store.open(path)
    except errors.StoreError:
        return False
    return True
