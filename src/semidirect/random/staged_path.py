"""A smooth driving path as the stages of a method of high order see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from semidirect.random.driving_path import DrivingPath


@final
@dataclass(frozen=True)
class StagedPath(DrivingPath):
    """W′(t + c_i dt) dt at the nodes c_i of a Runge–Kutta method, one after the other, instead of one increment.

    An increment over a step is the path's chord; a method that sees chords only has order 2 however many stages it has.

    Attributes
    ----------
    path : DrivingPath
        A smooth one, of k components.
    nodes : tuple of float
        c_i; the components are those of the path, k for each node.
    """

    path: DrivingPath
    nodes: tuple[float, ...]
    smooth: ClassVar[bool] = False

    @property
    def components(self) -> int:
        """k times the number of nodes."""
        return self.path.components * len(self.nodes)

    def value(self, t: Any) -> np.ndarray:
        """W(t), for each node the same."""
        return np.concatenate([self.path.value(t)] * len(self.nodes))

    @property
    def steady(self) -> bool:
        """That of the path."""
        return self.path.steady

    def derivative(self, t: Any) -> np.ndarray:
        """W′(t), for each node the same."""
        return np.concatenate([self.path.derivative(t)] * len(self.nodes))

    def increments(self, paths: Any, step: int, dt: float) -> np.ndarray:
        """W′(t + c_i dt) dt, ``(components, paths)``, the same for every path."""
        rates = self.path.derivative(step * dt + dt * np.array(self.nodes))
        return np.repeat(dt * rates.T.reshape(-1, 1), len(paths), axis=1)
