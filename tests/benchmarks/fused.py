"""What fused multiply-adds would bring: the kernels of the two problems with and without them, for vectors of 256 and 512 bits.

    python tests/benchmarks/fused.py

The operations of the step are fused where a sum has a product as a term, each correctly rounded. The normals have their
multiply-adds in any case.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from problems import DT, PROBLEMS, Problem

import semidirect as sd
from semidirect.compile.kernel import Variant, source
from semidirect.core.cache.machine_code import load_module
from semidirect.integrators.registry import integrator
from semidirect.state.state import initial_state

FUSING = """
_plain = _Emitter.operation


def _fused(self, kind, left, right):
    if self.builder is None or kind not in (ast.Add, ast.Sub):
        return _plain(self, kind, left, right)
    left, right = self.both(left, right)
    a, b, c = left[1], right[1], None
    if left[0] != types.float64:
        return _plain(self, kind, left, right)
    if getattr(a, "opname", "") == "fmul":
        c = b if kind is ast.Add else self.builder.fneg(b)
        a, b = a.operands
    elif getattr(b, "opname", "") == "fmul":
        c, (a, b) = a, b.operands
        a = a if kind is ast.Add else self.builder.fneg(a)
    if c is None:
        return _plain(self, kind, left, right)
    return self.applied(fma, [(types.float64, value) for value in (a, b, c)])


_Emitter.operation = _fused

"""


def kernel(problem: Problem, width: int, fused: bool, blocks: int) -> Callable[[int], np.ndarray]:
    """A function that takes the paths of some blocks by a number of steps from the start, and gives (M, Γ) there."""
    system = sd.load(problem.system, **problem.options)
    model = system.model()
    text = source(model, integrator(problem.method), Variant(drawn=True, width=width))
    module = load_module(text.replace("\nLANES = ", f"{FUSING}\nLANES = ", 1) if fused else text)
    start = initial_state(system, {"Omega": problem.Omega, "Gamma": problem.Gamma}, model=model)
    lanes, y0, s0 = module.LANES, start.vector(model, 0.0), start.stored
    p = np.repeat(np.array([float(q) for q in model.parameters])[None, :, None], lanes, axis=2)

    def run(steps: int) -> np.ndarray:
        y, s = (np.tile(x[None], (blocks, 1, lanes)) for x in (y0, s0))
        stuck = np.full((blocks, lanes), -1, dtype=np.int64)
        module.run(
            y,
            s,
            p,
            np.zeros((1, 1, 1, lanes)),
            np.zeros((1, 1)),
            np.uint64(0),
            np.uint64(1),
            0,
            steps,
            DT,
            DT**0.5,
            stuck,
        )
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
