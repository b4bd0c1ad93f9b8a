"""The discrete Lagrange–d'Alembert method for reduced nonholonomic systems."""

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
class Nonholonomic(Retracted):
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
    requires: ClassVar[Requires] = Requires.MOMENTA
    preserves: ClassVar[str] = (
        "constraint on the discrete velocity, reversibility, s ∈ S, orbits of advected quantities"
    )

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return discrete_step(model, y, t, dt, dW, self.retraction(model), "midpoint")
