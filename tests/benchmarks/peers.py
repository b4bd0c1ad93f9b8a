"""The competitors by name, and the parent's side of a worker process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LIMIT = 300.0
"""Seconds for one request, after which a competitor is out."""


@dataclass(frozen=True)
class Peer:
    """A competitor: where it is, how the table calls it, what it consists of, and how much of it a benchmark can bear."""

    module: str
    label: str
    distributions: tuple[str, ...]
    most: float = float("inf")
    """Path-steps beyond which it is left out."""
    most_steps: float = float("inf")
    check_paths: int = 10**9
    finer: int = 1
    """By what the check divides its step, where its method has a larger error than Heun's."""


PEERS = {
    "semidirect": Peer("semidirect_engine", "semidirect", ("semidirect", "llvmlite", "numpy")),
    "semidirect-reduced": Peer("semidirect_engine", "semidirect without reconstruction", ()),
    "semidirect-stepper": Peer("semidirect_engine", "semidirect, stepper", (), most=1000),
    "semidirect-slopes": Peer("semidirect_engine", "semidirect, with the derivative by Ω₁ at the start", ()),
    "semidirect-reduced-slopes": Peer("semidirect_engine", "the same without reconstruction", ()),
    "diffrax-forward": Peer(
        "jax_forward", "diffrax, `jax.jvp`, with the same derivative", ("diffrax", "jax", "jaxlib")
    ),
    "jax-forward": Peer("jax_forward", "JAX by hand, `jax.jvp` of a scan, with the same derivative", ()),
    "c": Peer("c_kernel", "C by hand, 31-bit normals", ()),
    "c-fine": Peer("c_kernel", "C by hand, 53-bit normals", ()),
    "semidirect-numpy": Peer("semidirect_engine", "semidirect, array code", (), most_steps=2000),
    "numpy": Peer("numpy_batch", "NumPy batch by hand", ("numpy",), most_steps=2000),
    "brian2": Peer("brian2_heun", "brian2, C++ standalone, heun", ("brian2", "numpy"), check_paths=3000, finer=16),
    "diffrax": Peer("diffrax_heun", "diffrax, Heun, UnsafeBrownianPath, vmap", ("diffrax", "jax", "jaxlib")),
    "torchsde": Peer("torchsde_heun", "torchsde, heun", ("torchsde", "torch"), most_steps=2000),
    "sdeint": Peer("sdeint_heun", "sdeint, stratHeun", ("sdeint", "numpy"), most=2e5, most_steps=2000, check_paths=200),
    "jitcsde": Peer("jitcsde_heun", "jitcsde", ("jitcsde",)),
}


class Worker:
    """A worker process that answers requests; an answer is a dict, with ``unavailable`` where there is none."""

    def __init__(self, name: str, module: str, *, python: str, core: int, cache: str):
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
        flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        environment = os.environ | one | {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu", "SEMIDIRECT_CACHE": cache}
        command = [python, str(HERE / "worker.py"), module, name, str(core)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        """One request, one answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        limit = threading.Timer(LIMIT, self.process.kill)
        limit.start()
        try:
            print(json.dumps({"do": do, **request}), file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        finally:
            limit.cancel()
        return json.loads(answer) if answer else {"unavailable": f"its process ended with status {self.process.wait()}"}

    def close(self) -> None:
        """End the process."""
        if self.process.stdin is not None and self.process.stdout is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()


class Workplace:
    """Starts workers: pythons by peer, the core, and a folder of kernels that is empty at first."""

    def __init__(self, pythons: dict[str, str], core: int, cache: str):
        self.pythons, self.core, self.cache = pythons, core, cache

    def worker(self, name: str, *, pinned: bool = True, cache: str | None = None) -> Worker:
        """A new process for a competitor."""
        known = name.split("@")[0].removesuffix("-statistics")
        python = self.pythons.get(known, sys.executable)
        core = self.core if pinned else -1
        return Worker(name, PEERS[known].module, python=python, core=core, cache=cache or self.cache)
