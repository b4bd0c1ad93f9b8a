"""Munthe-Kaas methods in the moving frame: s, a and the momentum move by the group."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.core import solvers
from semidirect.integrators.method import WEAK_ONE, Step, scale
from semidirect.integrators.retracted import Retracted

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE

_KEEPS = "s ∈ S, orbits of advected quantities, Casimirs of Lie–Poisson systems"


@final
@dataclass(frozen=True)
class LieHeun(Retracted):
    """X₁ = X(y), ŷ = X₁·y, X₂ = X(ŷ), y⁺ = ½(X₁ + X₂)·y with frame increments X and their action on states.

    The retraction is the Cayley map on quadratic groups, else the exponential; ``lie-heun(exp)`` asks for the latter. The
    momentum gets half of κ ◇ a + τ before and half after it is turned. ``lift(heun)`` is another version, with the inverse
    tangent of the retraction.
    """

    name: ClassVar[str] = "lie-heun"
    strong_order = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 0.5})
    weak_order = WEAK_ONE
    deterministic_order: ClassVar[int] = 2
    preserves: ClassVar[str] = _KEEPS

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        retraction, frame = self.retraction(model), model.moving_frame
        x1 = frame.increment(y, t, dt, dW)
        x2 = frame.increment(frame.move(y, x1, retraction), t + dt, dt, dW)
        x = 0.5 * (x1 + x2)
        return Step(frame.move(y, x, retraction), x[: model.group.dimension])


@final
@dataclass(frozen=True)
class LieMidpoint(Retracted):
    """X = X(½X·y), y⁺ = X·y: the midpoint rule in the moving frame, X by fixed-point iteration.

    With ``(exp)`` and nothing added to the momentum it is symmetric in time; by the Cayley map it is not, since cay(X) is not
    cay(X/2)², nor is it a Poisson map: see ``coadjoint-midpoint``.
    """

    name: ClassVar[str] = "lie-midpoint"
    strong_order = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 0.5})
    weak_order = WEAK_ONE
    deterministic_order: ClassVar[int] = 2
    implicit: ClassVar[bool] = True
    preserves: ClassVar[str] = _KEEPS

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        retraction, frame = self.retraction(model), model.moving_frame

        def iteration(x: np.ndarray) -> np.ndarray:
            return frame.increment(frame.move(y, 0.5 * x, retraction), t + 0.5 * dt, dt, dW)

        x, converged = solvers.fixed_point(iteration, frame.increment(y, t, dt, dW), scale(y))
        return Step(frame.move(y, x, retraction), x[: model.group.dimension], converged)
