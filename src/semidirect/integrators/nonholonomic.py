"""The discrete Lagrange–d'Alembert method for reduced nonholonomic systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.integrators.discrete_mechanics import discrete_step, require_momenta
from semidirect.integrators.integrator import WEAK_ONE, Integrator, Step
from semidirect.integrators.retracted import By, resolved, retraction_from
from semidirect.integrators.tableau import STRATONOVICH_ONE

if TYPE_CHECKING:
    from semidirect.kernels.model import Model, Retraction


@final
@dataclass(frozen=True)
class Nonholonomic(Integrator):
    """Discrete Lagrange–d'Alembert for ξ = B(a)u + c(a): momenta before and after a node agree on range B there.

    The constraint is put on the discrete velocity v = τ⁻¹(s_k⁻¹s_{k+1}), at ã = ½(a_k + a_{k+1}); the substitution is made
    after the variation (see :func:`.discrete_mechanics.discrete_step`; Cortés and Martínez, Nonlinearity 14, 2001; Fedorov and
    Zenkov, Nonlinearity 18, 2005). Symmetric in time, so of order 2, and without drift of energy where the motion is
    reversible.

    Measured: the spatial momentum of Chaplygin's ball and Jellett's integral of the Routh sphere to round-off. Routh's integral
    and the energy oscillate. A ball without symmetry has a slope of its energy, as the midpoint rule has.

    Noise and forces enter as in the principle. Without a constraint it is ``coadjoint-midpoint``.
    """

    name: ClassVar[str] = "nonholonomic"
    strong_order = STRATONOVICH_ONE
    weak_order = WEAK_ONE
    deterministic_order: ClassVar[int] = 2
    implicit: ClassVar[bool] = True
    geometric: ClassVar[bool] = True
    preserves: ClassVar[str] = (
        "constraint on the discrete velocity, reversibility, s ∈ S, orbits of advected quantities"
    )

    by: By = ""

    @classmethod
    def from_argument(cls, text: str) -> Nonholonomic:
        """``nonholonomic(exp)``."""
        return cls(retraction_from(text, cls.name))

    @property
    def label(self) -> str:
        """Name with the retraction, where one was asked for."""
        return f"{self.name}({self.by})" if self.by else self.name

    def retraction(self, model: Model) -> Retraction:
        """As asked, or by the group; MethodError where the method does not apply."""
        require_momenta(model, self.name)
        return resolved(self.by, model)

    def step(self, model: Model, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return discrete_step(model, y, t, dt, dW, self.retraction(model), "midpoint")
