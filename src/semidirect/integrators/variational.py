"""The discrete Hamilton–Pontryagin method: variational, with noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.integrators.discrete_mechanics import discrete_step, require_free
from semidirect.integrators.integrator import WEAK_ONE, Integrator, Step
from semidirect.integrators.retracted import By, resolved, retraction_from
from semidirect.integrators.tableau import STRATONOVICH_ONE

if TYPE_CHECKING:
    from semidirect.kernels.model import Model, Retraction


@final
@dataclass(frozen=True)
class Variational(Integrator):
    """p in the step, half kicks at its ends, ``P⁺ = Ad*_{τ(v)}(P + ½κ₀◇a) + ½κ₁◇a⁺`` with v = ½[v(p, a) + v(p, a⁺)].

    The discrete Hamilton–Pontryagin principle with Hamiltonian noise (see :func:`.discrete_mechanics.discrete_step`,
    trapezoid; Bou-Rabee and Marsden, Found. Comput. Math. 9, 2009; with noise arXiv:2412.19368).

    Symplectic on T*S before reduction, Poisson after it: Casimirs and momentum maps of symmetries to round-off, energy without
    noise bounded over exponentially long times; external forces F enter by the discrete Lagrange–d'Alembert principle. For
    l = ½⟨𝕀ξ, ξ⟩ − V(a) the potential is explicit, as in Störmer and Verlet's method. Unconstrained systems only.
    """

    name: ClassVar[str] = "variational"
    strong_order = STRATONOVICH_ONE
    weak_order = WEAK_ONE
    deterministic_order: ClassVar[int] = 2
    implicit: ClassVar[bool] = True
    geometric: ClassVar[bool] = True
    preserves: ClassVar[str] = "symplectic; Casimirs, momentum maps, s ∈ S, orbits of advected quantities"

    by: By = ""

    @classmethod
    def from_argument(cls, text: str) -> Variational:
        """``variational(exp)``."""
        return cls(retraction_from(text, cls.name))

    @property
    def label(self) -> str:
        """Name with the retraction, where one was asked for."""
        return f"{self.name}({self.by})" if self.by else self.name

    def retraction(self, model: Model) -> Retraction:
        """As asked, or by the group; MethodError where the method does not apply."""
        require_free(model, self.name)
        return resolved(self.by, model)

    def step(self, model: Model, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return discrete_step(model, y, t, dt, dW, self.retraction(model), "trapezoid")
