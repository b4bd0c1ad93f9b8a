"""The line of a user's code that an exception comes from."""

from __future__ import annotations

import linecache
from pathlib import Path
from textwrap import shorten
from types import FrameType

from semidirect.core.messages.callers_line import of_python

_LIBRARIES = frozenset(
    (
        "semidirect",
        "numpy",
        "sympy",
        "scipy",
        "mpmath",
        "llvmlite",
        "xarray",
        "zarr",
        "geomstats",
        "hypothesis",
        "pytest",
        "_pytest",
    )
)
LONGEST = 80


def user_source_line(error: BaseException) -> str:
    """The innermost line of the traceback that is not in a library: its location and text; empty if there is none."""
    location, step = "", error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if not _of_a_library(step.tb_frame):
            text = shorten(linecache.getline(code.co_filename, step.tb_lineno), LONGEST, placeholder=" …")
            location = f"line {step.tb_lineno} of {Path(code.co_filename).name}, {code.co_name}" + (
                f": {text}" if text else ""
            )
        step = step.tb_next
    return location


def _of_a_library(frame: FrameType) -> bool:
    module, file = str(frame.f_globals.get("__name__", "")), frame.f_code.co_filename
    return module.partition(".")[0] in _LIBRARIES or file.startswith("<") or of_python(file)
