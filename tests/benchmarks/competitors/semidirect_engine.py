"""This engine through its public API, compiled or by array code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from problems import DT, Problem

import semidirect as sd
from competitors.competitor import Competitor

ASKED = ("M", "Gamma", "sensitivity.M", "sensitivity.Gamma")
"""The quantities at the end that every competitor computes; derivatives if it has any."""


class SemidirectEngine(Competitor):
    """``sd.load(name).simulate(..., save="final")``."""

    label: ClassVar[str] = "semidirect"

    def __init__(self, engine: str = "compiled", threads: int = 1, reconstruct: bool = True, statistics: bool = False,
                 slopes: bool = False):  # fmt: skip
        self.engine, self.threads, self.statistics = engine, threads, statistics
        self.formulation = sd.Formulation(reconstruct=reconstruct, sensitivity=("Omega1",) if slopes else ())

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Deriving the equations is part of preparing."""
        system = sd.load(problem.system, **problem.options)
        state = {"Omega": problem.Omega, "Gamma": problem.Gamma}

        more: dict[str, Any] = {}
        if self.statistics:  # means, variances and histograms of every observable at 100 times and the start
            start = system.simulate(t_end=dt, dt=dt, state=state, method=problem.method, driver=0)
            histograms = [sd.Histogram(name, *_around(start[name][0, 0]), bins=200) for name in system.observables()]
            statistics = [sd.Moments(list(system.observables())), *histograms]
            more = {
                "save": sd.Save("final", names=[]),
                "reduce": sd.Reduce(statistics, at=f"every:{max(1, steps // 100)}"),
            }

        def run(seed: int) -> Any:
            result = system.simulate(
                t_end=steps * dt, dt=dt, paths=paths, seed=seed, method=problem.method, state=state,
                execution=sd.Execution(threads=self.threads, engine=self.engine),
                formulation=self.formulation, **{"save": "final", **more},
            )  # fmt: skip
            _ = [result[name] for name in ASKED if name in result]
            return result

        return run

    def states(self, result: Any) -> np.ndarray:
        """From the run."""
        return np.concatenate([result["M"][:, -1].T, result["Gamma"][:, -1].T])

    def slopes(self, result: Any) -> np.ndarray | None:
        """From the run, if it has any."""
        if not self.formulation.sensitivity:
            return None
        return np.concatenate([result.sensitivity(name).values[:, -1, :, 0].T for name in ("M", "Gamma")])


class SemidirectStepper(Competitor):
    """``system.ensemble(...)``, made once: a run copies it, advances the copy and reads the state."""

    label: ClassVar[str] = "semidirect, stepper"

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Deriving the equations, and the ensemble at its start."""
        system = sd.load(problem.system, **problem.options)
        state = {"Omega": problem.Omega, "Gamma": problem.Gamma}
        execution = sd.Execution(threads=1, engine="compiled")
        start = system.ensemble(dt=dt, paths=paths, seed=0, method=problem.method, state=state, execution=execution)

        def run(seed: int) -> Any:
            return start.copy().advance(steps=steps).read("M", "Gamma")

        return run

    def states(self, result: Any) -> np.ndarray:
        """From what was read."""
        return np.concatenate([result["M"].T, result["Gamma"].T])


def _around(value: Any) -> tuple[float, float]:
    """Where a histogram begins and ends; all components of a vector share it."""
    size = 1 + float(np.max(np.abs(value)))
    return -2 * size, 2 * size


def competitors() -> dict[str, Competitor]:
    """The engine as it is meant, its array code, and so many threads."""
    threads = {f"semidirect@{n}": SemidirectEngine(threads=n) for n in (1, 2)}
    return {
        "semidirect": SemidirectEngine(), "semidirect-reduced": SemidirectEngine(reconstruct=False),
        "semidirect-statistics": SemidirectEngine(statistics=True), "semidirect-numpy": SemidirectEngine("numpy"),
        "semidirect-stepper": SemidirectStepper(), "semidirect-slopes": SemidirectEngine(slopes=True),
        "semidirect-reduced-slopes": SemidirectEngine(reconstruct=False, slopes=True), **threads,
    }  # fmt: skip
