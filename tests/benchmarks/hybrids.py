"""How many times as fast hybrid systems are with kernels between their events as by array code, at 1,000 paths.

``python hybrids.py [CHECKOUT]`` compares with array code of this version, or with an earlier version. ``python hybrids.py serve``
serves requests, one JSON line each, with one JSON line of processor seconds; both versions run this file.
"""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import earlier

import semidirect as sd
from semidirect import ops

sys.path.insert(0, str(Path(__file__).parents[1] / "facts"))
from hopping_hoops import START, hopping_hoop

PATHS, ROUNDS = 1000, 3


class Ball(sd.System):
    """A ball in the air, 0.2 m in radius."""

    group = sd.SE3()
    noise = sd.parameter((), shape=(None, 3))
    advected = {"Gamma": sd.AdvectedFrame(group)["Gamma"], "b": sd.AdvectedFrame(group)["b"]}
    initial = {"Omega": (0, 5, 0), "Gamma": (0, 0, 1), "b": (0, 0, -0.5, 1)}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy less weight."""
        return 0.008 * ops.dot(xi.Omega, xi.Omega) + ops.dot(xi.Y, xi.Y) / 2 + 9.8 * ops.dot(a.b[:3], a.Gamma)

    @sd.observable(unit="m")
    def height(self, state: Any) -> Any:
        """Above the ground."""
        return -ops.dot(state.b[:3], state.Gamma) - 0.2


class Rolling(Ball):
    """On rough ground, under noise."""

    def constraint(self) -> Any:
        """No slip."""
        return sd.Rolling(lambda a: 0.2 * a.Gamma, noise=self.noise, normal=lambda a: a.Gamma)


def ball(seed: int, execution: sd.Execution) -> Any:
    """Five bounces, then it rolls under noise: 750 steps."""
    lands = sd.Switch(
        "flight", "rolling", sd.Crossing("height", 0, "falling"), sd.Impact(restitution=0.5, settling=0.3)
    )
    system = sd.Hybrid({"flight": Ball(), "rolling": Rolling(noise=[[0.3, 0, 0]])}, [lands])
    return system.simulate(mode="flight", t_end=1.5, dt=0.002, method="rkmk4", paths=PATHS, seed=seed, save=[1.5],
                           execution=execution)  # fmt: skip


def hoops(seed: int, execution: sd.Execution) -> Any:
    """They roll, slip, hop and land under noise that moves what they slip by: 450 steps, 2.6 transitions of a path."""
    return hopping_hoop(friction=0.8, noise=[2.0]).simulate(
        mode="rolling", t_end=0.9, dt=0.002, paths=PATHS, seed=seed, method="lie-heun", state=START, save=[0.9],
        execution=execution,
    )  # fmt: skip


WORKS = {"a ball that bounces and rolls": ball, "hoops that slip and hop under noise": hoops}


def compare(checkout: Path | None, core: int) -> dict[str, float]:
    """Ratios of processor times, best of some rounds; to array code of this version if there is no checkout."""
    best: dict[tuple[str, int], float] = {}
    here = Path(__file__).parents[2]
    script = str(Path(__file__).resolve())
    with (
        earlier.serving(here, core, script, "serve", "compiled") as ours,
        earlier.serving(checkout or here, core, script, "serve", "numpy") as theirs,
    ):
        for name in WORKS:
            for seed in range(ROUNDS + 1):
                for k, process in enumerate((ours, theirs)):
                    seconds = earlier.asked(process, name, seed)
                    if seed:  # the first call compiles
                        best[name, k] = min(seconds, best.get((name, k), math.inf))
    return {name: best[name, 1] / best[name, 0] for name in WORKS}


def serve(engine: str) -> None:
    """Serve until the input ends."""
    for line in sys.stdin:
        name, seed = json.loads(line)
        began = time.process_time()
        WORKS[name](seed, sd.Execution(threads=1, engine=engine))
        print(json.dumps(time.process_time() - began), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    else:
        for name, ratio in compare(Path(sys.argv[1]) if sys.argv[1:] else None, -1).items():
            print(f"{name}: {ratio:.1f}")
