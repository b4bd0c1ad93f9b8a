"""Functions that LLVM compiled, in the cache: found by their content, the processor and the versions of the compiler.

The text of this file is part of the key of every compiled function, as are those of :mod:`semidirect.machine.assembler`,
:mod:`semidirect.machine.llvm_functions` and :mod:`semidirect.machine.cache.machine_code`.
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
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, final

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from semidirect.core import ForkSafeLock, messages
from semidirect.machine import assembler, llvm_functions
from semidirect.machine.addresses import address_of
from semidirect.machine.assembler import FLOAT, SIGNED, WORD
from semidirect.machine.cache import files, machine_code
from semidirect.machine.cache.in_a_thread import in_a_thread
from semidirect.machine.cache.machine_code import machine, object_code, processor
from semidirect.machine.collector import paused_collector

__all__ = ["CompiledFunction"]

_log = logging.getLogger(__name__)
SECONDS, OF_LOOP = 1.6e-4, 6e-8
"""Seconds for each line of LLVM's assembly, see `tests/benchmarks/large_systems.py`; and for the square of the lines of its
longest block, of which a loop over lanes is made: 3.2 s for 7,675 lines, 24 s for 18,549."""
INTERRUPTED_FROM = 0.5
"""Seconds from which on a compilation runs in a thread, so that Ctrl-C is answered."""
_CODES = {"array": "Q", FLOAT: "d", SIGNED: "q", WORD: "Q"}


@final
class CompiledFunction:
    """A compiled function, found in this process, then in the cache of the user, by a digest of all that it depends on.

    It is called with NumPy arrays and numbers; while it runs, other threads run as well.

    The arguments are packed into one block of words: ctypes takes as long for each argument as for a whole call.

    Arrays must have the types and lengths that the function declares, and be contiguous: this is not checked.

    Attributes
    ----------
    from_disk : bool
        Whether it was found in the cache of the user.
    """

    _known: ClassVar[dict[str, CompiledFunction]] = {}
    _one_at_a_time: ClassVar[ForkSafeLock] = ForkSafeLock(waits=True)
    _llvm: ClassVar[ForkSafeLock] = ForkSafeLock(
        waits=True
    )  # it cannot be left in the middle, of an interrupted call either

    def __init__(self, name: str, kinds: Sequence[str], code: bytes, from_disk: bool):
        self.from_disk = from_disk
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
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

    @classmethod
    def of_text(cls, text: str, name: str, namespace: Mapping[str, Any], *, library: str = "",
                purpose: str = "a generated function") -> CompiledFunction:  # fmt: skip
        """The function of this name in a text; the same object for the same text.

        Parameters
        ----------
        text, name : str
            In the part of Python that :func:`semidirect.machine.llvm_functions.llvm_text` describes.
        namespace : mapping
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
        return cls.of([text, library], name, lambda: (text, namespace), purpose)

    @classmethod
    def of(cls, content: Sequence[str], name: str, source: Callable[[], tuple[str, Mapping[str, Any]]], purpose: str
           ) -> CompiledFunction:  # fmt: skip
        """As :meth:`of_text`, where ``source`` returns the text and the names if they have to be compiled.

        ``content`` is all that the function depends on, but for the compiler.
        """
        key = [hashlib.sha256(part.encode()).hexdigest() for part in (*content, compiler())]
        file = files.name_of("machine", [*key, name, *processor(), llvmlite.__version__])
        with cls._one_at_a_time:
            if file not in cls._known:
                cls._known[file] = cls._from_disk(file, name) or cls._made(file, name, source, purpose)
            return cls._known[file]

    @classmethod
    def _from_disk(cls, file: str, name: str) -> CompiledFunction | None:
        content = files.read(file)
        if content is None:
            return None
        kinds, _, code = content.partition(b"\n")
        return cls(name, json.loads(kinds), code, True)

    @classmethod
    def _made(
        cls, file: str, name: str, source: Callable[[], tuple[str, Mapping[str, Any]]], purpose: str
    ) -> CompiledFunction:
        started, where = time.perf_counter(), files.folder() or "memory, as there is no folder for it"
        _log.info("compiling %s, once: kept in %s", purpose, where, extra={"work": messages.BEGINS})
        with messages.working(_log, f"compiling {purpose}") as work, paused_collector():
            text, functions = source()
            assembly = llvm_functions.llvm_text(text, name, functions)
            seconds = expected_seconds(assembly.text)
            work.expect(seconds, "array code needs none, sd.Execution(engine='numpy')")
            kinds = [a.kind if a.lengths is None else "array" for a in assembly.arguments]

            def compiled() -> bytes:
                with cls._llvm:  # an interrupted compilation may continue, and may have been that of this function
                    if (content := files.read(file)) is None:
                        content = json.dumps(kinds).encode() + b"\n" + object_code(assembly.text)
                        files.write(file, content)
                return content.partition(b"\n")[2]

            code = compiled() if seconds < INTERRUPTED_FROM else in_a_thread(compiled)
        _log.debug("compiling %s: %.1f s", purpose, time.perf_counter() - started, extra={"work": messages.DONE})
        return cls(name, kinds, code, False)


def expected_seconds(assembly: str) -> float:
    """How long LLVM takes for a text, to a factor of two or so on a computer of today."""
    longest = max(block.count("\n") for block in assembly.split(":\n"))
    return SECONDS * assembly.count("\n") + OF_LOOP * longest**2


@cache
def compiler() -> str:
    """The files that make machine code of a text: they choose what LLVM optimises."""
    return "".join(map(inspect.getsource, (assembler, llvm_functions, machine_code, sys.modules[__name__])))
