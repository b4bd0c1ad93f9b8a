"""Hand-written C, compiled when it is asked for: what one core gives."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from problems import AMPLITUDE, DT, Problem

from competitors.competitor import Competitor, Unavailable

FLAGS = ("-O3", "-march=native", "-ffast-math", "-shared", "-fPIC")
WIDTHS = ((), ("-mprefer-vector-width=512",))
"""What is tried beside them: on some processors gcc's own choice is half of the width that they have."""
TRIALS, TRIED = 5, (2048, 200)
"""How often each is tried, on how many paths and steps."""


class CKernel(Competitor):
    """``rigid_body.c`` and ``routh_ball.c``; no reconstruction, no results but the final (M, Γ)."""

    label: ClassVar[str] = "C by hand"

    def __init__(self, *options: str):
        self.options = options
        self.width: tuple[str, ...] = ()

    def settle(self, problem: Problem) -> str:
        """The flags of the faster library."""
        runs = {width: self._run(problem, *TRIED, DT, width) for width in WIDTHS}
        best = dict.fromkeys(runs, float("inf"))
        for seed in range(TRIALS):
            for width, run in runs.items():
                began = time.process_time()
                run(seed)
                best[width] = min(best[width], time.process_time() - began)
        self.width = min(best, key=lambda width: best[width])
        return " ".join(("gcc", *FLAGS, *self.width))

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Compile and load."""
        return self._run(problem, paths, steps, dt, self.width)

    def _run(
        self, problem: Problem, paths: int, steps: int, dt: float, width: tuple[str, ...]
    ) -> Callable[[int], np.ndarray]:
        function = ctypes.CDLL(_library(problem.source, (*FLAGS, *width, *self.options))).run
        function.restype = None
        function.argtypes = [
            ctypes.c_long,
            ctypes.c_long,
            ctypes.c_uint32,
            *2 * [ctypes.c_double],
            *2 * [ctypes.c_void_p],
        ]
        start = problem.start

        def run(seed: int) -> np.ndarray:
            out = np.empty((paths, 6))
            function(paths, steps, seed, dt, AMPLITUDE, start.ctypes.data, out.ctypes.data)
            return out

        return run

    def states(self, result: Any) -> np.ndarray:
        """Components first."""
        return np.asarray(result).T


@cache
def _library(name: str, flags: tuple[str, ...]) -> str:
    """Compile a source, once in a process."""
    compiler = shutil.which("gcc")
    if compiler is None:
        raise Unavailable("gcc is not on the path")
    library = Path(tempfile.mkdtemp(prefix="semidirect-bench-")) / f"{name}.so"
    command = [compiler, *flags, str(Path(__file__).parents[1] / f"{name}.c"), "-o", str(library), "-lm"]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        raise Unavailable(f"gcc failed: {built.stderr.strip()[:200]}")
    return str(library)


def competitors() -> dict[str, Competitor]:
    """With the normals of the prototype, and with normals as fine as those of this engine."""
    return {"c": CKernel(), "c-fine": CKernel("-DFINE")}
