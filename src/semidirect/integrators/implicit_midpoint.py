"""The implicit midpoint rule, drift and noise."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect import ops
from semidirect.integrators.integrator import WEAK_ONE, Integrator, Step, flat, scale

if TYPE_CHECKING:
    from semidirect.kernels.model import Model


@final
class ImplicitMidpoint(Integrator):
    """Y⁺ = Y + f(Ȳ)Δt + g(Ȳ)ΔW with Ȳ = ½(Y + Y⁺).

    Keeps quadratic invariants and bilinear constraints of the fields to round-off; the default of the A form.
    """

    name: ClassVar[str] = "implicit-midpoint"
    strong_order = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 0.5})
    weak_order = WEAK_ONE
    deterministic_order = 2
    implicit: ClassVar[bool] = True
    preserves: ClassVar[str] = "quadratic invariants, bilinear constraints"

    def step(self, model: Model, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step, the increment by fixed-point sweeps."""

        def sweep(k: np.ndarray) -> np.ndarray:
            return model.field(flat(model, y, 0.5 * k), t + 0.5 * dt, dt, dW)

        k, converged = ops.fixed_point(sweep, model.field(y, t, dt, dW), scale(y))
        return Step(flat(model, y, k), k[model.dimension :], converged)
