"""Figures as files: the name is looked at before anything is computed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from semidirect.core.errors import InputError, StoreError

KINDS = (".png", ".pdf", ".svg")


def picture_place(path: Path) -> Path:
    """The path, if a picture can be written there.

    Raises
    ------
    InputError
        For a name that does not say what kind of picture it is.
    StoreError
        If there is no such folder, or a folder is there.
    """
    if path.suffix.lower() not in KINDS:
        raise InputError(f"cannot draw {path}", expected=f"a name that ends in one of {', '.join(KINDS)}")
    if not path.parent.is_dir():
        raise StoreError(f"cannot write {path}: there is no folder {path.parent}", hint="Make it first.")
    if path.is_dir():
        raise StoreError(f"cannot write {path}: it is a folder", hint="Choose another name.")
    return path


def write_picture(figure: Any, path: Path) -> None:
    """Write a figure of Matplotlib."""
    from semidirect.analysis import style

    try:
        with style.styled():
            figure.savefig(path)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error
