"""Output of commands: text, JSON and new folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from semidirect.core import errors
from semidirect.text.printing.figures import plain
from semidirect.text.text_layout import WHOLE, text_width, wrapped


def print_json(value: Any) -> None:
    """Print a value as one line of JSON; a non-finite number is ``null``."""
    print(json.dumps(plain(value), allow_nan=False))


def print_text(text: object) -> None:
    """Print text for people: in lines that fit a terminal, and line by line into a pipe."""
    print(wrapped(str(text), text_width(piped=WHOLE)))


def new_folder(path: Path) -> Path:
    """The path, after a check that a folder can be created there, by creating it and removing it again.

    Raises
    ------
    StoreError
        If something exists there, or a folder cannot be created.
    """
    if path.exists() or path.is_symlink():
        raise errors.StoreError(f"{path} exists already", hint="Choose another name, or remove it.")
    if not path.parent.exists():
        raise errors.StoreError(f"cannot write {path}: there is no folder {path.parent}", hint="Make it first.")
    try:
        path.mkdir()
        path.rmdir()
    except OSError as error:
        reason = error.strerror or str(error)
        raise errors.StoreError(f"cannot write {path}: {reason}", hint="Choose a place you may write to.") from error
    return path
