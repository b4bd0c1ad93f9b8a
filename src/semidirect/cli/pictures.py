"""Figures as files: the name is checked before anything is computed."""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.core.errors import InputError, StoreError
from semidirect.ensemble.store.files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_force(parser: argparse.ArgumentParser, what: str) -> None:
    """``--force``."""
    parser.add_argument("--force", action="store_true", help=f"replace {what} that exists already")


def picture_place(path: Path, *, force: bool) -> Path:
    """The path, if a picture can be written there.

    Raises
    ------
    InputError
        For a name that does not say what kind of picture it is.
    StoreError
        If the folder does not exist, or if the name exists: as a folder or, unless ``force``, as a file or link.
    """
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = [f".{kind}" for kind in FigureCanvasBase.get_supported_filetypes() if kind != "pgf"]  # which needs LaTeX
    if path.suffix.lower() not in kinds:
        raise InputError(f"cannot draw {path}", expected=f"a name that ends in one of {', '.join(kinds)}")
    if not path.parent.is_dir():
        raise StoreError(f"cannot write {path}: there is no folder {path.parent}", hint="Make it first.")
    if path.is_dir() and not path.is_symlink():
        raise StoreError(f"cannot write {path}: it is a folder", hint="Choose another name.")
    if not force and (path.exists() or path.is_symlink()):
        raise StoreError(f"{path} exists already", hint="Choose another name, or replace it with --force.")
    return path


def new_picture() -> Axes:
    """Axes of a figure that is not shown."""
    from semidirect.analysis.pictures import style

    with style.styled():
        axes: Axes = style.new_figure(5.0, 3.8).add_subplot()
    return axes


def write_picture(figure: Any, path: Path, *, force: bool) -> None:
    """Write a figure of Matplotlib; with ``force`` it replaces a file or link of this name."""
    from semidirect.analysis.pictures import style

    content = io.BytesIO()
    with style.styled():
        figure.savefig(content, format=path.suffix.lower().removeprefix("."))
    try:
        if force:
            write_whole(path, content.getvalue())
        else:
            with path.open("xb") as file:
                file.write(content.getvalue())
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error
