"""How many times as fast this version is as an earlier one, given as a checkout of it."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from measure import fresh_folder

HERE = Path(__file__).parent
ROUNDS = {"tops, short": 5, "tops, long": 5, "rattleback": 3}


def paths_of(checkout: Path) -> str:
    """``PYTHONPATH`` that puts a checkout before what is installed."""
    return os.pathsep.join(
        map(str, [checkout / "src", *sorted(p for p in (checkout / "plugins").iterdir() if p.is_dir())])
    )


@contextmanager
def serving(checkout: Path, core: int, *script: str) -> Iterator[subprocess.Popen[str]]:
    """A process with the version of a checkout, which runs a script."""
    environment = os.environ | {"PYTHONPATH": paths_of(checkout), "SEMIDIRECT_CACHE": fresh_folder()}
    command = [sys.executable, *(script or [str(HERE / "larger.py")])]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True, env=environment)  # fmt: skip
    if core >= 0 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process.pid, {core})
    try:
        yield process
    finally:
        process.communicate()


def compare(checkout: Path, core: int) -> dict[str, float]:
    """Ratios of processor times: of a step of the 48-dimensional system, of the reference solution; best of some rounds.

    What a run of the system costs beside its steps is left out: it is the difference of two numbers of steps.
    """
    best: dict[tuple[str, int], float] = {}
    with serving(HERE.parents[1], core) as ours, serving(checkout, core) as theirs:
        for name, rounds in ROUNDS.items():
            for seed in range(rounds + 1):
                for k, process in enumerate((ours, theirs)):
                    print(f"{name}: {('this', 'earlier')[k]} version", file=sys.stderr, flush=True)
                    seconds = asked(process, name, seed)
                    if seed:  # the first call compiles
                        best[name, k] = min(seconds, best.get((name, k), math.inf))
    step = [best["tops, long", k] - best["tops, short", k] for k in (0, 1)]
    return {"48 dimensions": step[1] / step[0], "rattleback": best["rattleback", 1] / best["rattleback", 0]}


def asked(process: subprocess.Popen[str], name: str, seed: int) -> float:
    """Seconds of a request."""
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps([name, seed]), file=process.stdin, flush=True)
    return float(json.loads(process.stdout.readline()))
