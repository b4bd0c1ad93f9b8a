"""Section 4 of the paper, the Routh sphere: how energy, Jellett and Routh integral move."""

from __future__ import annotations

from semidirect_holm_putkaradze.audit.ball_settings import BALL, MODELS, ROUND
from semidirect_holm_putkaradze.audit.claim import Claim, Equation

_JELLETT = (
    "dot(xi*dW, cross(ell*chi, I(Omega)) + cross(ell*chi, cross(ell*chi, m*Y)) + cross(cross(r*Gamma, m*Y), r*Gamma))"
)
FORCE = "Omega3*cross(chi, I(Omega) + cross(ell*chi, m*Y) - m*s*(I1*ell + (I3 - I1)*s3)/I1)"
ROUTH = {m: f"d(R_squared)/2 = Omega3*(m*s3*d(J) + I1*twist_{m})" for m in MODELS}

EQUATIONS = (
    Equation("energy", "the energy", (
        Claim("energy = dot(I(Omega), Omega)/2 + m*dot(Y, Y)/2 + m*g*ell*dot(Gamma, chi)", BALL),
    )),
    Equation("dE0", "how the energy moves", (
        Claim("d(E) = dot(xi*dW, m*g*ell*cross(Gamma, chi) + cross(I(Omega), Omega) + r*cross(Gamma, cross(m*Y, Omega))"
              " - cross(Omega, cross(ell*chi, m*Y)))", BALL, {
                  "variational": "d(E) = -dot(xi*dW, K)", "printed": "d(E) = -dot(xi*dW, K + 2*cross(Omega, slip))"}),
    )),
    Equation("dJ_expression2", "how the Jellett integral moves, I₁ = I₂", (
        Claim(f"d(J) = {_JELLETT}", ROUND, {
            "variational": "d(J) = dot(xi*dW, cross(ell*chi, M) + cross(s, slip))"}),
    )),
    Equation("Routh_cons2", "how the Routh integral moves", (
        Claim(f"d(R_squared)/2 = -s3*Omega3/I1*d(J) + dot(xi*dW, {FORCE})", ROUND, ROUTH),
    )),
)  # fmt: skip
