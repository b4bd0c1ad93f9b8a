"""What a competitor is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from problems import DT, Problem


class Unavailable(Exception):
    """The competitor cannot take part: not installed, no compiler, or the problem cannot be expressed; the text says why."""


class Competitor(ABC):
    """Steps a problem for a number of paths and steps, float64, and gives the final states."""

    label: ClassVar[str]
    """How the table calls it."""

    @abstractmethod
    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """All that is done once, save what the first call compiles; then ``run(seed)`` is what is measured."""

    def settle(self, problem: Problem) -> str:
        """What is chosen for a problem before anything is measured, in words."""
        return ""

    @abstractmethod
    def states(self, result: Any) -> np.ndarray:
        """The final (M, Γ) of a result, shape ``(6, paths)``; not measured."""

    def slopes(self, result: Any) -> np.ndarray | None:
        """The derivatives of the final (M, Γ) by Ω₁ at the start, shape ``(6, paths)``, where there are any; not measured."""
        return None

    def own_seconds(self, result: Any) -> float | None:
        """The time by the competitor's own clock, where it leaves out what is not its stepping; else none."""
        return None
