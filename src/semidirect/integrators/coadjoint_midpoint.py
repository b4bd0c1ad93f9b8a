"""A midpoint rule on coadjoint orbits."""

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
class CoadjointMidpoint(Retracted):
    """Increments at one point (p, ã = ½(a + a⁺)): ``P⁺ = Ad*_{τ(v)}(P + ½κ◇a) + ½κ◇a⁺`` with ``P = (dτ_{−v})⁻¹* p − ½κ◇a``.

    It is the discrete Hamilton–Pontryagin principle on the group S ⋉ V* with the retraction (½κ) τ(v) (½κ) (see
    :func:`.discrete_mechanics.discrete_step`, midpoint), so it is a Poisson map of (𝔰 ⋉ V*)* for every Hamiltonian, that of
    the noise included, and symplectic on coadjoint orbits. Without advected quantities and by the Cayley map of a quadratic
    group it is the isospectral midpoint rule of Modin and Viviani (Found. Comput. Math. 20, 2020), P = (1 ± X/2) P̃ (1 ∓ X/2).

    ``lie-midpoint`` acts with the same (v, κ) but takes them at ½X·y, where the map is not Poisson and its energy drifts.
    ``variational`` averages the increments over both ends instead; the two agree where l = ½⟨𝕀ξ, ξ⟩ − V(a) with V linear and
    fields N_i do not depend on a, such as a heavy top. Unconstrained systems only.
    """

    name: ClassVar[str] = "coadjoint-midpoint"
    strong_order = STRATONOVICH_ONE
    weak_order = WEAK_ONE
    deterministic_order: ClassVar[int] = 2
    implicit: ClassVar[bool] = True
    requires: ClassVar[Requires] = Requires.UNCONSTRAINED
    preserves: ClassVar[str] = "symplectic on coadjoint orbits; Casimirs, momentum maps of symmetries, s ∈ S"

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return discrete_step(model, y, t, dt, dW, self.retraction(model), "midpoint")
