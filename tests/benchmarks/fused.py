"""What fused multiply-adds would bring: the kernels of the two problems with and without them, for vectors of 256 and 512 bits.

    python tests/benchmarks/fused.py

The operations of the step are fused where a sum has a product as a term, each correctly rounded. The normals have their
multiply-adds in any case.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from problems import DT, PROBLEMS, Problem

import semidirect as sd
from semidirect.compile.kernels import loaded_kernel
from semidirect.compile.step_function import step_function
from semidirect.compile.variant import Variant
from semidirect.integrators.registry import integrator
from semidirect.machine.cache.compiled_function import CompiledFunction
from semidirect.machine.cache.machine_code import object_code
from semidirect.machine.llvm_functions import llvm_text
from semidirect.state.state import InitialState


def kernel(problem: Problem, width: int, fused: bool, blocks: int) -> Callable[[int], np.ndarray]:
    """A function that takes the paths of some blocks by a number of steps from the start, and gives (M, Γ) there."""
    system = sd.load(problem.system, **problem.options)
    model = system.workings.model()
    function = step_function(model, integrator(problem.method), Variant(drawn=True, width=width))
    text, names = function.source()
    assembly = llvm_text(text, "run", names)
    code = re.sub(r"= (fadd|fsub|fmul) double", r"= \1 contract double", assembly.text) if fused else assembly.text
    kinds = [a.kind if a.lengths is None else "array" for a in assembly.arguments]
    code = CompiledFunction("run", kinds, object_code(code), False)
    made = replace(loaded_kernel(function.described, lambda: function), code=code)
    start = InitialState.of(system, {"Omega": problem.Omega, "Gamma": problem.Gamma}, model=model)
    lanes, y0, s0 = made.lanes, start.vector(model, 0.0), start.stored
    p = np.repeat(np.array([float(q) for q in model.parameters])[None, :, None], lanes, axis=2)

    def run(steps: int) -> np.ndarray:
        y, s = (np.tile(x[None], (blocks, 1, lanes)) for x in (y0, s0))
        stuck = np.full((blocks, lanes), -1, dtype=np.int64)
        none = np.zeros((1, 1, 1, lanes))
        made.run(y, s, p, none, np.zeros((1, 1)), 0, 1, 0, steps, DT, DT**0.5, stuck)
        return y

    return run


def measured(problem: Problem, blocks: int, steps: int, rounds: int) -> dict[tuple[int, bool], float]:
    """The seconds of a run by width and fusion, the best of some rounds in turn; runs with and without must agree."""
    runs = {(w, fused): kernel(problem, w, fused, blocks) for w in (256, 512) for fused in (False, True)}
    ends = {key: run(min(steps, 10)) for key, run in runs.items()}
    for key, end in ends.items():
        np.testing.assert_allclose(end, ends[256, False], rtol=1e-12, atol=1e-12, err_msg=str(key))
    assert (ends[256, True] != ends[256, False]).any(), "nothing was fused"
    best = dict.fromkeys(runs, np.inf)
    for _ in range(rounds):
        for key, run in runs.items():
            began = time.perf_counter()
            run(steps)
            best[key] = min(best[key], time.perf_counter() - began)
    return best


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    quick = parser.parse_args().quick
    print("| | vectors | time with fused multiply-adds over time without |\n|---|---:|---:|")
    for problem in list(PROBLEMS.values())[: 1 if quick else None]:
        best = measured(problem, *((2, 20, 1) if quick else (32, 200, 200)))
        for width in (256, 512):
            print(f"| {problem.title} | {width} bits | {best[width, True] / best[width, False]:.2f} |")


if __name__ == "__main__":
    main()
