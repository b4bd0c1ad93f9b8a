"""Files of generated code in the user's cache folder, named by content, so that the next process finds them.

What is executed is text that this package generated, read from folders that belong to the user and that nobody else may write.
A folder that cannot be used is passed over; without any, modules live in memory and are compiled by each process.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock
from types import ModuleType

_importing = Lock()


def folder() -> Path:
    """Where kernels are kept: ``SEMIDIRECT_CACHE``, else a folder in the user's cache."""
    if os.environ.get("SEMIDIRECT_CACHE"):
        return Path(os.environ["SEMIDIRECT_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "semidirect" / "kernels"


def folders() -> Iterator[Path]:
    """The folder, and one in the temporary folder in its place where it cannot be written."""
    yield folder()
    user = os.getuid() if hasattr(os, "getuid") else 0
    yield Path(tempfile.gettempdir()) / f"semidirect-kernels-{user}"


def read(name: str) -> str | None:
    """The text of a file of the cache, ``None`` where there is none."""
    for place in folders():
        try:
            if _private(place):
                return (place / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
    return None


def write(name: str, text: str) -> Path | None:
    """Write a file by an atomic rename, so that nobody reads half of it; ``None`` where no folder can be written."""
    for place in folders():
        temporary = None
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not _private(place):
                continue
            handle, temporary = tempfile.mkstemp(dir=place, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, place / name)
            return place / name
        except OSError:
            if temporary is not None and os.path.exists(temporary):
                os.unlink(temporary)
    return None


def load_module(text: str) -> ModuleType:
    """Import a module from its text, which a file of the cache holds: Numba keeps what it compiled beside it."""
    name = "semidirect_kernel_" + hashlib.sha256(text.encode()).hexdigest()[:24]
    with _importing:  # a thread that comes second waits until the module has run
        if name in sys.modules:
            return sys.modules[name]
        path = _file(name + ".py", text)
        return _in_memory(name, text) if path is None else _imported(name, path)


def _imported(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    return _executed(module, lambda: spec.loader.exec_module(module))  # type: ignore[union-attr]


def _executed(module: ModuleType, execute: Callable[[], None]) -> ModuleType:
    sys.modules[module.__name__] = module  # before it runs: Numba looks it up when it loads from its cache
    try:
        execute()
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


def _in_memory(name: str, text: str) -> ModuleType:
    module = ModuleType(name)
    code = compile(text.replace("cache=True", "cache=False"), f"<{name}>", "exec")
    return _executed(module, lambda: exec(code, vars(module)))


def _file(name: str, text: str) -> Path | None:
    for place in folders():
        path = place / name
        try:
            if _private(place) and path.read_text(encoding="utf-8") == text:
                return path
        except (OSError, UnicodeDecodeError):
            continue
    return write(name, text)


def _private(place: Path) -> bool:
    """Whether the folder is the user's, and nobody else may write to it."""
    if not hasattr(os, "getuid"):
        return place.is_dir()
    status = place.stat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022
