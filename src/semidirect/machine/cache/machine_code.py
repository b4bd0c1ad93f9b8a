"""The optimiser and the code generator of LLVM: machine code of a text in its assembly.

The text of this file is part of the key of every compiled function.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding as llvm

__all__ = ["machine", "object_code", "processor"]


def object_code(assembly: str, cpu: str | None = None, features: str | None = None) -> bytes:
    """The machine code of a text of LLVM's assembly, for this processor or for another of its kind."""
    module = llvm.parse_assembly(assembly)
    target = machine(cpu, features)
    module.triple, module.data_layout = target.triple, str(target.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = options.loop_interleaving = True
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(target.emit_object(module))


def machine(cpu: str | None = None, features: str | None = None) -> Any:
    """LLVM's description of the processor, for code that runs in this process."""
    host = processor()
    target = llvm.Target.from_default_triple()
    reloc = "static" if target.name.startswith("x86") else "default"
    return target.create_target_machine(
        cpu=host[0] if cpu is None else cpu, features=host[1] if features is None else features, opt=3, reloc=reloc,
        codemodel="jitdefault", jit=True,
    )  # fmt: skip


@cache
def processor() -> tuple[str, str, str]:
    """Name, features, and kind of this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), llvm.get_process_triple()
