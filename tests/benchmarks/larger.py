"""A system of 48 dimensions, and a reference solution: what an earlier version of this engine is compared at.

Both versions run this file, and an earlier one has other names for some arguments. ``python larger.py`` serves requests,
one JSON line each, with one JSON line of processor seconds, as ``worker.py`` does.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import semidirect as sd
from semidirect import ops

COUNT = 8
NAMES = [f"b{n}" for n in range(COUNT)]
GROUP = sd.DirectProduct(*(sd.SO3() for _ in NAMES), names=NAMES)
VECTOR = sd.VectorRepresentation(sd.SO3())


class Tops(sd.System):
    """Eight heavy tops, each coupled to the next, under three noises: M and Γ of each, 48 numbers."""

    group = GROUP
    advected = {f"{n}_Gamma": sd.Advected(sd.Pullback(VECTOR, GROUP, f"{n}_Omega"), (0, 0, 1)) for n in NAMES}
    initial = {
        **{f"{n}_Omega": (0.3 + 0.1 * i, -0.2, 1.0) for i, n in enumerate(NAMES)},
        **dict.fromkeys((f"{n}_Gamma" for n in NAMES), (0.6, 0.0, 0.8)),
    }

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy less weight and coupling."""
        total: Any = 0
        for i, n in enumerate(NAMES):
            w, up = getattr(xi, f"{n}_Omega"), getattr(a, f"{n}_Gamma")
            beside = getattr(a, f"{NAMES[(i + 1) % COUNT]}_Gamma")
            kinetic = (w[0] * w[0] + 2 * w[1] * w[1] + 3 * w[2] * w[2]) / 2
            total = total + kinetic - up[2] * 3 / 10 - ops.dot(up, beside) / 10
        return total

    def constraint(self) -> Any:
        """Noise about each axis, the same for all."""
        return sd.Unconstrained(noise=[[0.1 * (j % 3 == axis) for j in range(3 * COUNT)] for axis in range(3)])


def tops(steps: int) -> Any:
    """1,024 paths of the reduced equations."""
    how = {"threads": 1, "engine": "compiled", "reconstruct": False}
    if hasattr(sd, "Execution"):
        how = {
            "execution": sd.Execution(threads=1, engine="compiled"),
            "formulation": sd.Formulation(reconstruct=False),
        }
    return lambda seed: Tops().simulate(
        t_end=steps * 0.01, dt=0.01, paths=1024, seed=seed, method="lie-heun", save="final", **how
    )


def rattleback() -> Any:
    """One path for 15 s, all of it saved."""
    quiet = {"driver": 0} if hasattr(sd, "Wiener") else {"drive": 0}
    return lambda _: sd.load("rattleback").simulate(t_end=15, dt=0.01, method="dop853", **quiet)


WORKS = {"tops, short": tops(200), "tops, long": tops(1200), "rattleback": rattleback()}


def main() -> None:
    """Serve until the input ends."""
    for line in sys.stdin:
        name, seed = json.loads(line)
        began = time.process_time()
        WORKS[name](seed)
        print(json.dumps(time.process_time() - began), flush=True)


if __name__ == "__main__":
    main()
