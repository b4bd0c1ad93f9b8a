"""Files of the user's cache folder: equations and machine code, found by the next process.

Each file begins with a digest of its name and its content, and its name is the digest of the key that it was made for. What
does not check is removed and made again; what cannot be kept, or lies where others can write, is made by each process.
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

from semidirect.core.cache.private_folder import NotPrivateError, private_folder

_log = logging.getLogger(__name__)

_MARK = b"semidirect cache 1\n"


def folder() -> Path | None:
    """Where files are kept: ``SEMIDIRECT_CACHE``, else a folder in the user's cache; ``None`` for a user without a home."""
    if os.environ.get("SEMIDIRECT_CACHE"):
        return Path(os.environ["SEMIDIRECT_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "semidirect" / "kernels"
    except RuntimeError:
        return None


def name_of(kind: str, key: Any) -> str:
    """The name of the file of a kind for a key, in JSON's types: another key has another name."""
    return f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()}.{kind}"


def read(name: str) -> bytes | None:
    """What was written under a name; ``None`` if there is nothing, or nothing that is what was written."""
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
    """Keep something under a name, where the folder can be used."""
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
    """Remove what is kept under a name."""
    place = folder()
    if place is not None:
        with suppress(OSError), private_folder(place) as opened:
            opened.remove(name)


@cache
def _tell(why: str) -> None:
    """Say once why each process will derive and compile for itself."""
    _log.warning("nothing is kept for the next process: %s; set SEMIDIRECT_CACHE to a folder that is yours alone", why)


def _digest(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()
