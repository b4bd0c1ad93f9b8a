"""The settings of the general theory: the ball with any Lagrangian, and its two kinds of variation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semidirect.core import cross, dot
from semidirect_holm_putkaradze.audit.motion import MotionSetting
from semidirect_holm_putkaradze.audit.setting import ROTATIONS, vector
from semidirect_holm_putkaradze.audit.variations import (
    VariationSetting,
    derivative,
    lifted,
    noise_field,
    varied_velocity,
)

_act = ROTATIONS["act"]
TEXTS = {"s": "r*Gamma + ell*chi", "Omega_t": "Omega*dt + xi*dW", "Y_t": "cross(Omega_t, s)", "Y": "cross(Omega, s)"}
MOMENTA = {"Pi": "p_Omega", "lam": "p_Y"}


def _general(volatility: bool) -> Any:
    from semidirect_holm_putkaradze.audit.general_ball import GeneralBall

    return GeneralBall(volatility=volatility)


def spatial(element: Any) -> dict[str, Any]:
    """Λ and x of s = (Λ, x), and e₃."""
    return {"Lambda": lambda: element()[:3, :3], "x": lambda: element()[:3, 3], "vertical": vector([0, 0, 1])}


GENERAL = MotionSetting(
    "a ball that rolls, with any Lagrangian l(Ω, Y, Γ)", lambda: {"principle": _general(False)},
    {**TEXTS, **MOMENTA, "xi": "amplitude"}, names=spatial,
)  # fmt: skip
VOLATILE = MotionSetting(
    "the same, where the amplitude has a dynamics of its own", lambda: {"principle": _general(True)},
    {**TEXTS, **MOMENTA, "xi": "xi1"}, names=spatial,
)  # fmt: skip


# -- variations ----------------------------------------------------------------------------------------------------

_VECTORS = {"eta": 3, "Gamma": 3, "Omega": 3, "Y": 3, "Omega_t": 3, "Y_t": 3, "gE3": 3}
_PARTIALS = {"l": 1, "l_Omega": 3, "l_Y": 3, "l_Gamma": 3, "Pi": 3, "lam": 3, "kappa": 3}
_CONSTANTS = {"r": 1, "ell": 1, "chi": 3, "xi": 3}


def _on_shell(at: Mapping[str, Any], column: int) -> dict[str, Any]:
    s = at["r"] * at["Gamma"] + at["ell"] * at["chi"]
    total = at["Omega"] * at["dt"] + at["xi"] * at["dW"]
    body_shift = lifted(at, at["eta"], at["Gamma"])[3:]
    return {
        "Omega_t": total, "Y": cross(at["Omega"], s), "Y_t": cross(total, s), "gE3": at["Gamma"], "var_x_body": body_shift,
    }  # fmt: skip


def _advection(at: Mapping[str, Any], column: int) -> dict[str, Any]:
    rate = -_act(at["Omega_t"], at["Gamma"])
    return {"Gamma": rate, "gE3": rate}


def _pontryagin(at: Mapping[str, Any], column: int) -> dict[str, Any]:
    """Γ, Ω and Y vary freely; g⁻¹e₃, g⁻¹dg and g⁻¹dx with η."""
    velocity = varied_velocity(at)
    slope = dot(at["l_Omega"], at["free_Omega"]) + dot(at["l_Y"], at["free_Y"]) + dot(at["l_Gamma"], at["free_Gamma"])
    return {
        "Omega_t": velocity[:3],
        "Y_t": velocity[3:],
        "gE3": -_act(at["eta"], at["gE3"]),
        "l": slope,
        "eta": at["eta"] * 0,
    }


def _dalembert(at: Mapping[str, Any], column: int) -> dict[str, Any]:
    """All vary with η: δ(ξ dt) = d(Bη) + [ξ̃, Bη] − (∂N/∂a · δa) dW."""
    velocity = varied_velocity(at)
    delta_Gamma = -_act(at["eta"], at["Gamma"])
    rest = velocity - derivative(lambda G: noise_field(at, G), at["Gamma"], delta_Gamma) * at["dW"]
    return {
        "Omega_t": velocity[:3], "Y_t": velocity[3:], "Gamma": delta_Gamma, "gE3": delta_Gamma, "Omega": at["Omega"] * 0,
        "Omega_dt": rest[:3], "Y_dt": rest[3:],
    }  # fmt: skip


PONTRYAGIN = VariationSetting(
    "independent variations of Ω, Y, Γ and of s", {**_VECTORS, **_PARTIALS}, on_shell=_on_shell, motion=_advection,
    variation=_pontryagin, constants=_CONSTANTS,
    texts={
        "s": "r*Gamma + ell*chi",
        "S": "l*dt + dot(kappa, gE3 - Gamma)*dt + dot(lam, Y_t - Y*dt - cross(xi, s)*dW)"
             " + dot(Pi, Omega_t - Omega*dt - xi*dW)",
    },
)  # fmt: skip
DALEMBERT = VariationSetting(
    "variations induced by s", {**_VECTORS, "Omega_dt": 3, "Y_dt": 3, **_PARTIALS}, on_shell=_on_shell,
    motion=_advection, variation=_dalembert, constants=_CONSTANTS, texts={"s": "r*Gamma + ell*chi"},
)  # fmt: skip
