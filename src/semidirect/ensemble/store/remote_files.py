"""The file system of a URL, and its errors as those of files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from semidirect.core import errors

CREDENTIALS = ("credential", "token", "profile", "unauthorized")
"""Words in the names of exceptions about who asks; each library has its own."""


def file_system(url: str) -> tuple[Any, str]:
    """The file system of a URL, for this thread, and the name by which it knows the folder.

    Raises
    ------
    StoreError
        If the package for this protocol is not installed, or cannot be set up.
    """
    protocol = url.partition("://")[0]
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise errors.StoreError(
            f"{url} cannot be reached: fsspec is not installed", hint='Install it: pip install "semidirect[cloud]".'
        ) from error
    try:
        files, name = url_to_fs(url)
    except ImportError as error:
        raise errors.StoreError(
            f"{url} cannot be reached: {error}", hint=f"{protocol}:// needs this package."
        ) from error
    except Exception as error:
        raise _unreachable(url, error) from error
    return files, str(name)


@contextmanager
def asking(url: str, name: str = "") -> Iterator[None]:
    """Turn every exception of a file system into an OSError about a file below a URL, or a :class:`StoreError`.

    Libraries raise errors of many kinds, and not all of them are of the operating system.
    """
    where = f"{url}/{name}" if name else url
    try:
        yield
    except (errors.StoreError, MemoryError):
        raise
    except FileNotFoundError as error:
        absent = str(error) if "bucket does not exist" in str(error) else os.strerror(errno.ENOENT)
        text = error.strerror or absent
        raise FileNotFoundError(errno.ENOENT, text, where) from error
    except Exception as error:
        text = f"{type(error).__name__} {error}".lower()
        if any(word in type(error).__name__.lower() for word in CREDENTIALS) or "credentials" in text:
            raise _unreachable(url, error) from error
        number = (error.errno if isinstance(error, OSError) else None) or errno.EIO
        reason = str((isinstance(error, OSError) and error.strerror) or error)
        words = reason if isinstance(error, OSError) and reason else f"{type(error).__name__}: {reason}"
        raise OSError(number, words, where) from error


def _unreachable(url: str, error: Exception) -> errors.StoreError:
    protocol = url.partition("://")[0]
    return errors.StoreError(
        f"{url} cannot be reached: {type(error).__name__}: {error}",
        hint=f"Credentials and addresses of {protocol}:// come from the environment or the configuration of fsspec: see the page "
             "on many machines.",
    )  # fmt: skip
