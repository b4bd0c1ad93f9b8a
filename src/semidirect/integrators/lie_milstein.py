"""Heun's method in the moving frame with Lévy areas: geometric, of strong order 1 for any noise."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.integrators.method import WEAK_ONE, Integrator, Step
from semidirect.integrators.retracted import resolved
from semidirect.random import iterated_integrals

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE, Retraction


@final
class LieMilstein(Integrator):
    """y⁺ = [½(X₁ + X₂) + Σ_{i<j} A_ij X_ij]·y: the frame increments X₁, X₂ of ``lie-heun`` and those of the brackets [g_i, g_j].

    The brackets, differentiated from the derived fields, move s and a by the group too, so orbits are kept for any areas. What
    they do to the momentum besides rotating it is added at the end of the step; it vanishes to round-off if the noise is
    Hamiltonian with constant amplitudes, and then Casimirs are preserved as well.
    """

    name: ClassVar[str] = "lie-milstein"
    strong_order = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 1.0})
    weak_order = WEAK_ONE
    deterministic_order: ClassVar[int] = 2
    geometric: ClassVar[bool] = True
    preserves: ClassVar[str] = (
        "s ∈ S, orbits of advected quantities, Casimirs of Lie–Poisson systems with constant amplitudes"
    )

    @property
    def integrals(self) -> iterated_integrals.LevyAreas:
        """Lévy areas."""
        return iterated_integrals.LevyAreas()

    def retraction(self, model: NumericalSDE) -> Retraction:
        """The Cayley map on quadratic groups, else the exponential."""
        return resolved(None, model)

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        retraction, m, n = self.retraction(model), model.wieners, model.group.dimension
        W, areas, frame = dW[:m], dW[m:], model.moving_frame
        x1 = frame.increment(y, t, dt, W)
        x2 = frame.increment(frame.move(y, x1, retraction), t + dt, dt, W)
        x = 0.5 * (x1 + x2)
        if not len(areas):
            return Step(frame.move(y, x, retraction), x[:n])
        v, kick, dz = frame.area_increment(y, t, areas)
        last = len(x) - len(dz)
        x = np.concatenate([x[:n] + v, x[n:last], x[last:] + dz])
        y_after = frame.move(y, x, retraction)
        k = len(kick)
        return Step(np.concatenate([y_after[:k] + kick, y_after[k:]]), x[:n])
