"""One step of a discrete variational principle on the group, with or without a constraint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from semidirect.core import solvers
from semidirect.integrators.method import Step, scale
from semidirect.integrators.tangent import ALL_TERMS, inverse_cotangent

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE, Retraction

Quadrature = Literal["midpoint", "trapezoid"]


def discrete_step(model: NumericalSDE, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray, retraction: Retraction,
                  quadrature: Quadrature) -> Step:  # fmt: skip
    """Stationarity of the discrete Hamilton–Pontryagin sum over s_k, p_k, for δs = s η, η ∈ range B.

    ``Σ_k ⟨p_k, τ⁻¹(s_k⁻¹s_{k+1})⟩ − H̄ dt − Σ_i Φ̄_i ΔW^i`` with H = ⟨p, ξ⟩ − l, Φ_i = ⟨p, N_i⟩ at (p_k, a), averaged over the
    two ends of the step (trapezoid) or taken at ã = ½(a_k + a_{k+1}) (midpoint). With a_{k+1} = τ(−v)a_k that says

        v = ξ dt + Σ N_i ΔW^i                      transport, ∂/∂p
        P_k = B_kᵀ( (dτ_{−v})⁻¹* p − ½ (κ ◇ a_k + F) )
        P_{k+1} = B_{k+1}ᵀ( (dτ_v)⁻¹* p + ½ (κ ◇ a_{k+1} + F) )

    with κ = (∂l/∂a) dt − Σ (∂N_i/∂a)ᵀ p ΔW^i, each end with its own in the trapezoid. P = Bᵀ(left-trivialised discrete
    momentum) at the nodes is the state. All are symmetric in time, hence of order 2. P̃ at (p, ã) is found by iteration.

    Without a constraint B = 1 and the last two lines are ``P_{k+1} = Ad*_{τ(v)}(P_k + ½ κ ◇ a_k) + ½ κ ◇ a_{k+1}``, which is
    used as it stands: the step moves along coadjoint orbits whatever p is.
    """
    free, covectors = model.moving_frame.is_whole, model.covectors
    P, a, z = model.parts(y)
    group, end, m = model.group, t + dt, len(P)
    n = group.dimension if len(a) else 0  # rows of v among the unknowns: it is needed to move a

    def whole(P: np.ndarray, a: np.ndarray, z: np.ndarray) -> np.ndarray:
        return np.concatenate([P, a, z])

    def principle(unknown: np.ndarray) -> tuple[np.ndarray, ...]:
        """v, p, (κ, F) at the start, (κ, F) at the end and dz, evaluated at the unknowns P̃, v, dz."""
        P, v, dz = unknown[:m], unknown[m : m + n], unknown[m + n :]
        a_after = covectors.advect(a, v, retraction) if n else a
        if quadrature == "midpoint":
            middle = whole(P, 0.5 * (a + a_after), z + 0.5 * dz)
            v, p, kappa, F, dz = covectors.momenta(middle, t + 0.5 * dt, dt, dW)
            return v, p, kappa, F, kappa, F, dz
        v0, p, kappa0, F0, dz0 = covectors.momenta(whole(P, a, z), t, dt, dW)
        v1, _, kappa1, F1, dz1 = covectors.momenta(whole(P, a_after, z + dz), end, dt, dW)
        return 0.5 * (v0 + v1), p, kappa0, F0, kappa1, F1, 0.5 * (dz0 + dz1)

    def iteration(unknown: np.ndarray) -> np.ndarray:
        v, p, kappa, F, _, _, dz = principle(unknown)
        start = inverse_cotangent(group, -v, p, retraction, ALL_TERMS) - 0.5 * covectors.force(a, kappa, F)
        left = start if free else covectors.project(y, t, start)
        return np.concatenate([unknown[:m] - (left - P), v[:n], dz])

    first = covectors.momenta(y, t, dt, dW)
    guess = np.concatenate([P, first[0][:n], first[4]])
    unknown, converged = solvers.fixed_point(iteration, guess, scale(y))
    v, p, kappa0, F0, kappa1, F1, dz = principle(iteration(unknown))
    a_after = covectors.advect(a, v, retraction) if n else a
    after = 0.5 * covectors.force(a_after, kappa1, F1)
    if free:
        before, alone = P + 0.5 * covectors.force(a, kappa0, F0), not model.moving_frame.kicked
        momentum = covectors.turn(before, v, retraction, alone=alone) + after
    else:
        momentum = inverse_cotangent(group, v, p, retraction, ALL_TERMS) + after
        momentum = covectors.project(whole(P, a_after, z + dz), end, momentum)
    return Step(whole(momentum, a_after, z + dz), v, converged)
