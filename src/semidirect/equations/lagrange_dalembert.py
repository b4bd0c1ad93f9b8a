"""The Lagrange–d'Alembert principle, computed from the variations themselves."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
import sympy as sp

from semidirect.core import ops, symbols
from semidirect.equations.motion import TransportKinematics
from semidirect.equations.principle import Balance, Principle
from semidirect.equations.slopes import Slopes


@final
class LagrangeDAlembert(Principle):
    """δ∫ l dt + ∫⟨F, η⟩ = 0 under δ(ξ dt) = dη + [ξ̃, η] − Σ (∂N_i/∂a · δa)∘dW^i, δa = −ρ(η) a, η ∈ D.

    An independent builder, for Theorem 2 of the paper: it forms the integrand, linear in η and dη, and collects their
    coefficients; the equations are d(coefficient of dη) = coefficient of η, (LdA-variations) and (Symm-Var) for the ball. It
    knows the bracket and the representation only, not their duals.
    """

    name: ClassVar[str] = "Lagrange–d'Alembert"

    def balance(self, motion: TransportKinematics) -> Balance:
        """Coefficients of η ∈ 𝔰, and of w where η = B w."""
        n = motion.setting.definition.group.dimension
        eta = symbols.staged("eta_", n)
        zero = np.array([sp.Integer(0)] * n, dtype=object)
        through = motion.kappa_of_letters()

        def whole(eta: np.ndarray, deta: np.ndarray) -> sp.Expr:
            return self.integrand(motion, eta, deta) + sp.Add(*(through * self._moved(motion, eta)))

        f = _coefficients(whole(eta, zero), eta)
        if motion.B is None or motion.dB is None:
            return Balance(f, None)
        w = symbols.staged("w_", motion.B.shape[1])
        return Balance(f, _coefficients(whole(ops.matvec(motion.B, w), ops.matvec(motion.dB, w)), w))

    @staticmethod
    def _moved(motion: TransportKinematics, eta: np.ndarray) -> np.ndarray:
        """δa = −ρ(η) a."""
        d = motion.setting.definition
        changes = [-e for name, part in d.advected_layout.items()
                 for e in d.advected[name].representation.action(eta, motion.setting.a[part])]  # fmt: skip
        return np.array(changes, dtype=object)

    def integrand(self, motion: TransportKinematics, eta: np.ndarray, deta: np.ndarray) -> sp.Expr:
        """⟨∂l/∂ξ, δ(ξ dt)⟩ + ⟨∂l/∂a, δa⟩ dt + ⟨F, η⟩ for a variation η with differential dη, without what letters add.

        Where equations come from h, this is ⟨p, δ(s⁻¹ds)⟩ − ⟨∂h/∂a, δa⟩ dt − Σ ⟨∂h_i/∂a, δa⟩∘dW^i + ⟨F, η⟩: the terms with δp
        are s⁻¹ds = ∂h/∂p dt + Σ ∂h_i/∂p∘dW^i.
        """
        s, d = motion.setting, motion.setting.definition
        delta_a = self._moved(motion, eta)
        delta_xi = deta + d.group.bracket(motion.v, eta)
        terms = []
        for field, h, dW in zip(motion.fields, motion.hamiltonians, s.dW, strict=True):
            if h is not None:  # −h_i is varied with a beside ⟨p, s⁻¹ds⟩
                terms += [-sp.diff(h, a) * x * dW for a, x in zip(s.a, delta_a, strict=True)]
                continue
            change = [sp.Add(*(sp.diff(e, a) * x for a, x in zip(s.a, delta_a, strict=True))) for e in field]
            delta_xi = delta_xi - np.array(change, dtype=object) * dW
        terms += [*(motion.p * delta_xi), *(motion.lagrangian_a * delta_a * s.dt), *(motion.force * eta)]
        return sp.Add(*terms)


def _coefficients(linear: sp.Expr, variables: np.ndarray) -> np.ndarray:
    slopes = Slopes()  # of one expression: its parts are looked at once
    return np.array([slopes.slope(linear, x) for x in variables], dtype=object)
