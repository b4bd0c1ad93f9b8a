"""The classical Runge–Kutta method, flat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.integrators.chart import Flat
from semidirect.integrators.method import WEAK_ONE, Integrator, Step
from semidirect.integrators.runge_kutta import runge_kutta
from semidirect.integrators.tableau import KUTTA, STRATONOVICH_ONE, Tableau

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE


@final
@dataclass(frozen=True)
class RK4(Integrator):
    """Kutta's method of order 4 on the flat equations; with increments ΔW it is Stratonovich, of strong order 1 or ½.

    s moves by the exponential of v, whose own stages go with those of y, so that it has order 4 too (Munthe-Kaas 1999).
    """

    name: ClassVar[str] = "rk4"
    strong_order = STRATONOVICH_ONE
    weak_order = WEAK_ONE
    deterministic_order = KUTTA.order
    tableau: ClassVar[Tableau] = KUTTA

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return runge_kutta(KUTTA, Flat(model, y, "exp", terms=KUTTA.order - 2), t, dt, dW)
