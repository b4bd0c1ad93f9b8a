"""A folder of results that knows which files are its own: those may be replaced, others never are."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import final

from semidirect.core.errors import StoreError

__all__ = ["OutputFolder"]

MANIFEST = "manifest.json"


@final
@dataclass(frozen=True)
class OutputFolder:
    """A folder with a list of what was written into it, ``manifest.json``.

    Attributes
    ----------
    path : Path
        The folder.
    format : str
        What writes there, as the manifest says it.
    """

    path: Path
    format: str

    def claim(self, names: Sequence[str]) -> None:
        """Make the folder and announce what is going to be written, before anything is computed.

        Raises
        ------
        StoreError
            If the folder cannot be made or written, or one of the names is there and is not of the manifest.
        """
        if self.path.exists() and not self.path.is_dir():
            raise StoreError(f"{self.path} is not a folder", hint="Choose another name.")
        with self.writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        mine = self.listed()
        foreign = [n for n in (*names, MANIFEST) if n not in mine and self._there(n)]
        if foreign:
            raise StoreError(
                f"{self.path} holds {foreign[0]!r}, which this command has not written",
                hint="Choose another folder, or move that away.",
            )
        self._announce(sorted({*mine, *names}))

    def finish(self, names: Sequence[str]) -> None:
        """Remove what earlier runs left, so that the folder holds ``names`` and what was never its own."""
        for name in self.listed():
            if name not in (*names, MANIFEST):
                self.remove(name)
        self._announce(sorted(names))

    def listed(self) -> list[str]:
        """What the manifest lists, itself included; nothing if there is none of this format."""
        try:
            manifest = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        if not isinstance(manifest, dict) or manifest.get("format") != self.format:
            return []
        return [MANIFEST, *(str(n) for n in manifest.get("files", []) if self._inside(str(n)))]

    def place(self, name: str) -> Path:
        """Where to write ``name``: its folder is there, and it is not."""
        target = self.path / name
        with self.writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
        self.remove(name)
        return target

    def remove(self, name: str) -> None:
        """Remove a file or folder of this one, if it is there."""
        target = self.path / name
        with self.writing(target):
            if target.is_dir() and not target.is_symlink():
                shutil.rmtree(target)
            else:
                target.unlink(missing_ok=True)

    def write(self, name: str, text: str) -> Path:
        """Write text."""
        target = self.place(name)
        with self.writing(target):
            target.write_text(text, encoding="utf-8")
        return target

    @staticmethod
    @contextmanager
    def writing(target: Path) -> Iterator[None]:
        """Turn what the system says about a file into a :class:`StoreError`."""
        try:
            yield
        except StoreError:
            raise
        except OSError as error:
            raise StoreError(
                f"cannot write {target}: {error.strerror or error}", hint="Choose a place you may write to."
            ) from error

    def _there(self, name: str) -> bool:
        return (self.path / name).exists() or (self.path / name).is_symlink()

    def _inside(self, name: str) -> bool:
        return not Path(name).is_absolute() and ".." not in Path(name).parts

    def _announce(self, names: Sequence[str]) -> None:
        target = self.path / MANIFEST
        with self.writing(target):
            listed = [n for n in names if n != MANIFEST]
            text = json.dumps({"format": self.format, "files": listed}, indent=1, ensure_ascii=False)
            target.write_text(text + "\n", encoding="utf-8")
