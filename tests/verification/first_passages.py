"""Print the table of ``docs/events_in_detail.md``: first passages of a Wiener process, found at steps and by Brownian bridges.

Usage: python tests/verification/first_passages.py [PATHS]
"""

from __future__ import annotations

import sys
from math import erf, sqrt
from typing import Any

import numpy as np

import semidirect as sd

LEVEL = 1.0
EXACT = 1 - erf(LEVEL / sqrt(2))
"""P(max W ≥ 1 on [0, 1]) = 2 P(W(1) ≥ 1), by the reflection principle."""
STEPS = (0.1, 0.01)
PATHS = 1_000_000


class Wiener(sd.System):
    """dz = dW."""

    group = sd.SO2()

    def lagrangian(self, xi: Any) -> Any:
        """That of a wheel, which has nothing to do with z."""
        return xi.omega**2 / 2

    def internal(self) -> Any:
        """The Wiener process."""
        return [sd.InternalState("z", 0.0, noise=[[1.0]])]


def share(dt: float, paths: int, *, locate: bool, seed: int = 1) -> float:
    """The share of the paths that a stop at the level finds up to t = 1."""
    stop = sd.Stop("z", above=LEVEL, locate=locate)
    run = Wiener().simulate(
        t_end=1, dt=dt, paths=paths, seed=seed, method="heun", save=sd.Save("final", []), stop=stop,
        formulation=sd.Formulation(reconstruct=False),
    )  # fmt: skip
    return len(run.stopped.paths) / paths


def error(paths: int) -> float:
    """The standard error of the share."""
    return sqrt(EXACT * (1 - EXACT) / paths)


def row(dt: float, paths: int) -> str:
    """A row of the table."""
    at_steps, located = (share(dt, paths, locate=locate) for locate in (False, True))
    return f"| {dt:g} | {at_steps:.4f} | {located:.4f} | {(located - EXACT) / error(paths):+.1f} |"


def main() -> None:
    """Print the table."""
    paths = int(sys.argv[1]) if len(sys.argv) > 1 else PATHS
    print("| dt [s] | at the steps | `locate=True` | standard errors from the exact value |\n|---:|---:|---:|---:|")
    for dt in STEPS:
        print(row(dt, paths), flush=True)
    print(f"\n{paths:,} paths, exact: {EXACT:.4f} ± {error(paths):.4f}")


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
