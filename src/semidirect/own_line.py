"""Where in a user's code an exception came from."""

from __future__ import annotations

import linecache
from pathlib import Path
from textwrap import shorten
from types import FrameType

_LIBRARIES = ("semidirect", "numpy", "sympy", "importlib", "inspect")
LONGEST = 80


def own_line(error: BaseException) -> str:
    """The innermost line of the traceback that is of no library: where it is, and its text; empty if there is none."""
    found, step = "", error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if not _of_a_library(step.tb_frame):
            text = shorten(linecache.getline(code.co_filename, step.tb_lineno), LONGEST, placeholder=" …")
            found = f"line {step.tb_lineno} of {Path(code.co_filename).name}, {code.co_name}" + (
                f": {text}" if text else ""
            )
        step = step.tb_next
    return found


def _of_a_library(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return module.partition(".")[0] in _LIBRARIES or frame.f_code.co_filename.startswith("<")
