"""Time of the file in C over that of the compiled engine, for one path.

Usage: python tests/export/times.py [--only SYSTEM …] [--methods METHOD …] [--rounds N]

Ratios of the least times of some rounds in turn in one process, for each compiler with the flags that the file names and with
these but ``-march=native``. ``CLANG`` may name the command of a compiler. What is measured goes into ``times.json`` beside this
file, with the processor and the compilers.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import re
import subprocess
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pairs import SEED, compiled, compiler, flags_of, pointer, text_of

import semidirect as sd
from semidirect.compile import KernelCall
from semidirect.integrators import integrator
from semidirect.model import NumericalSDE
from semidirect.random import Wiener
from semidirect.specification import driving_process
from semidirect.state import InitialState

MEASURED = Path(__file__).with_name("times.json")
SYSTEMS = (
    "rolling-ball", "rigid-body", "heavy-top", "suslov", "chaplygin-sleigh", "rolling-disk", "kirchhoff-body", "rattleback",
    "spherical-robot", "point-vortices", "differential-drive", "falling-disc",
)  # fmt: skip
METHODS = ("heun", "lie-heun", "implicit-midpoint")
COMPILERS = ("gcc", "clang")
STEPS, DT = 4096, 1 / 4096


def of_kernel(system: Any, method: Any) -> Callable[[], float]:
    """Seconds of a call of the kernel of one path, with as many steps as the compiled engine takes at once."""
    model = NumericalSDE.of(system)
    driver = driving_process(model, method, Wiener(), seed=SEED, dt=DT, steps=range(STEPS), paths=1)
    call = KernelCall.of(
        model, model, method, driver, paths=1, all_paths=1, dt=DT, origin=0.0, once=lambda _, make: make()
    )
    start = InitialState.of(system, None, model=model)
    y, s = call.in_lanes(start.vector(model, 0.0)), call.in_lanes(start.stored)
    none = np.zeros((1, 1, max(model.wieners, 1), 1))

    def seconds() -> float:
        now = y.copy(), s.copy()
        begun = time.perf_counter()
        call(*now, none, 0, 0, STEPS)
        return time.perf_counter() - begun

    return seconds


def of_file(system: Any, method: Any, command: list[str], *, without: str = "") -> Callable[[], float]:
    """Seconds of the steps of a file in C."""
    library = compiled(text_of(system, method), command, without=without)
    start, state, q = (np.zeros(400) for _ in range(3))
    library.one_defaults(pointer(q))
    y, s, p = map(pointer, (start, state, q))
    numbers = ctypes.c_uint64(SEED), ctypes.c_uint64(0), ctypes.c_long(0), ctypes.c_long(STEPS), ctypes.c_double(DT)

    def seconds() -> float:
        library.one_start(y, s)
        begun = time.perf_counter()
        done = library.one_run(y, s, p, *numbers)
        ended = time.perf_counter()
        if done != STEPS:
            raise RuntimeError(f"{done} good steps of {STEPS}")
        return ended - begun

    return seconds


def ratios(system: Any, label: str, rounds: int) -> dict[str, float]:
    """Ratios by compiler."""
    method = integrator(label)
    named = {"kernel": of_kernel(system, method)}
    for name in COMPILERS:
        named[name] = of_file(system, method, compiler(name))
        named[f"{name} without -march=native"] = of_file(system, method, compiler(name), without="-march=native")
    least = dict.fromkeys(named, float("inf"))
    for _ in range(rounds):
        for name, seconds in named.items():
            least[name] = min(least[name], seconds())
    return {name: round(least[name] / least["kernel"], 2) for name in named if name != "kernel"}


def surroundings() -> dict[str, Any]:
    """The processor, the compilers and the flags."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    processor = {
        k: (re.search(rf"{k}\s*: (.*)", info) or ["", "unknown"])[1] for k in ("model name", "cpu family", "model")
    }
    versions = {name: subprocess.run([*compiler(name), "--version"], capture_output=True, text=True).stdout.splitlines()[0]
                for name in COMPILERS}  # fmt: skip
    flags = flags_of(sd.runs.export(sd.load("rigid-body"), "c").text)
    return {"processor": ", ".join(f"{k} {v}" for k, v in processor.items()), **versions, "flags": " ".join(flags)}


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=SYSTEMS)
    parser.add_argument("--methods", nargs="*", default=METHODS)
    parser.add_argument("--rounds", type=int, default=40)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    record = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {"ratios": {}}
    record["measured on"] = surroundings()
    for name in asked.only:
        system = sd.load(name)
        for label in asked.methods:
            row = record["ratios"].setdefault(name, {})[label] = ratios(system, label, asked.rounds)
            print(name, label, row, flush=True)
            MEASURED.write_text(json.dumps(record, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
