"""Functions that LLVM compiled, in the cache: found by their text, the processor and the versions of the compiler.

The text of this file is part of the key of every compiled function, as are those of :mod:`semidirect.core.assembler` and
:mod:`semidirect.core.llvm_text`.
"""

from __future__ import annotations

import ctypes
import hashlib
import inspect
import json
import logging
import struct
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, final

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from semidirect.core import assembler, llvm_text
from semidirect.core.addresses import address_of
from semidirect.core.announced import BEGINS, DONE
from semidirect.core.cache import files
from semidirect.core.collector import paused_collector
from semidirect.core.locks import ForkSafeLock

_log = logging.getLogger(__name__)

_CODES = {"array": "Q", assembler.FLOAT: "d", assembler.SIGNED: "q", assembler.WORD: "Q"}
_loaded: dict[str, MachineCode] = {}
_one_at_a_time = ForkSafeLock(waits=True)  # LLVM cannot be left in the middle


@final
class MachineCode:
    """A compiled function. It is called with NumPy arrays and numbers; while it runs, other threads run as well.

    The arguments are packed into one block of words: ctypes takes as long for each argument as for a whole call.

    Arrays must have the types and lengths that the function declares, and be contiguous: this is not checked.

    Attributes
    ----------
    from_disk : bool
        Whether it was found in the cache of the user.
    """

    def __init__(self, name: str, kinds: Sequence[str], code: bytes, from_disk: bool):
        self.from_disk = from_disk
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
        self._engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        address = self._engine.get_function_address(name)
        if not address:
            raise ValueError(f"the code has no function {name}")
        self._call = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(address)
        self._pack = struct.Struct("=" + "".join(_CODES[kind] for kind in kinds)).pack

    def __call__(self, *values: Any) -> None:
        """Call the function."""
        self._call(self._pack(*[address_of(v) if type(v) is np.ndarray else v for v in values]))


def compiled(text: str, name: str, known: Mapping[str, Any], *, library: str = "",
             purpose: str = "a generated function") -> MachineCode:  # fmt: skip
    """The compiled function of this name in a text, loaded if it was compiled before; the same object for the same text.

    Parameters
    ----------
    text, name : str
        In the part of Python that :func:`semidirect.core.llvm_text.llvm_text` describes.
    known : mapping
        The values of the global names.
    library : str
        The text of the functions that the text calls, with what they call.
    purpose : str
        For what it is compiled; the log says it.

    Raises
    ------
    NotCompiledError
        If the text is outside that part of Python.
    """
    key = [hashlib.sha256(part.encode()).hexdigest() for part in (text, library, _compiler())]
    file = files.name_of("machine", [*key, name, *_processor(), llvmlite.__version__])
    with _one_at_a_time:
        if file not in _loaded:
            _loaded[file] = _from_disk(file, name) or _made(file, text, name, known, purpose)
        return _loaded[file]


def _from_disk(file: str, name: str) -> MachineCode | None:
    content = files.read(file)
    if content is None:
        return None
    kinds, _, code = content.partition(b"\n")
    return MachineCode(name, json.loads(kinds), code, True)


def _made(file: str, text: str, name: str, known: Mapping[str, Any], purpose: str) -> MachineCode:
    started, where = time.perf_counter(), files.folder() or "memory, as there is no folder for it"
    _log.info("compiling %s, once: kept in %s", purpose, where, extra={"work": BEGINS})
    with paused_collector():
        assembly = llvm_text.llvm_text(llvm_text.functions_of(text)[name], known)
        code = object_code(assembly.text)
    kinds = [a.kind if a.lengths is None else "array" for a in assembly.arguments]
    files.write(file, json.dumps(kinds).encode() + b"\n" + code)
    _log.debug("compiling %s: %.1f s", purpose, time.perf_counter() - started, extra={"work": DONE})
    return MachineCode(name, kinds, code, False)


def object_code(assembly: str, cpu: str | None = None, features: str | None = None) -> bytes:
    """The machine code of a text of LLVM's assembly, for this processor or for another of its kind."""
    module = llvm.parse_assembly(assembly)
    machine = _machine(cpu, features)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = options.loop_interleaving = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def _machine(cpu: str | None = None, features: str | None = None) -> Any:
    """LLVM's description of the processor, for code that runs in this process."""
    host = _processor()
    target = llvm.Target.from_default_triple()
    reloc = "static" if target.name.startswith("x86") else "default"
    return target.create_target_machine(
        cpu=host[0] if cpu is None else cpu, features=host[1] if features is None else features, opt=3, reloc=reloc,
        codemodel="jitdefault", jit=True,
    )  # fmt: skip


@cache
def _processor() -> tuple[str, str, str]:
    """Name, features, and kind of this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), llvm.get_process_triple()


@cache
def _compiler() -> str:
    """The files that make machine code of a text: this one chooses what LLVM optimises."""
    return "".join(map(inspect.getsource, (assembler, llvm_text, sys.modules[__name__])))
