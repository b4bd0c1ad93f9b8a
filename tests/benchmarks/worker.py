"""One competitor in a process of its own, pinned to one core: ``worker.py module name core``.

It reads requests, one JSON line each, and answers with one. Time is processor time of the process and its children, all
threads: on a pinned core that is what the clock shows when nobody else is there, and it is robust when somebody is.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def main(module: str, name: str, core: int) -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is not an answer
    sys.path.insert(0, str(Path(__file__).parent))
    if core >= 0 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    service = Service(module, name)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(service, request.pop("do"))(**request)
        except Exception as error:  # the table says what went wrong, and the others go on
            if type(error).__name__ != "Unavailable":
                traceback.print_exc()
            answer = {"unavailable": f"{error}" if type(error).__name__ == "Unavailable" else repr(error)[:200]}
        print(json.dumps(answer), file=answers, flush=True)


class Service:
    """What a worker does on request."""

    def __init__(self, module: str, name: str):
        self.module, self.name = module, name
        self.competitor: Any = None
        self.chosen = ""
        self.runs: dict[tuple[str, int, int, int], Callable[[int], Any]] = {}

    def prepare(self, problem: str, paths: int, steps: int, finer: int = 1) -> dict[str, Any]:
        """Import, prepare and run once; the first call apart."""
        from problems import DT, PROBLEMS

        began = _now()
        if self.competitor is None:
            self.competitor = importlib.import_module(f"competitors.{self.module}").competitors()[self.name]
            self.chosen = self.competitor.settle(PROBLEMS[problem])
        imported = _now()
        run = self.competitor.prepare(PROBLEMS[problem], paths, steps, DT / finer)
        run(0)
        self.runs[problem, paths, steps, finer] = run
        return {"import": imported - began, "first": _now() - imported, "chosen": self.chosen}

    def measure(self, problem: str, paths: int, steps: int, seed: int) -> dict[str, Any]:
        """Seconds of one run, by processor time and by the clock."""
        run = self.runs[problem, paths, steps, 1]
        began, clock = _now(), time.perf_counter()
        result = run(seed)
        seconds, clock = _now() - began, time.perf_counter() - clock
        own = self.competitor.own_seconds(result)
        return {"seconds": seconds if own is None else min(own, seconds), "clock": clock}

    def moments(self, problem: str, paths: int, steps: int, seed: int, finer: int = 1) -> dict[str, Any]:
        """Mean and standard error of Γ₃ and of the energy at the end, and of derivatives by Ω₁ at the start, if there are any."""
        from problems import PROBLEMS

        run = self.runs[problem, paths, steps, finer]
        result = run(seed)
        y, slopes = self.competitor.states(result), self.competitor.slopes(result)
        if y.shape != (6, paths) or y.dtype != np.float64 or not np.isfinite(y).all():
            raise ValueError(f"final states {y.shape} {y.dtype}, or not finite")
        energy = PROBLEMS[problem].energy(y)
        values = {"Gamma3": y[5], "energy": energy}
        if slopes is not None:
            values |= {"dM1/dOmega1": slopes[0], "dGamma3/dOmega1": slopes[5]}
        return {k: [float(v.mean()), float(v.std() / np.sqrt(paths - 1))] for k, v in values.items()}

    def memory(self) -> dict[str, Any]:
        """Peak resident memory so far [MB]."""
        return {"megabytes": peak_megabytes()}

    def versions(self, distributions: list[str]) -> dict[str, Any]:
        """Versions of distributions."""
        from importlib.metadata import PackageNotFoundError, version

        found = {}
        for d in distributions:
            try:
                found[d] = version(d)
            except PackageNotFoundError:
                continue
        return {"versions": found}


def peak_megabytes() -> float:
    """Peak resident memory of this process. On Linux ``ru_maxrss`` is at least that of the process that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        return (
            int(next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:")).split()[1]) / 2**10
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def _now() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
