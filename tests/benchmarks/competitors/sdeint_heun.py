"""sdeint: stratHeun, one path after the other in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import sdeint
from problems import DT, Problem

from competitors.competitor import Competitor


class SdeintHeun(Competitor):
    """``stratHeun`` has no batch: paths are a loop."""

    label: ClassVar[str] = "sdeint"

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Nothing is compiled."""
        times = np.arange(steps + 1) * dt

        def f(y: np.ndarray, t: float) -> np.ndarray:
            return np.array(problem.drift(y.tolist()))

        def g(y: np.ndarray, t: float) -> np.ndarray:
            return np.array(problem.noises(y.tolist())).T

        def run(seed: int) -> np.ndarray:
            rng = np.random.default_rng(seed)
            return np.array([sdeint.stratHeun(f, g, problem.start, times, generator=rng)[-1] for _ in range(paths)])

        return run

    def states(self, result: Any) -> np.ndarray:
        """Components first."""
        return np.asarray(result).T


def competitors() -> dict[str, Competitor]:
    """One."""
    return {"sdeint": SdeintHeun()}
