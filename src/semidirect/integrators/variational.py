"""The discrete Hamilton–Pontryagin method: variational, with noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.integrators.discrete_mechanics import discrete_step
from semidirect.integrators.method import WEAK_ONE, Step
from semidirect.integrators.retracted import Requires, Retracted
from semidirect.integrators.tableau import STRATONOVICH_ONE

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE


@final
@dataclass(frozen=True)
class Variational(Retracted):
    """p in the step, half kicks at its ends, ``P⁺ = Ad*_{τ(v)}(P + ½κ₀◇a) + ½κ₁◇a⁺`` with v = ½[v(p, a) + v(p, a⁺)].

    The discrete Hamilton–Pontryagin principle with Hamiltonian noise (see :func:`.discrete_mechanics.discrete_step`,
    trapezoid; Bou-Rabee and Marsden, Found. Comput. Math. 9, 2009; with noise arXiv:2412.19368).

    Symplectic on T*S before reduction, Poisson after it, whatever the increments: Casimirs and momentum maps of symmetries to
    round-off; energy without noise oscillates and has no slope. External forces F enter by the discrete Lagrange–d'Alembert
    principle. For l = ½⟨𝕀ξ, ξ⟩ − V(a) the potential is explicit, as in Störmer and Verlet's method. Unconstrained systems only.
    """

    name: ClassVar[str] = "variational"
    strong_order = STRATONOVICH_ONE
    weak_order = WEAK_ONE
    deterministic_order: ClassVar[int] = 2
    implicit: ClassVar[bool] = True
    requires: ClassVar[Requires] = Requires.UNCONSTRAINED
    preserves: ClassVar[str] = "symplectic; Casimirs, momentum maps, s ∈ S, orbits of advected quantities"

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return discrete_step(model, y, t, dt, dW, self.retraction(model), "trapezoid")
