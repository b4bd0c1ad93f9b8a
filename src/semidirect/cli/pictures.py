"""Figures as files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.cli.outputs import output_place, write_output

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def picture_place(path: Path, *, force: bool) -> Path:
    """The path, if a picture can be written there; errors are those of :func:`.output_place`."""
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = [f".{kind}" for kind in FigureCanvasBase.get_supported_filetypes() if kind != "pgf"]  # which needs LaTeX
    return output_place(path, kinds, force=force, verb="draw")


def new_picture() -> Axes:
    """Axes of a figure that is not shown."""
    from semidirect.analysis import pictures

    with pictures.style.styled():
        axes: Axes = pictures.style.new_figure(5.0, 3.8).add_subplot()
    return axes


def write_picture(figure: Any, path: Path, *, force: bool) -> None:
    """Write a figure of Matplotlib; with ``force`` it replaces a file or link of this name."""
    from semidirect.analysis import pictures

    content = io.BytesIO()
    with pictures.style.styled():
        figure.savefig(content, format=path.suffix.lower().removeprefix("."))
    write_output(content.getvalue(), path, force=force)
