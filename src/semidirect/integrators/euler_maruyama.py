"""Euler–Maruyama on the converted drift."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from semidirect.integrators.method import WEAK_ONE, Integrator, Step, flat

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE


@final
class EulerMaruyama(Integrator):
    """Y⁺ = Y + (f + ½ Σ (Dg_i)[g_i])Δt + Σ g_iΔW^i: the Itô form, so it needs increments of a Wiener process."""

    name: ClassVar[str] = "euler-maruyama"
    calculus: ClassVar[Literal["stratonovich", "ito", "ode"]] = "ito"
    strong_order = MappingProxyType({"additive": 1.0, "single": 0.5, "commutative": 0.5, "general": 0.5})
    weak_order = WEAK_ONE
    deterministic_order = 1

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        k = model.ito_field(y, t, dt, dW)
        return Step(flat(model, y, k), k[model.dimension :])
