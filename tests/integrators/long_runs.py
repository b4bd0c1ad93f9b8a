"""Long runs of the geometric methods: ``python tests/integrators/long_runs.py`` prints what they keep and how energy drifts.

10⁶ steps with noise by the compiled kernel, and 10⁵ steps without noise; some minutes, most of them compiling.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

import semidirect as sd

BODY = sd.load("rigid-body", inertia=(1.0, 2.0, 3.0), advect_gamma=True)
TOP = sd.load("heavy-top", inertia=(1.0, 1.5, 0.8), axis=(0.36, -0.48, 0.8), noise=[[0.1, 0, 0.2], [0, 0.3, -0.1]])
BALL = sd.load("chaplygin-ball", noise=())
STARTS = {
    "rigid body": {"Omega": (1.0, 0.7, -0.4), "Gamma": (0.36, -0.48, 0.8)},
    "heavy top": {"Omega": (0.6, 0.3, 1.2), "Gamma": (0.36, -0.48, 0.8)},
    "Chaplygin ball": {"Omega": (1.0, 0.7, -0.4), "Gamma": (0.36, -0.48, 0.8)},
}
NOISY = ["lie-heun", "lie-midpoint", "rkmk4", "variational"]
STILL = ["rk4", "lie-heun", "lie-midpoint", "lie-midpoint(exp)", "rkmk4", "lift(gauss(2))", "implicit-midpoint", "gauss(2)",
         "variational", "variational(exp)", "coadjoint-midpoint"]  # fmt: skip
ROLLING = ["rk4", "lie-heun", "lie-midpoint", "rkmk4", "lift(gauss(2))", "implicit-midpoint", "gauss(2)", "gauss(3)",
           "nonholonomic", "nonholonomic(exp)"]  # fmt: skip


def measure(
    system: sd.System, method: str, *, dt: float, steps: int, state: dict[str, Any], paths: int = 1
) -> dict[str, float]:
    """Largest changes over a run, momenta in units of the largest |M|, and the relative energy error.

    Returns
    -------
    dict
        ``gamma`` (|Γ|), ``momentum_gamma`` (M·Γ), ``momentum`` (|M|), ``spatial`` (gM), ``group`` (gᵀg − 1); ``energy``
        (peak to peak), ``drift`` (slope times length).
    """
    run = system.simulate(t_end=dt * steps, dt=dt, method=method, paths=paths,
                          save=sd.Save(f"every:{max(1, steps // 500)}", names=["M", "Gamma", "g", "energy"]), seed=3,
                          state=state, execution=sd.Execution(engine="compiled"))  # fmt: skip
    M, Gamma, energy = run["M"], run["Gamma"], run["energy"].reshape(paths, -1)
    g = run["g"].reshape(*run["g"].shape[:2], 3, 3)
    size = float(np.linalg.norm(M, axis=-1).max())
    error = energy / energy[:, :1] - 1

    def change(values: np.ndarray) -> float:
        return float(np.abs(values - values[:, :1]).max())

    return {
        "gamma": change(np.linalg.norm(Gamma, axis=-1)),
        "momentum_gamma": change(np.sum(M * Gamma, axis=-1)) / size,
        "momentum": change(np.linalg.norm(M, axis=-1)) / size,
        "spatial": change(np.einsum("ptij,ptj->pti", g, M)) / size,
        "group": float(np.abs(np.swapaxes(g, -1, -2) @ g - np.eye(3)).max()),
        "energy": float(np.ptp(error)),
        "drift": float(np.abs(np.polyfit(run.times, error.T, 1)[0]).max() * dt * steps),
        "failed": float((~run.good).sum()),
    }


def tell(title: str, system: sd.System, methods: Sequence[str], **options: Any) -> None:
    """Print a table."""
    print(f"\n{title}")
    for i, method in enumerate(methods):
        found = measure(system, method, **options)
        if not i:
            print(f"{'':20}" + "".join(f"{name:>15}" for name in found))
        print(f"{method:20}" + "".join(f"{value:15.1e}" for value in found.values()), flush=True)


def main() -> None:
    """All tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000_000, help="steps of the runs with noise (default 1000000)")
    steps = parser.parse_args().steps
    body, top, ball = STARTS.values()
    tell(f"rigid body with noise, {steps} steps of 0.01", BODY, NOISY, dt=0.01, steps=steps, state=body, paths=4)
    tell(f"heavy top with noise, {steps} steps of 0.01", TOP, NOISY, dt=0.01, steps=steps, state=top, paths=4)
    for title, system, state in (("rigid body", BODY, body), ("heavy top", TOP, top)):
        tell(f"{title} with noise, 100000 steps of 0.1", system, NOISY[1:], dt=0.1, steps=100_000, state=state, paths=4)
    tell("rigid body, h = 0.1, T = 10000", BODY.replace(noise=()), STILL, dt=0.1, steps=100_000, state=body)
    tell("heavy top, h = 0.1, T = 10000", TOP.replace(noise=()), STILL, dt=0.1, steps=100_000, state=top)
    tell("Chaplygin ball, h = 0.05, T = 200", BALL, ROLLING, dt=0.05, steps=4000, state=ball)


if __name__ == "__main__":
    main()
