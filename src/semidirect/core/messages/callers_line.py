"""Warnings at the line of a user: the innermost one that is neither in this package nor in Python's own library."""

from __future__ import annotations

import os
import sys
import warnings
from functools import cache
from pathlib import Path
from types import FrameType

PACKAGE = f"{Path(__file__).parents[2]}{os.sep}"
INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
"""Directories of other packages, inside that of Python's library."""


def warn_caller(message: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of a user's file that called this package, however many functions and decorators lie between.

    Where there is none, as in a thread of an executor, it is the first line outside of this package.
    """
    frame: FrameType | None = sys._getframe(1)
    first = None
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(PACKAGE):
            first = first or frame
            if not of_python(file):
                break
        frame = frame.f_back
    there = frame or first or sys._getframe(1)
    names = there.f_globals
    warnings.warn_explicit(
        message, category, there.f_code.co_filename, there.f_lineno, names.get("__name__", "<string>"),
        names.setdefault("__warningregistry__", {}),
    )  # fmt: skip


def of_python(file: str) -> bool:
    """Whether a file of code is of Python's own library."""
    return file.startswith("<frozen ") or (file.startswith(_library()) and not any(name in file for name in INSTALLED))


@cache
def _library() -> tuple[str, ...]:
    """The directories of Python's library; to ask for them takes as long as several imports."""
    from sysconfig import get_paths

    return tuple(f"{get_paths()[name]}{os.sep}" for name in ("stdlib", "platstdlib"))
