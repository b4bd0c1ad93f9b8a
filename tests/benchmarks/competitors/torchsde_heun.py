"""torchsde: heun for a Stratonovich SDE with general noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import torch
import torchsde
from problems import AMPLITUDE, DT, Problem

from competitors.competitor import Competitor

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)


class Equations(torch.nn.Module):
    """The problem as torchsde takes it: the product g dW is given, which spares it 6 × 3 matrices."""

    noise_type = "general"
    sde_type = "stratonovich"

    def __init__(self, problem: Problem):
        super().__init__()
        self.problem = problem

    def f(self, t: Any, y: Any) -> Any:
        """Drift."""
        return torch.stack(self.problem.drift(y.unbind(1)), 1)

    def g(self, t: Any, y: Any) -> Any:
        """Noise fields, ``(paths, 6, 3)``."""
        return torch.stack([torch.stack(g, 1) for g in self.problem.noises(y.unbind(1))], 2)

    def g_prod(self, t: Any, y: Any, v: Any) -> Any:
        """Noise fields times increments."""
        return torch.stack(self.problem.increment(y.unbind(1), 0.0, (AMPLITUDE * v).unbind(1)), 1)


class TorchsdeHeun(Competitor):
    """``sdeint(method="heun")`` without gradients, one thread."""

    label: ClassVar[str] = "torchsde"

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """Nothing is compiled."""
        equations = Equations(problem)
        start = torch.as_tensor(problem.start).repeat(paths, 1)
        times = torch.tensor([0.0, steps * dt])

        def run(seed: int) -> Any:
            with torch.no_grad():
                path = torchsde.BrownianInterval(
                    0.0, steps * dt, size=(paths, 3), dtype=torch.float64, entropy=seed, dt=dt
                )
                return torchsde.sdeint(equations, start, times, bm=path, method="heun", dt=dt)[-1]

        return run

    def states(self, result: Any) -> np.ndarray:
        """Components first."""
        return result.numpy().T


def competitors() -> dict[str, Competitor]:
    """One."""
    return {"torchsde": TorchsdeHeun()}
