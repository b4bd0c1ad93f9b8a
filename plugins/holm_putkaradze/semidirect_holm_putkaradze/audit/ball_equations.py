"""Section 2 of the paper, the unbalanced ball: Lagrangian, equations of motion, standard and Itô form."""

from __future__ import annotations

from semidirect_holm_putkaradze.audit.ball_settings import BALL
from semidirect_holm_putkaradze.audit.claim import Claim, Equation

_FALL = "m*g*ell*cross(Gamma, chi)*dt + cross(m*Y, cross(Omega, r*Gamma))*dt"
_SPLIT = (
    f"{_FALL} + r*cross(Gamma, cross(m*Y, xi*dW)) + cross(m*Y, cross(xi*dW, r*Gamma))"
    " - cross(xi*dW, I(Omega) + cross(s, m*Y))"
)
_TURNED = "- m*cross(r*cross(Gamma, xi), cross(Omega, s)) - m*cross(s, cross(Omega, r*cross(Gamma, xi)))"


def _velocity(Xi: str) -> str:
    """L b_Ω from the equation of motion: the change of L and of s with the noise is taken off."""
    return f"L(s, d(Omega))*dW = (-cross(xi, {Xi}) {_TURNED})*dW"


EQUATIONS = (
    Equation("reduced-lag-vec", "the Lagrangian of the ball (γ there is the acceleration of gravity)", (
        Claim("lagrangian = dot(Omega, I(Omega))/2 + m*dot(Y, Y)/2 - m*g*ell*dot(Gamma, chi)", BALL),
    )),
    Equation("reduced-lag-varquants", "momenta of the ball, and κ", (
        Claim("p_Omega = I(Omega)", BALL), Claim("kappa_Gamma = -m*g*ell*chi*dt - r*cross(p_Y, xi*dW)", BALL),
        Claim("p_Y = m*Y", BALL),
    )),
    Equation("Noisy_Ball_explicit1", "the equation of motion of the ball", (
        Claim("d(M) + cross(Omega_t, M) = m*g*ell*cross(Gamma, chi)*dt + cross(m*Y, cross(Omega_t, r*Gamma))"
              " + r*cross(Gamma, cross(m*Y, xi*dW))", BALL, {"printed":
              "d(M) + cross(Omega_t, M) = m*g*ell*cross(Gamma, chi)*dt + cross(m*Y, cross(Omega_t, r*Gamma))"
              " + r*cross(Gamma, cross(m*Y, xi*dW)) + 2*cross(xi*dW, slip)"}),
    )),
    Equation("SDE split, before (Noisy_Ball_explicit2)", "drift and noise of that equation are separated", (
        Claim(f"{_SPLIT} = {_FALL} - cross(xi*dW, cross(m*Y, r*Gamma)) - cross(xi*dW, I(Omega) + cross(s, m*Y))", BALL,
              f"{_SPLIT} = {_FALL} + cross(xi*dW, cross(m*Y, r*Gamma)) - cross(xi*dW, I(Omega) + cross(s, m*Y))"),
        Claim(f"{_FALL} - cross(xi*dW, cross(m*Y, r*Gamma)) - cross(xi*dW, I(Omega) + cross(s, m*Y))"
              f" = {_FALL} - cross(xi*dW, I(Omega) + cross(ell*chi, m*Y))", BALL),
    )),
    Equation("Noisy_Ball_explicit2", "the equation of motion with drift and noise apart", (
        Claim("d(M) + cross(Omega*dt, M) = m*g*ell*cross(Gamma, chi)*dt + cross(m*cross(Omega, s), cross(Omega, r*Gamma))*dt"
              " - cross(xi*dW, I(Omega) + cross(ell*chi, m*cross(Omega, s)))", BALL, {"variational":
              "d(M) + cross(Omega*dt, M) = m*g*ell*cross(Gamma, chi)*dt + cross(m*cross(Omega, s), cross(Omega, r*Gamma))*dt"
              " - cross(xi*dW, I(Omega) + cross(ell*chi, m*cross(Omega, s)) + 2*slip)"}),
    )),
    Equation("xgc_eq", "the geometric centre moves with the turning ball", (
        Claim("d(x - ell*apply(Lambda, chi)) = cross(apply(Lambda, Omega*dt + xi*dW), r*vertical)"
              " = cross(apply(Lambda, Omega_t), r*vertical)", BALL),
    )),
    Equation("Short_form_SDE", "the coefficients of the noise in dΩ and dΓ", (
        Claim("d(Omega)*dW = I_inverse(cross(xi, I(Omega) + cross(ell*chi, m*cross(Omega, s))))*dW", BALL,
              {"variational": _velocity("Xi_variational"), "printed": _velocity("Xi_printed")}),
        Claim("d(Gamma)*dW = xi*dW", BALL, "d(Gamma)*dW = cross(Gamma, xi)*dW"),
    )),
    Equation("drift_conversion", "the drift of the Itô form from that of the Stratonovich form", (
        Claim("ito_Omega = d_t(Omega) - d_xi(d_W(Omega))/2", BALL, "ito_Omega = d_t(Omega) + d_W(d_W(Omega))/2"),
        Claim("ito_Gamma = d_t(Gamma)", BALL, "ito_Gamma = d_t(Gamma) + cross(xi, cross(xi, Gamma))/2"),
    )),
)  # fmt: skip
