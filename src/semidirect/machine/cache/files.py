"""Files of the user's cache folder: equations and machine code, found by the next process.

Each file begins with a digest of its name and its content, and its name is the digest of its key. A file whose digest is
wrong is removed and made again. Without a folder that is safe from other users, each process derives and compiles anew.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from semidirect.machine.cache.private_folder import NotPrivateError, private_folder

_log = logging.getLogger(__name__)

_MARK = b"semidirect cache 1\n"


def folder() -> Path | None:
    """The folder of the cache: ``SEMIDIRECT_CACHE``, else a folder in the user's cache; ``None`` for a user without a home."""
    if os.environ.get("SEMIDIRECT_CACHE"):
        return Path(os.environ["SEMIDIRECT_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "semidirect" / "kernels"
    except RuntimeError:
        return None


def name_of(kind: str, key: Any) -> str:
    """The file name of an entry of this kind with this key, made of JSON's types; different keys have different names."""
    return f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()}.{kind}"


def read(name: str) -> bytes | None:
    """The content written under a name; ``None`` if there is none or it is damaged."""
    place = folder()
    if place is None:
        return None
    try:
        with private_folder(place) as opened:
            content = opened.read(name)
            start = len(_MARK) + hashlib.sha256().digest_size
            if content[:start] == _MARK + _digest(name, content[start:]):
                return content[start:]
            opened.remove(name)
    except NotPrivateError as error:
        _tell(str(error))
    except OSError:
        pass
    return None


def write(name: str, content: bytes) -> None:
    """Write a content under a name, if the folder can be used."""
    place = folder()
    if place is None:
        return
    try:
        with private_folder(place, create=True) as opened:
            opened.write(name, _MARK + _digest(name, content) + content)
    except NotPrivateError as error:
        _tell(str(error))
    except OSError:
        pass


def remove(name: str) -> None:
    """Remove the file of a name."""
    place = folder()
    if place is not None:
        with suppress(OSError), private_folder(place) as opened:
            opened.remove(name)


@cache
def _tell(why: str) -> None:
    """Say once why each process will derive and compile for itself."""
    _log.warning("the cache on disk is not used: %s; set SEMIDIRECT_CACHE to a folder that only you can write to", why)


def _digest(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()
