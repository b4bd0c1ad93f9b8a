"""Files that exist completely or not at all, below one folder and never outside it."""

from __future__ import annotations

import errno
import os
import re
import stat
import threading
from pathlib import Path

PARTIAL = ".partial"
_PARTIAL = re.compile(rf".+\.\d+-\d+{re.escape(PARTIAL)}")


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a file of at most ``most`` bytes; a larger one is not read.

    Raises
    ------
    OSError
        If it cannot be read, is too long, or is not a regular file: reading a pipe could wait for ever.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as file:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a file", str(path))
        if status.st_size > most:
            raise OSError(errno.EFBIG, f"{status.st_size} bytes instead of at most {most}", str(path))
        return file.read(status.st_size)


def place(root: Path, name: str) -> Path:
    """The path of the file ``name`` below a folder; the folders in between are created.

    Raises
    ------
    OSError
        If one of them is a link, which may lead out of the folder to files of others.
    """
    *folders, last = name.split("/")
    for part in folders:
        root = root / part
        if root.is_symlink():
            raise OSError(errno.ELOOP, "a link, through which nothing is written", str(root))
        root.mkdir(exist_ok=True)
    return root / last


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name and rename it, so that an interrupted writer leaves no partial file under this name, and a
    link of this name is replaced, not followed.

    Raises
    ------
    OSError
        If it cannot be written; then nothing of it remains.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}{PARTIAL}")
    try:
        partial.unlink(missing_ok=True)
        with partial.open("xb") as file:
            file.write(content)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def is_partial(name: str) -> bool:
    """Whether a file is that of an interrupted writer, by its name."""
    return _PARTIAL.fullmatch(name.rpartition("/")[2]) is not None


def remove_partial(folder: Path) -> None:
    """Remove partial files of interrupted writers below a folder; links are not followed."""
    for where, _, names in os.walk(folder):
        for name in filter(is_partial, names):
            Path(where, name).unlink(missing_ok=True)
