"""This engine through its public API, compiled or by array code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from problems import DT, Problem

import semidirect as sd
from competitors.competitor import Competitor


class SemidirectEngine(Competitor):
    """``sd.load(name).simulate(..., save="final")``."""

    label: ClassVar[str] = "semidirect"

    def __init__(self, engine: str = "compiled", threads: int = 1):
        self.engine, self.threads = engine, threads

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Deriving the equations is part of preparing."""
        system = sd.load(problem.system, **problem.options)
        state = {"Omega": problem.Omega, "Gamma": problem.Gamma}

        def run(seed: int) -> Any:
            return system.simulate(
                t_end=steps * dt, dt=dt, paths=paths, seed=seed, method=problem.method, state=state, save="final",
                threads=self.threads, engine=self.engine,
            )  # fmt: skip

        return run

    def states(self, result: Any) -> np.ndarray:
        """From the run."""
        return np.concatenate([result["M"][:, -1].T, result["Gamma"][:, -1].T])


def competitors() -> dict[str, Competitor]:
    """The engine as it is meant, its array code, and so many threads."""
    threads = {f"semidirect@{n}": SemidirectEngine(threads=n) for n in (1, 2)}
    return {"semidirect": SemidirectEngine(), "semidirect-numpy": SemidirectEngine("numpy"), **threads}
