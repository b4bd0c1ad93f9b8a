"""A smooth driving path in the form for the stages of a method of high order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.random import DrivingProcess


@final
@dataclass(frozen=True)
class StagedPath(DrivingProcess):
    """W′(t + c_i dt) dt at the nodes c_i of a Runge–Kutta method, one after the other, instead of one increment.

    An increment over a step is a chord of the path; a method that uses only chords has order 2 for any number of stages.

    Attributes
    ----------
    path : DrivingProcess
        A smooth process of k components.
    nodes : tuple of float
        c_i; the components are those of the path, k for each node.
    """

    path: DrivingProcess
    nodes: tuple[float, ...]

    @property
    def components(self) -> int:
        """k times the number of nodes."""
        return self.path.components * len(self.nodes)

    @property
    def rates_per_step(self) -> int:
        """One for each node."""
        return len(self.nodes)

    def block(self, paths: Any, step: int, steps: int, dt: float) -> np.ndarray:
        """W′(t + c_i dt) dt, ``(steps, components, paths)``, the same for every path."""
        out = np.empty((steps, self.components, len(paths)))
        for i in range(steps):
            rates = self.path.derivative((step + i) * dt + dt * np.array(self.nodes))
            out[i] = dt * rates.T.reshape(-1, 1)
        return out

    def part(self, paths: Any, step: int, dt: float, share: np.ndarray) -> np.ndarray:
        """W′ at the nodes of the shorter step, times its length."""
        rates = [self.path.derivative(step * dt + share * (dt * node)) for node in self.nodes]
        return np.concatenate(rates) * (share * dt)


def staged(process: DrivingProcess, nodes: tuple[float, ...]) -> DrivingProcess:
    """The process for a method with these nodes; the same object unless it is smooth and the method has nodes."""
    return StagedPath(process, nodes) if process.smooth and nodes else process
