"""One step of a discrete variational principle on the group, with or without a constraint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from semidirect import ops
from semidirect.errors import MethodError
from semidirect.integrators.integrator import Step, scale
from semidirect.integrators.tangent import ALL_TERMS, inverse_cotangent

if TYPE_CHECKING:
    from semidirect.kernels.model import Model, Retraction

Quadrature = Literal["midpoint", "trapezoid"]


def require_momenta(model: Model, method: str) -> None:
    """Refuse a model whose state is not momenta."""
    if model.structure.shape.form != "P":
        raise MethodError(
            f"{method} matches momenta at the ends of steps, and the state of this model is velocities",
            expected="a Lagrangian quadratic in ξ, a constraint with a basis B, and variables='momentum'",
            hint="Use implicit-midpoint or lie-heun.",
        )  # fmt: skip


def require_free(model: Model, method: str) -> None:
    """Refuse a constraint too: the principle with constrained variations is not one of Hamilton's."""
    require_momenta(model, method)
    if model.moving_block != "*":
        raise MethodError(
            f"{method} is for systems without a constraint: a constrained motion is not Hamiltonian, and no method makes it so",
            hint="Use nonholonomic, or lie-heun.",
        )


def discrete_step(model: Model, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray, retraction: Retraction,
                  quadrature: Quadrature) -> Step:  # fmt: skip
    """Stationarity of the discrete Hamilton–Pontryagin sum over s_k, p_k, for δs = s η, η ∈ range B.

    ``Σ_k ⟨p_k, τ⁻¹(s_k⁻¹s_{k+1})⟩ − H̄ dt − Σ_i Φ̄_i ΔW^i`` with H = ⟨p, ξ⟩ − l, Φ_i = ⟨p, N_i⟩ at (p_k, a), averaged over the
    two ends of the step (trapezoid) or taken at ã = ½(a_k + a_{k+1}) (midpoint). With a_{k+1} = τ(−v)a_k that says

        v = ξ dt + Σ N_i ΔW^i                      transport, ∂/∂p
        P_k = B_kᵀ( (dτ_{−v})⁻¹* p − ½ (κ ◇ a_k + F) )
        P_{k+1} = B_{k+1}ᵀ( (dτ_v)⁻¹* p + ½ (κ ◇ a_{k+1} + F) )

    with κ = (∂l/∂a) dt − Σ (∂N_i/∂a)ᵀ p ΔW^i, each end with its own in the trapezoid. P = Bᵀ(left-trivialised discrete
    momentum) at the nodes is the state. All are symmetric in time, hence of order 2. Unknown is P̃ at (p, ã), by sweeps.

    Without a constraint B = 1 and the last two lines are ``P_{k+1} = Ad*_{τ(v)}(P_k + ½ κ ◇ a_k) + ½ κ ◇ a_{k+1}``, which is
    used as it stands: the step moves along coadjoint orbits whatever p is.
    """
    free = model.moving_block == "*"
    P, a, z = model.parts(y)
    group, end, m = model.group, t + dt, len(P)
    n = group.dimension if len(a) else 0  # rows of v among the unknowns: it is needed to move a

    def whole(P: np.ndarray, a: np.ndarray, z: np.ndarray) -> np.ndarray:
        return np.concatenate([P, a, z])

    def principle(unknown: np.ndarray) -> tuple[np.ndarray, ...]:
        """v, p, the two kicks ½(κ ◇ a + F), dz and a_{k+1}, evaluated at the unknowns P̃, v, dz."""
        P, v, dz = unknown[:m], unknown[m : m + n], unknown[m + n :]
        moved = model.advect(a, v, retraction) if n else a
        if quadrature == "midpoint":
            middle = whole(P, 0.5 * (a + moved), z + 0.5 * dz)
            v, p, kappa, F, dz = model.momenta(middle, t + 0.5 * dt, dt, dW)
            return v, p, 0.5 * model.force(a, kappa, F), 0.5 * model.force(moved, kappa, F), dz, moved
        v0, p, kappa0, F0, dz0 = model.momenta(whole(P, a, z), t, dt, dW)
        v1, _, kappa1, F1, dz1 = model.momenta(whole(P, moved, z + dz), end, dt, dW)
        kicks = 0.5 * model.force(a, kappa0, F0), 0.5 * model.force(moved, kappa1, F1)
        return 0.5 * (v0 + v1), p, *kicks, 0.5 * (dz0 + dz1), moved

    def sweep(unknown: np.ndarray) -> np.ndarray:
        v, p, before, _, dz, _ = principle(unknown)
        start = inverse_cotangent(group, -v, p, retraction, ALL_TERMS) - before
        left = start if free else model.project(y, t, start)
        return np.concatenate([unknown[:m] - (left - P), v[:n], dz])

    first = model.momenta(y, t, dt, dW)
    guess = np.concatenate([P, first[0][:n], first[4]])
    unknown, converged = ops.fixed_point(sweep, guess, scale(y))
    v, p, before, after, dz, moved = principle(sweep(unknown))
    if n:  # the transport that a is moved by, to the last bit
        moved = model.advect(a, v, retraction)
    if free:
        momentum = model.turn(P + before, v, retraction) + after
    else:
        momentum = inverse_cotangent(group, v, p, retraction, ALL_TERMS) + after
        momentum = model.project(whole(P, moved, z + dz), end, momentum)
    return Step(whole(momentum, moved, z + dz), v, converged)
