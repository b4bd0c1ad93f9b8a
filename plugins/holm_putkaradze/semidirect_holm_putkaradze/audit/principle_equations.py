"""Section 2 of the paper, the general theory: constraint, principles, equation of motion."""

from __future__ import annotations

from semidirect_holm_putkaradze.audit.claim import Claim, Equation
from semidirect_holm_putkaradze.audit.principle_settings import DALEMBERT, GENERAL, PONTRYAGIN, VOLATILE

_BALANCE = (
    "d(Pi - diamond(lam, s)) - ad_star(Omega_t, Pi - diamond(lam, s))"
    " = diamond(kappa_Gamma, Gamma) - diamond(lam, d(s))"
)
_MULTIPLIERS = (
    Claim("Pi = l_Omega", GENERAL),
    Claim("kappa_Gamma = l_Gamma*dt - r*hat_transposed(xi, lam)*dW", GENERAL),
    Claim("lam = l_Y", GENERAL),
)

EQUATIONS = (
    Equation("spat-constraint", "the point in contact is at rest: dx = dg·s", (
        Claim("d(x) = apply(d(Lambda), r*apply(transpose(Lambda), vertical) + ell*chi) = apply(d(Lambda), r*Gamma + ell*chi)"
              " = apply(d(Lambda), s)", GENERAL),
    )),
    Equation("subst_Y", "the contact vector is s = rΓ + ℓχ, and Γ is the vertical seen from the body", (
        Claim("s = r*Gamma + ell*chi", GENERAL), Claim("Gamma = apply(transpose(Lambda), vertical)", GENERAL),
    )),
    Equation("body_constraint", "the rolling constraint in the body", (
        Claim("apply(transpose(Lambda), d(x)) = apply(matmul(transpose(Lambda), d(Lambda)), s)", GENERAL),
    )),
    Equation("drift-stoch-decomps", "drift and noise of the transport velocity", (
        Claim("matmul(transpose(Lambda), d(Lambda)) = hat(Omega*dt + xi*dW)", GENERAL),
        Claim("apply(transpose(Lambda), d(x)) = cross(Omega, s)*dt + cross(xi, s)*dW"
              " = Y*dt + cross(xi, s)*dW = cross(Omega_t, s)", GENERAL),
    )),
    Equation("drift-stoch-decomps-roll", "what is left of the constraint is the deterministic one, and vanishes", (
        Claim("apply(transpose(Lambda), d(x)) - cross(Omega_t, s) = (Y - cross(Omega, s))*dt = 0", GENERAL),
    )),
    Equation("reduced-constrained-lag", "the three constraints of the action vanish along the motion", (
        Claim("apply(transpose(Lambda), vertical) - Gamma = 0", GENERAL),
        Claim("apply(transpose(Lambda), d(x)) - Y*dt - cross(xi, s)*dW = 0", GENERAL),
        Claim("matmul(transpose(Lambda), d(Lambda)) - hat(Omega)*dt - hat(xi)*dW = 0", GENERAL),
    )),
    Equation("body-constraint", "the rolling constraint of the theorem", (
        Claim("Y_t = apply(transpose(Lambda), d(x)) = apply(matmul(transpose(Lambda), d(Lambda)), s) = cross(Omega_t, s)",
              GENERAL),
    )),
    Equation("UnholyHamPont-eqn", "the equation of motion (κ dt stands for drift and noise)", (Claim(_BALANCE, GENERAL),)),
    Equation("Lag-mults-def-theorem", "the multipliers are the derivatives of l, κ with the noise of s(Γ)", _MULTIPLIERS),
    Equation("ad-star-def", "ad* is the dual of ad", (
        Claim("dot(ad_star(Omega_t, Pi), eta) = dot(Pi, ad(Omega_t, eta))", DALEMBERT),
    )),
    Equation("diamond-def", "◇ is the dual of the action, and antisymmetric here", (
        Claim("dot(diamond(kappa, Gamma), eta) = dot(kappa, -act(eta, Gamma)) = dot(-hat_transposed(eta, kappa), Gamma)"
              " = dot(-diamond(Gamma, kappa), eta)", DALEMBERT),
    )),
    Equation("constr-var-deriv", "the variations of g⁻¹dg, g⁻¹e₃ and g⁻¹dx", (
        Claim("delta(Omega_t) = d(eta) + ad(Omega_t, eta)", DALEMBERT),
        Claim("delta(gE3) = -act(eta, gE3) = -act(eta, Gamma)", DALEMBERT),
        Claim("delta(Y_t) = d(cross(eta, s)) + cross(ad(Omega_t, eta), s) = delta(cross(Omega_t, s))", DALEMBERT,
              "delta(Y_t) = d(cross(eta, s)) + cross(ad(Omega_t, eta), s)"
              " = delta(cross(Omega_t, s)) + r*cross(cross(Omega_t, eta), Gamma)"),
    )),
    Equation("crux", "the variation of g⁻¹dx from its definition", (
        Claim("delta(Y_t) = -cross(eta, Y_t) + (cross(Omega_t, cross(eta, s)) + d(cross(eta, s)))"
              " = -cross(eta, cross(Omega_t, s)) + d(cross(eta, s)) + cross(Omega_t, cross(eta, s))", DALEMBERT),
    )),
    Equation("g⁻¹δx, after (crux)", "the variation of the position", (
        Claim("var_x_body = cross(eta, r*gE3 + ell*chi) = cross(eta, s)", DALEMBERT),
    )),
    Equation("HamPrinc-ChaplyginTop", "the variation of the action, by parts", (
        Claim("delta(S) = dot(l_Omega - Pi, delta(Omega))*dt"
              " + dot(l_Gamma*dt - kappa*dt - r*hat_transposed(xi, lam)*dW, delta(Gamma)) + dot(l_Y - lam, delta(Y))*dt"
              " - dot(d(Pi - diamond(lam, s)) - ad_star(Omega_t, Pi - diamond(lam, s)) - diamond(kappa, Gamma)*dt"
              " + diamond(lam, d(s)), eta) + d(dot(Pi - diamond(lam, s), eta))", PONTRYAGIN),
    )),
    Equation("Lag-mults-def", "the multipliers, at the end of the proof", _MULTIPLIERS),
    Equation("drift-stoch-decomps-fun", "drift and noise of the transport velocity, with volatility", (
        Claim("matmul(transpose(Lambda), d(Lambda)) = hat(Omega*dt + xi*dW)", VOLATILE),
        Claim("d(xi) = alpha*t*dt + beta*t*dW", VOLATILE),
        Claim("apply(transpose(Lambda), d(x)) = Y*dt + cross(xi, s)*dW = cross(Omega_t, s)", VOLATILE),
    )),
    Equation("HP-moteqn-explicit", "the equation of motion with the multipliers put in", (
        Claim("d(Pi - diamond(lam, s)) - ad_star(Omega_t, Pi - diamond(lam, s))"
              " - diamond(l_Gamma*dt + r*cross(xi, lam)*dW, Gamma)*dt + diamond(lam, d(s)) = 0", GENERAL,
              "d(Pi - diamond(lam, s)) - ad_star(Omega_t, Pi - diamond(lam, s))"
              " - diamond(l_Gamma*dt + r*cross(xi, lam)*dW, Gamma) + diamond(lam, d(s)) = 0"),
    )),
    Equation("UnholyHamPont-vectoreqn", "the equation of motion in vectors", (
        Claim("d(Pi - cross(lam, s)) + cross(Omega_t, Pi - cross(lam, s)) = cross(kappa_Gamma, Gamma) - cross(lam, d(s))",
              GENERAL),
    )),
    Equation("multipliers, after (UnholyHamPont-vectoreqn)", "the multipliers in vectors", (
        Claim("Pi = l_Omega", GENERAL), Claim("kappa_Gamma = l_Gamma*dt - r*cross(lam, xi*dW)", GENERAL),
        Claim("lam = l_Y", GENERAL),
    )),
    Equation("dΓ, after (UnholyHamPont-vectoreqn)", "how the vertical moves", (
        Claim("d(Gamma) = -cross(Omega_t, Gamma)", GENERAL),
    )),
    Equation("solving-drift-stoch-decomps", "Ω and Y from the transport velocity", (
        Claim("hat(Omega)*dt = matmul(transpose(Lambda), d(Lambda)) - hat(xi)*dW = hat(Omega_t) - hat(xi)*dW", GENERAL),
        Claim("Y*dt = apply(transpose(Lambda), d(x)) - cross(xi, s)*dW = cross(Omega, s)*dt = Y_t - cross(xi, s)*dW"
              " = cross(Omega_t, s) - cross(xi, s)*dW", GENERAL),
    )),
    Equation("LdA-variations", "the variations that δs = sη induces", (
        Claim("delta(Omega_dt) = d(eta) + ad(Omega_t, eta)", DALEMBERT),
        Claim("delta(Y_dt) = cross(d(eta) + ad(Omega_t, eta), s) + cross(eta, d(s)) - r*cross(xi*dW, delta(Gamma))", DALEMBERT),
        Claim("delta(Gamma) = -act(eta, Gamma)", DALEMBERT),
    )),
    Equation("Symm-Var", "the variation of ∫ l dt by parts: Lagrange and d'Alembert give the same equation", (
        Claim("dot(l_Omega, delta(Omega_dt)) + dot(l_Y, delta(Y_dt)) + dot(l_Gamma, delta(Gamma))*dt"
              " = dot(-d(l_Omega) + ad_star(Omega_t, l_Omega), eta) + dot(diamond(l_Gamma, Gamma), eta)*dt"
              " - dot(diamond(l_Y, d(s)), eta) + dot(-d(diamond(s, l_Y)) + ad_star(Omega_t, diamond(s, l_Y)), eta)"
              " + dot(diamond(r*cross(xi, l_Y)*dW, Gamma), eta) + d(dot(l_Omega + diamond(s, l_Y), eta))", DALEMBERT),
    )),
)  # fmt: skip
