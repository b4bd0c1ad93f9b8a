"""Heun's method, in the full form and in the form that freezes the drift."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.integrators.integrator import WEAK_ONE, Integrator, Step, flat

if TYPE_CHECKING:
    from semidirect.kernels.model import Model


@final
class Heun(Integrator):
    """Ŷ = Y + fΔt + gΔW; Y⁺ = Y + ½[f(Y) + f(Ŷ)]Δt + ½[g(Y) + g(Ŷ)]ΔW."""

    name: ClassVar[str] = "heun"
    strong_order = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 0.5})
    weak_order = MappingProxyType({**WEAK_ONE, "additive": 2.0})
    deterministic_order = 2

    def step(self, model: Model, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        k1 = model.field(y, t, dt, dW)
        k2 = model.field(flat(model, y, k1), t + dt, dt, dW)
        k = 0.5 * (k1 + k2)
        return Step(flat(model, y, k), k[model.dimension :])


@final
class EulerHeun(Integrator):
    """Ŷ = Y + g(Y)ΔW; Y⁺ = Y + f(Y)Δt + ½[g(Y) + g(Ŷ)]ΔW: Heun for the noise, Euler for the drift."""

    name: ClassVar[str] = "euler-heun"
    strong_order = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 0.5})
    weak_order = WEAK_ONE
    deterministic_order = 1

    def step(self, model: Model, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        f = model.field(y, t, dt, 0 * dW)
        g1 = model.field(y, t, 0.0, dW)
        g2 = model.field(flat(model, y, g1), t + dt, 0.0, dW)
        k = f + 0.5 * (g1 + g2)
        return Step(flat(model, y, k), k[model.dimension :])
