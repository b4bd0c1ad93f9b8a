"""The rolling ball of the paper in its two models, for any body, a body of revolution, and a centred one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import semidirect as sd
from semidirect.core import cross, exact, matvec
from semidirect.invariants import regular
from semidirect_holm_putkaradze.audit.motion import MotionSetting
from semidirect_holm_putkaradze.audit.principle_settings import spatial
from semidirect_holm_putkaradze.audit.setting import vector

MODELS = ("variational", "printed")
_FULL = ((0.4, 0.05, -0.02), (0.05, 0.5, 0.03), (-0.02, 0.03, 0.6))
_NOISE = ((0.3, -0.2, 0.5),)
_TEXTS = {
    "xi": "noise[0]", "s": "r*Gamma + ell*chi", "Omega_t": "Omega*dt + xi*dW", "Y_t": "cross(Omega_t, s)",
    "Y": "cross(Omega, s)", "M": "I(Omega) + cross(s, m*Y)", "slip": "cross(r*Gamma, m*Y)",
    "K": "cross(M, Omega) + m*g*ell*cross(Gamma, chi) + cross(m*Y, cross(Omega, r*Gamma))",
    "Xi_printed": "I(Omega) + cross(ell*chi, m*Y)", "Xi_variational": "Xi_printed + 2*slip",
    "E": "dot(Omega, I(Omega))/2 + m*dot(Y, Y)/2 + m*g*ell*dot(Gamma, chi)", "J": "dot(M, s)",
}  # fmt: skip
_ROUTH = {
    "I1": "inertia[0]", "I3": "inertia[2]", "s3": "dot(s, chi)", "Omega3": "dot(Omega, chi)", "Y3": "dot(Y, chi)",
    "Q": "I1*I3 + m*dot(I(s), s)", "R_squared": "Omega3**2*Q",
    "twist_printed": "dot(xi, cross(chi, Xi_printed + m*r*dot(Omega, Gamma)*s))*dW",
    "twist_variational": "dot(xi, cross(chi, Xi_variational + m*r*dot(Omega, Gamma)*s))*dW",
}  # fmt: skip


def _functions(values: Mapping[str, Any]) -> dict[str, Any]:
    """𝕀v, 𝕀⁻¹v, and L v = 𝕀v + ms × (v × s)."""
    inertia, m = values["inertia"], values["mass"]

    def turned(v: Any) -> Any:
        return inertia * v if inertia.ndim == 1 else matvec(inertia, v)

    def unturned(v: Any) -> Any:
        return v / inertia if inertia.ndim == 1 else vector(exact.solve_exactly(inertia, list(v), regular))

    return {"I": turned, "I_inverse": unturned, "L": lambda s, v: turned(v) + m * cross(s, cross(v, s))}


def _along_xi(scene: Any, y: Any) -> list[Any]:
    """The noise in Ω, and ξ itself in Γ."""
    rates = list(scene.rates("d_W", y, 1))
    rates[3:6] = list(scene.by_name["noise"][0])
    return rates


def _balls(**values: Any) -> Any:
    return lambda: {model: sd.load("rolling-ball", coupling=model, **{"noise": _NOISE, **values}) for model in MODELS}


def _setting(title: str, systems: Any, texts: Mapping[str, str]) -> MotionSetting:
    return MotionSetting(title, systems, texts, names=spatial, functions=_functions, models=MODELS,
                         directions={"d_xi": _along_xi})  # fmt: skip


_ANY = {"inertia": _FULL, "axis": (0.36, -0.48, 0.8), "mass": 1.3, "radius": 0.7, "gravity": 9.81}
BALL = _setting("any ball", _balls(**_ANY, offset=0.2), _TEXTS)
ROUND = _setting(
    "I₁ = I₂, χ = E₃",
    _balls(inertia=(0.5, 0.5, 0.3), mass=1.3, radius=0.7, gravity=9.81, offset=0.2),
    {**_TEXTS, **_ROUTH},
)
CENTRED = _setting("ℓ = 0", _balls(**_ANY, offset=0.0), {
    **_TEXTS, "A": "cross(Gamma, cross(Omega, Gamma))", "M": "I(Omega) + m*r**2*A",
})  # fmt: skip
ALONG = _setting(
    "I₁ = I₂, χ = E₃, ξ ∥ χ",
    _balls(inertia=(0.5, 0.5, 0.3), mass=1.3, radius=0.7, gravity=9.81, offset=0.2, noise=((0.0, 0.0, 0.3),)),
    {**_TEXTS, **_ROUTH},
)
