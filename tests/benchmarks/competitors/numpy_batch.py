"""NumPy by hand: all paths at once, one array operation after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from problems import AMPLITUDE, DT, Problem

from competitors.competitor import Competitor


class NumpyBatch(Competitor):
    """Heun's method on arrays ``(6, paths)`` with normals of SFC64."""

    label: ClassVar[str] = "NumPy batch"

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Nothing to prepare."""

        def run(seed: int) -> np.ndarray:
            rng = np.random.Generator(np.random.SFC64(seed))
            y = np.repeat(problem.start[:, None], paths, axis=1)
            scale = AMPLITUDE * np.sqrt(dt)
            for _ in range(steps):
                n = scale * rng.standard_normal((3, paths))
                first = np.stack(problem.increment(y, dt, n))
                second = np.stack(problem.increment(y + first, dt, n))
                y = y + 0.5 * (first + second)
            return y

        return run

    def states(self, result: Any) -> np.ndarray:
        """As they are."""
        return np.asarray(result)


def competitors() -> dict[str, Competitor]:
    """One."""
    return {"numpy": NumpyBatch()}
