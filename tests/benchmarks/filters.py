"""What a time of data costs a particle filter, over what the kernel takes to advance its particles to it.

    python tests/benchmarks/filters.py

10,000 particles, ten steps from one time to the next, one thread, the default quantities and levels. Each case is measured
without moves, ``ParticleUpdate(moves=0, temper_below=0)``, and with the default, ``ParticleUpdate()``; the first also with one
that resamples at each time, ``ParticleUpdate(resample_below=1)``, and with moves over twenty intervals,
``ParticleUpdate(reach=20)``, as a filter that smooths makes them. The cost of a time is a difference of two filters, so that
what a filter does once is left out; the ratio is the median of some rounds. A cycle of the stepper is ten steps and a
reading, by one thread and by two.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from measure import fresh_folder

import semidirect as sd

PARTICLES, STEPS, DT = 10_000, 10, 0.01
MANY, FEW, ROUNDS = 40, 10, 21
DOTS = np.concatenate([np.eye(3), -np.eye(3)])

CASES: dict[str, tuple[str, dict[str, Any], Callable[[], Any]]] = {
    "disk, position": ("rolling-disk", {}, lambda: sd.inference.position(["x", "y"], noise=0.05)),
    "Routh ball, position": (
        "routh-sphere",
        {"noise": 0.1 * np.eye(3)},
        lambda: sd.inference.position(["x1", "x2"], noise=0.05),
    ),
    "Routh ball, camera with six dots": (
        "routh-sphere",
        {"noise": 0.1 * np.eye(3)},
        lambda: sd.inference.camera(DOTS, noise=0.05),
    ),
}
"""System, its options, observation."""

WITHOUT_MOVES, OVER_A_WINDOW = "moves=0, temper_below=0", "reach=20"
UPDATES = {
    WITHOUT_MOVES: sd.inference.ParticleUpdate(moves=0, temper_below=0.0),
    "the default": sd.inference.ParticleUpdate(),
    "resampled at each time": sd.inference.ParticleUpdate(resample_below=1.0),
    OVER_A_WINDOW: sd.inference.ParticleUpdate(reach=20),
}
STEPPER = "ten steps and a reading"
READ = {"disk, position": "x", "Routh ball, position": "x1"}
"""What is read in a cycle of the stepper."""
ROWS = [(case, update) for update in (WITHOUT_MOVES, "the default") for case in CASES] + [
    ("disk, position", update) for update in ("resampled at each time", OVER_A_WINDOW)
]


def seconds(function: Callable[[], Any]) -> float:
    """Processor seconds of a call."""
    began = time.process_time()
    function()
    return time.process_time() - began


def ratio(name: str, update: str) -> float:
    """The cost of a time of data in kernels."""
    system_name, options, make = CASES[name]
    system, observation = sd.load(system_name, **options), make()
    execution = sd.Execution(threads=1, engine="compiled")
    truth = system.simulate(t_end=MANY * STEPS * DT, dt=DT, seed=4, save=f"every:{STEPS}")
    data = observation.of(truth, seed=1).isel(time=slice(1, None))

    def filtered(times: int) -> None:
        sd.filter(system, observation, data.isel(time=slice(0, times)), dt=DT, particles=PARTICLES, seed=1,
                  update=UPDATES[update], execution=execution)  # fmt: skip

    ensemble = system.ensemble(dt=DT, paths=PARTICLES, seed=1, execution=execution)
    for _ in range(3):
        filtered(MANY)  # until the readings are compiled
    found = []
    for _ in range(1 + (ROUNDS - 1) // 10 if update == OVER_A_WINDOW else ROUNDS):  # it takes many times as long
        cycle = (seconds(lambda: filtered(MANY)) - seconds(lambda: filtered(FEW))) / (MANY - FEW)
        kernel = seconds(lambda: [ensemble.advance(steps=STEPS) for _ in range(MANY)]) / MANY
        found.append(cycle / kernel)
    return float(np.median(found))


def stepper_ratio(name: str, threads: int) -> float:
    """The cost of a cycle of the stepper in kernels."""
    system_name, options, _ = CASES[name]
    system, quantity = sd.load(system_name, **options), READ[name]
    ensemble, long = (system.ensemble(dt=DT, paths=PARTICLES, seed=1, execution=sd.Execution(threads=n, engine="compiled"))
                      for n in (threads, 1))  # fmt: skip

    def cycle() -> None:
        ensemble.advance(steps=STEPS)
        ensemble.read(quantity)

    for _ in range(FEW):
        cycle()  # until the reading is compiled
    found = []
    for _ in range(ROUNDS):
        kernel = seconds(lambda: long.advance(steps=MANY * STEPS)) / MANY
        found.append(seconds(lambda: [cycle() for _ in range(MANY)]) / MANY / kernel)
    return float(np.median(found))


def cycles(core: int) -> dict[str, float]:
    """The ratios of all cases, from a process of its own."""
    environment = os.environ | {"SEMIDIRECT_CACHE": fresh_folder(), "OPENBLAS_NUM_THREADS": "1"}
    pin = (lambda: os.sched_setaffinity(0, {core})) if core >= 0 and hasattr(os, "sched_setaffinity") else None
    done = subprocess.run(
        [sys.executable, __file__], env=environment, stdout=subprocess.PIPE, text=True, check=True, preexec_fn=pin
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """All ratios as JSON."""
    warnings.simplefilter("ignore", sd.errors.FilterWarning)
    found = {f"{case} ({update})": ratio(case, update) for case, update in ROWS}
    for case in READ:
        for threads in (1, 2):
            label = f"{case.split(',')[0]}, {STEPPER}, {threads} thread{'s' * (threads > 1)}"
            found[label] = stepper_ratio(case, threads)
    print(json.dumps(found, ensure_ascii=False))


if __name__ == "__main__":
    main()
