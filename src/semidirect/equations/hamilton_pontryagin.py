"""The Hamilton–Pontryagin principle on a semidirect product, with transport noise under a constraint."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np

from semidirect.core import symbols
from semidirect.equations.motion import TransportKinematics
from semidirect.equations.principle import Balance, Principle


@final
class HamiltonPontryagin(Principle):
    """Stationarity of ∫ l dt + ⟨κ, s⁻¹a₀ − a⟩ + ⟨p, s⁻¹ds − ξ dt − Σ N_i∘dW^i⟩ for δs = s η, η ∈ D.

    ``⟨dp − ad*_ξ̃ p − κ ◇ a − F, η⟩ = 0`` with p = ∂l/∂ξ and κ = (∂l/∂a) dt − Σ (∂N_i/∂a)ᵀ p∘dW^i, (EP); for the ball
    (UnholyHamPont-eqn) and (Lag-mults-def).
    """

    name: ClassVar[str] = "Hamilton–Pontryagin"

    def balance(self, motion: TransportKinematics) -> Balance:
        """f = ad*_ξ̃ p + κ ◇ a + F, and Bᵀf + (dB)ᵀp."""
        d = motion.setting.definition
        names = symbols.staged_blocks("kappa_", d.advected_layout)
        kappa = motion.stages.let(names, self.kappa(motion))
        f = d.group.cobracket(motion.v, motion.p) + motion.force
        for name, part in d.advected_layout.items():
            f = f + d.advected[name].representation.diamond(kappa[part], motion.setting.a[part])
        projected = None
        if motion.B is not None and motion.dB is not None:
            projected = symbols.matvec(motion.B.T, f) + symbols.matvec(motion.dB.T, motion.p)
        return Balance(f, projected, {"kappa": kappa})

    def kappa(self, motion: TransportKinematics) -> np.ndarray:
        """κ = (∂l/∂a) dt − Σ (∂N_i/∂a)ᵀ p dW^i, one row a component of a, with what letters in l and N_i add."""
        return motion.kappa(motion.setting.a, motion.lagrangian_a) + motion.kappa_of_letters()
