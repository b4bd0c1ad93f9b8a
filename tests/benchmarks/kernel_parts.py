"""Where the time of making a kernel goes: tracing, the digest, the assembly, and LLVM.

    python tests/benchmarks/kernel_parts.py

Processor time, the least of seven rounds; LLVM's of three.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import semidirect as sd
from semidirect.compile.step_function import step_function
from semidirect.compile.variant import Variant
from semidirect.integrators.registry import integrator
from semidirect.machine.cache.machine_code import object_code
from semidirect.machine.llvm_functions import llvm_text

Result = TypeVar("Result")


def measured(function: Callable[[], Result], rounds: int = 7) -> tuple[Result, float]:
    """The result of a function, and the least time that it takes."""
    least = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        result = function()
        least = min(least, time.process_time() - started)
    return result, least


def main() -> None:
    """Print the times of the step of the Routh sphere by ``lie-midpoint``."""
    model, method = sd.load("routh-sphere").model(), integrator("lie-midpoint")
    made, tracing = measured(lambda: step_function(model, method, Variant(drawn=True)))
    _, digest = measured(lambda: type(made)(made.text, made.code, made.places, made.facts).digest)
    text, names = made.source()
    assembly, writing = measured(lambda: llvm_text(text, "run", names))
    _, llvm = measured(lambda: object_code(assembly.text), 3)
    print(f"{len(made.code.program.instructions)} instructions, {len(assembly.text.splitlines())} lines of assembly")
    print(f"tracing {tracing:.3f} s, digest {digest:.3f} s, assembly {writing:.3f} s, LLVM {llvm:.2f} s")


if __name__ == "__main__":
    main()
