"""Heun's method, in the full form and in the form that freezes the drift."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.integrators.chart import Flat
from semidirect.integrators.method import WEAK_ONE, Integrator, Step
from semidirect.integrators.runge_kutta import runge_kutta
from semidirect.integrators.tableau import EULER_HEUN, HEUN, STRATONOVICH_ONE, Tableau

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE


@final
@dataclass(frozen=True)
class Heun(Integrator):
    """Ŷ = Y + fΔt + gΔW; Y⁺ = Y + ½[f(Y) + f(Ŷ)]Δt + ½[g(Y) + g(Ŷ)]ΔW."""

    name: ClassVar[str] = "heun"
    strong_order = STRATONOVICH_ONE
    weak_order = MappingProxyType({**WEAK_ONE, "additive": 2.0})
    deterministic_order = HEUN.order
    tableau: ClassVar[Tableau] = HEUN

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step; s moves by the mean of the two transports."""
        return runge_kutta(HEUN, Flat(model, y, "exp", terms=0), t, dt, dW)


@final
@dataclass(frozen=True)
class EulerHeun(Integrator):
    """Ŷ = Y + g(Y)ΔW; Y⁺ = Y + f(Y)Δt + ½[g(Y) + g(Ŷ)]ΔW: Heun for the noise, Euler for the drift."""

    name: ClassVar[str] = "euler-heun"
    strong_order = STRATONOVICH_ONE
    weak_order = WEAK_ONE
    deterministic_order = EULER_HEUN.order
    tableau: ClassVar[Tableau] = EULER_HEUN

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return runge_kutta(EULER_HEUN, Flat(model, y, "exp", terms=0), t, dt, dW)
