"""The appendix of the paper: the steps that lead to dJ and dR, for I₁ = I₂ and χ = E₃."""

from __future__ import annotations

from semidirect_holm_putkaradze.audit.ball_settings import MODELS, ROUND
from semidirect_holm_putkaradze.audit.claim import Claim, Equation
from semidirect_holm_putkaradze.audit.conserved_equations import FORCE, ROUTH

_dJ_START = (
    "d(J) = dot(M, d(s)) + dot(s, d(M)) = -dot(M, cross(Omega*dt, r*Gamma)) - dot(M, cross(xi*dW, r*Gamma))"
    " - dot(s, cross(Omega*dt, M)) + m*g*ell*dot(s, cross(Gamma, chi))*dt + dot(s, cross(m*Y, cross(Omega, r*Gamma)))*dt"
    " - dot(s, cross(xi*dW, M - cross(r*Gamma, m*Y)))"
)
_dJ_SECOND = (
    "d(J) = -dot(s - r*Gamma, cross(Omega, M))*dt + dot(cross(s, m*Y), cross(Omega, r*Gamma))*dt"
    " + dot(xi*dW, cross(ell*chi, M) + cross(cross({lever}, m*Y), s))"
)
_dJ_THIRD = (
    "d(J) = dot(ell*chi + r*Gamma, cross(Omega, cross(s, m*Y)))*dt + dot(ell*chi, cross(Omega, I(Omega)))*dt"
    " + {noise} = {noise}"
)
_NOISE = (
    "dot(xi*dW, cross(ell*chi, I(Omega)) + cross(ell*chi, cross(ell*chi, m*Y)) + cross(cross(r*Gamma, m*Y), r*Gamma))"
)
_AXIAL = "dot(chi, I(Omega) + cross(s, m*Y))"
_WORK = "m*Y3*(J/I1 - (I3 - I1)/I1*Omega3*s3)"

EQUATIONS = (
    Equation("dJ_expression", "the derivation of dJ", (
        Claim(_dJ_START, ROUND),
        Claim(_dJ_SECOND.format(lever="Gamma"), ROUND, {"printed": _dJ_SECOND.format(lever="r*Gamma")}),
        Claim(_dJ_THIRD.format(noise=_NOISE), ROUND),
    )),
    Equation("useful_identity_Routh", "identities used for dR", (
        Claim(f"{_AXIAL} = I3*Omega3 + m*dot(s, s)*Omega3 - s3*dot(Omega, s)", ROUND,
              f"{_AXIAL} = I3*Omega3 + m*dot(s, s)*Omega3 - m*s3*dot(Omega, s)"),
        Claim(f"{_AXIAL} = I3*Omega3 + m*dot(s, s)*Omega3 - s3*(J - (I3 - I1)*Omega3*s3)/I1"
              " = (I1*I3 + m*dot(I(s), s))*Omega3/I1 + J*s3/I1", ROUND,
              f"{_AXIAL} = I3*Omega3 + m*dot(s, s)*Omega3 - m*s3*(J - (I3 - I1)*Omega3*s3)/I1"
              " = (I1*I3 + m*dot(I(s), s))*Omega3/I1 - m*J*s3/I1"),
        Claim("d(s3) = dot(chi, d(s)) = dot(chi, -cross(Omega_t, r*Gamma))", ROUND),
        Claim("d(s3) = dot(chi, -cross(Omega*dt, s)) + dot(chi, cross(xi*dW, s)) = -Y3*dt - dot(xi*dW, cross(s, chi))", ROUND,
              "d(s3) = dot(chi, -cross(Omega*dt, s)) - dot(chi, cross(xi*dW, s)) = -Y3*dt - dot(xi*dW, cross(s, chi))"),
        Claim("I(s) = I1*s + (I3 - I1)*s3*chi", ROUND),
        Claim("d(dot(I(s), s))/2 = dot(I1*s + (I3 - I1)*s3*chi, -cross(Omega_t, s - ell*chi))"
              " = I1*dot(s, cross(Omega_t, ell*chi)) + (I3 - I1)*s3*dot(chi, -cross(Omega_t, s))"
              " = (I1*ell + (I3 - I1)*s3)*dot(chi, -cross(Omega_t, s))"
              " = -(I1*ell + (I3 - I1)*s3)*(Y3*dt + dot(xi*dW, cross(s, chi)))", ROUND),
        Claim("J = dot(I(Omega), s) = I1*dot(Omega, s) + (I3 - I1)*Omega3*s3", ROUND),
        Claim("dot(chi, cross(Omega, cross(s, m*Y))) = -m*dot(chi, Y)*dot(Omega, s)"
              " = -m*Y3*(J/I1 - (I3 - I1)/I1*Omega3*s3)", ROUND),
        Claim("dot(chi, cross(m*Y, cross(Omega, ell*chi))) = m*dot(chi, Omega)*dot(Y, ell*chi) = m*ell*Omega3*Y3", ROUND),
    )),
    Equation("Routh_deriv", "the motion of the axial momentum", (
        Claim(f"d({_AXIAL}) = d(Q*Omega3)/I1 + s3/I1*d(J) + J/I1*d(s3)", ROUND,
              f"d({_AXIAL}) = d(Q*Omega3)/I1 - m*s3/I1*d(J) - m*J/I1*d(s3)"),
        Claim(f"d({_AXIAL}) = d(Q*Omega3)/I1 + s3/I1*d(J) - J/I3*(Y3*dt - dot(xi*dW, cross(s, chi)))", ROUND,
              f"d({_AXIAL}) = d(Q*Omega3)/I1 - m*s3/I1*d(J) + m*J/I1*(Y3*dt + dot(xi*dW, cross(s, chi)))"),
        Claim(f"d({_AXIAL}) = -J/I1*(m*Y3 - (I3 - I1)/I1*Omega3*s3)*dt + m*ell*Omega3*Y3*dt"
              " + dot(xi*dW, cross(chi, I(Omega) + cross(ell*chi, m*Y)))", ROUND, {
                  m: f"d({_AXIAL}) = {_WORK}*dt - m*ell*Omega3*Y3*dt + dot(xi*dW, cross(chi, Xi_{m}))" for m in MODELS}),
    )),
    Equation("Routh_deriv2", "the motion of QΩ₃", (
        Claim("d(Q*Omega3)/I1 + m*Omega3*d(dot(I(s), s))/2 = -s3/I1*d(J)"
              " + dot(xi*dW, cross(chi, I(Omega) + cross(ell*chi, m*Y) - m*s*(I1*ell + (I3 - I1)*s3)/I1))", ROUND, {
                  m: f"d(Q*Omega3)/I1 - m*Omega3*d(dot(I(s), s))/2/I1 = m*s3/I1*d(J) + twist_{m}" for m in MODELS}),
    )),
    Equation("Routh_cons", "the motion of the Routh integral", (
        Claim(f"d(R_squared)/2 = d(Omega3**2*(I1*I3 + m*dot(I(s), s)))/2 = -s3*Omega3/I1*d(J) + dot(xi*dW, {FORCE})", ROUND,
              ROUTH),
    )),
)  # fmt: skip
