"""Rößler's SRA1, of strong order 1.5 for additive noise."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.integrators.method import Integrator, Step
from semidirect.integrators.stages import StageEvaluator
from semidirect.random import iterated_integrals

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE


@final
class SRA1(Integrator):
    """H = Y + ¾ f(Y)h + (3/2) Σ g_i Z_i/h, Y⁺ = Y + [⅓ f(Y) + ⅔ f(H)]h + Σ (g_i(t+h) (ΔW^i − Z_i/h) + g_i(t) Z_i/h).

    Z_i = ∫ (W_i(s) − W_i(t)) ds over the step, drawn with ΔW^i; H is at t + ¾h, and its g_i at t + h. For noise fields that
    depend on no state, random forces or torques: these may depend on time. The configuration, which the noise may move itself
    only where it commutes with every motion, as in ℝⁿ, is a part of the state by
    :class:`~semidirect.integrators.stages.StageEvaluator` and has the same order.

    Rößler, Runge–Kutta methods for the strong approximation of solutions of stochastic differential equations, SIAM J. Numer.
    Anal. 48 (2010).
    """

    name: ClassVar[str] = "sra1"
    strong_order = MappingProxyType({"additive": 1.5})
    deterministic_order: ClassVar[int] = 2
    transport: ClassVar[bool] = False

    @property
    def integrals(self) -> iterated_integrals.TimeIntegrals:
        """Z."""
        return iterated_integrals.TimeIntegrals()

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        m = model.wieners
        stages = StageEvaluator(model, y, t, dt)
        f = stages.field(0, None, 0.0) * dt
        at, noise = 0.75 * f, None
        for i in range(m):
            mean = dW[m + i] / dt
            now, then = stages.field(i + 1, None, 0.0), stages.field(i + 1, None, 1.0)
            at = at + then * (1.5 * mean)
            term = then * (dW[i] - mean) + now * mean
            noise = term if noise is None else noise + term
        X = (1 / 3) * f + (2 / 3) * (stages.field(0, at, 0.75) * dt)
        X = X if noise is None else X + noise
        return Step(stages.state(X), X[model.dimension :])
