"""The implicit midpoint rule, drift and noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.integrators.chart import Flat
from semidirect.integrators.method import WEAK_ONE, Integrator, Step
from semidirect.integrators.runge_kutta import runge_kutta
from semidirect.integrators.tableau import STRATONOVICH_ONE, Tableau, gauss_legendre

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE


@final
@dataclass(frozen=True)
class ImplicitMidpoint(Integrator):
    """Y⁺ = Y + f(Ȳ)Δt + g(Ȳ)ΔW with Ȳ = ½(Y + Y⁺): ``gauss(1)``.

    Keeps quadratic invariants and bilinear constraints of the fields to round-off; the default of the A form.
    """

    name: ClassVar[str] = "implicit-midpoint"
    strong_order = STRATONOVICH_ONE
    weak_order = WEAK_ONE
    deterministic_order = 2
    implicit: ClassVar[bool] = True
    preserves: ClassVar[str] = "quadratic invariants, bilinear constraints"
    tableau: ClassVar[Tableau] = gauss_legendre(1)

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step, the increment by fixed-point iteration."""
        return runge_kutta(self.tableau, Flat(model, y, "exp", terms=0), t, dt, dW)
