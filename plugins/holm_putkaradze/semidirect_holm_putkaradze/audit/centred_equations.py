"""Section 4 of the paper, Chaplygin's ball: ℓ = 0, any inertia."""

from __future__ import annotations

from semidirect_holm_putkaradze.audit.ball_settings import CENTRED
from semidirect_holm_putkaradze.audit.claim import Claim, Equation

_MOMENTUM = Claim("P = I(Omega) + m*r**2*cross(Gamma, cross(Omega, Gamma))", CENTRED)
_ADVECTION = Claim("d(Gamma) + cross(Omega_t, Gamma) = 0", CENTRED)

EQUATIONS = (
    Equation("Chaplygin-sphere", "the equations of Chaplygin's ball, carried by drift and noise", (
        Claim("d(M) + cross(Omega_t, M) = m*r**2*cross(xi*dW, cross(Gamma, cross(Omega, Gamma)))", CENTRED, {
            "variational": "d(M) + cross(Omega_t, M) = -m*r**2*cross(xi*dW, A)"}),
        _ADVECTION, _MOMENTUM,
    )),
    Equation("Chaplygin-sphere3", "the same, carried by the drift", (
        Claim("d(M) + cross(Omega*dt, M) = -cross(xi*dW, I(Omega))", CENTRED, {
            "variational": "d(M) + cross(Omega*dt, M) = -cross(xi*dW, I(Omega) + 2*m*r**2*A)"}), _ADVECTION, _MOMENTUM,
    )),
    Equation("Momentum_non_cons", "how |M|² moves", (
        Claim("dot(M, d(M)) = m*r**2*dot(xi*dW, cross(I(Omega), cross(Gamma, cross(Omega, Gamma))))"
              " = m*r**2*dot(xi*dW, cross(M, cross(Gamma, cross(Omega, Gamma)))) = d(dot(M, M))/2", CENTRED, {
                  "printed": "dot(M, d(M)) = -m*r**2*dot(xi*dW, cross(I(Omega), A))"}),
    )),
    Equation("Jellet_non_cons", "how M·Γ moves", (
        Claim("d(dot(M, Gamma)) = dot(M, d(Gamma)) + dot(Gamma, d(M)) = m*r*dot(xi*dW, cross(Omega, Gamma))", CENTRED, {
            "printed": "d(dot(M, Gamma)) = dot(M, d(Gamma)) + dot(Gamma, d(M)) = m*r**2*dot(xi*dW, cross(Omega, Gamma))",
            "variational": "d(dot(M, Gamma)) = -m*r**2*dot(xi*dW, cross(Omega, Gamma))"}),
    )),
)  # fmt: skip
