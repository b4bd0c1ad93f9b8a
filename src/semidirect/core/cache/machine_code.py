"""Compiled functions in the cache. They replace Numba's own files, which are found by time stamps and are not verified.

A function is found by its text, the types of its arguments, the processor and the versions of the compiler.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import platform
import sys
import time
from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import Any, final

import llvmlite
import numba as nb
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult

from semidirect.core.announced import BEGINS, DONE
from semidirect.core.cache import files, operator_types
from semidirect.core.collector import paused_collector

_log = logging.getLogger(__name__)

OPTIONS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "USING_SVML", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")
"""Settings of Numba, from the environment, that change the compiled code and are not among the features of the processor."""


@final
class MachineCode(_Cache):
    """The cache of one function of a module text; the text must contain all functions that it calls."""

    def __init__(self, text: str, function: str, purpose: str):
        self._what = [hashlib.sha256(text.encode()).hexdigest(), function]
        self._purpose, self._started = purpose, 0.0

    @property
    def cache_path(self) -> str:
        """The folder, for Numba's statistics."""
        return str(files.folder())

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The compiled function for types of arguments, ``None`` if there is none."""
        target_context.refresh()
        name = self._name(sig, target_context.codegen())
        content = files.read(name)
        try:
            if content is not None:
                return CompileResult._rebuild(target_context, *pickle.loads(content))
        except Exception:  # the file is intact, but cannot be used on this machine
            files.remove(name)
        self._started = time.perf_counter()
        where = files.folder() or "memory, as there is no folder for it"
        _log.info("compiling %s, once: kept in %s", self._purpose, where, extra={"work": BEGINS})
        return None

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Save a compiled function."""
        seconds = time.perf_counter() - self._started
        _log.debug("compiling %s: %.1f s", self._purpose, seconds, extra={"work": DONE})
        if not (data.lifted or data.library.has_dynamic_globals):
            files.write(self._name(sig, data.codegen), pickle.dumps(data._reduce(), protocol=4))

    def enable(self) -> None:
        """It is always enabled."""

    def disable(self) -> None:
        """It is always enabled."""

    def flush(self) -> None:
        """Nothing is buffered."""

    def _name(self, sig: Any, codegen: Any) -> str:
        options = [str(getattr(config, option, None)) for option in OPTIONS]
        versions = [nb.__version__, llvmlite.__version__, platform.python_implementation(), sys.version]
        return files.name_of("machine", [*self._what, str(sig), str(codegen.magic_tuple()), versions, options])


def kept(function: Any, text: str, purpose: str) -> Any:
    """A function compiled by Numba that is looked up in the cache before it is compiled for types of arguments; the log says
    for what ``purpose`` it is compiled.
    """
    function._cache = MachineCode(text, function.py_func.__qualname__, purpose)
    return function


def load_module(text: str, library: str = "", purpose: str = "a generated module") -> ModuleType:
    """The module of a generated text, the same for the same text; its function ``run``, compiled for its ``SIGNATURE``.

    A ``library`` that the text begins with is run once for all texts, so that a process compiles its functions once.
    """
    shared = {} if not library else {k: v for k, v in vars(_run(library)).items() if not k.startswith("__")}
    return _run(text, shared, text.removeprefix(library), purpose)


def _run(text: str, names: Mapping[str, Any] = MappingProxyType({}), rest: str | None = None,
         purpose: str = "a generated module") -> ModuleType:  # fmt: skip
    """The module of a text, or of the rest of it where the names are there that its beginning defines."""
    name = "semidirect_kernel_" + hashlib.sha256(text.encode()).hexdigest()
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    vars(module).update(names)
    sys.modules[name] = module  # before it runs, since Numba looks the module up when it loads from the cache
    code = vars(module)["__text__"] = text if rest is None else rest
    try:
        exec(compile(code, f"<{name}>", "exec"), vars(module))
        if "SIGNATURE" in vars(module):
            with operator_types.remembered(), paused_collector():
                kept(module.run, text, purpose).compile(module.SIGNATURE)
    except BaseException:
        del sys.modules[name]
        raise
    return module
