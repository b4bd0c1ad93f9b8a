"""Generated modules in the user's cache folder, named by content, so that the next process finds them compiled."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from pathlib import Path
from threading import Lock
from types import ModuleType

_importing = Lock()


def folder() -> Path:
    """Where kernels are kept: ``SEMIDIRECT_CACHE``, else a folder in the user's cache, else in the temporary folder."""
    if "SEMIDIRECT_CACHE" in os.environ:
        return Path(os.environ["SEMIDIRECT_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "semidirect" / "kernels"


def load_module(text: str) -> ModuleType:
    """Import a module from its text; the file is written once, by an atomic rename."""
    name = "semidirect_kernel_" + hashlib.sha256(text.encode()).hexdigest()[:24]
    with _importing:  # a thread that comes second waits until the module has run
        return sys.modules[name] if name in sys.modules else _imported(name, _written(name, text))


def _imported(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs: Numba looks it up when it loads from its cache
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _written(name: str, text: str) -> Path:
    for place in (
        folder(),
        Path(tempfile.gettempdir()) / f"semidirect-kernels-{os.getuid() if hasattr(os, 'getuid') else 0}",
    ):
        path = place / f"{name}.py"
        try:
            if path.exists() and path.read_text(encoding="utf-8") == text:
                return path
            place.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=place, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, path)
            return path
        except OSError:
            continue
    raise OSError("no folder for generated kernels can be written")
