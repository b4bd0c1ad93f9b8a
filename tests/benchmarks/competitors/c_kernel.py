"""Hand-written C, compiled when it is asked for: what one core gives."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from problems import AMPLITUDE, DT, Problem

from competitors.competitor import Competitor, Unavailable

FLAGS = ("-O3", "-march=native", "-ffast-math", "-shared", "-fPIC")


class CKernel(Competitor):
    """``rigid_body.c`` and ``routh_ball.c``; no reconstruction, no results but the final (M, Γ)."""

    label: ClassVar[str] = "C by hand"

    def __init__(self, *options: str):
        self.options = options

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Compile and load."""
        compiler = shutil.which("gcc")
        if compiler is None:
            raise Unavailable("gcc is not on the path")
        source = Path(__file__).parents[1] / f"{problem.source}.c"
        library = Path(tempfile.mkdtemp(prefix="semidirect-bench-")) / f"{problem.source}.so"
        built = subprocess.run(
            [compiler, *FLAGS, *self.options, str(source), "-o", str(library), "-lm"], capture_output=True, text=True
        )
        if built.returncode:
            raise Unavailable(f"gcc failed: {built.stderr.strip()[:200]}")
        function = ctypes.CDLL(str(library)).run
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


def competitors() -> dict[str, Competitor]:
    """With the normals of the prototype, and with normals as fine as those of this engine."""
    return {"c": CKernel(), "c-fine": CKernel("-DFINE")}
