"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

PARTIAL = ".partial"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file by another name and rename it: whoever dies in the middle leaves no half of it under this name.

    Raises
    ------
    OSError
        If it cannot be written; nothing of it is left then.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}{PARTIAL}")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def remove_partial(folder: Path) -> None:
    """Remove what writers that died left below a folder."""
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(PARTIAL):
                Path(where, name).unlink(missing_ok=True)
