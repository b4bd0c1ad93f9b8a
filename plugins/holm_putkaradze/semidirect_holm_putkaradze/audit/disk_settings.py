"""The vertical disk: its motion, and the free variation of its action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import semidirect as sd
from semidirect.core import cos, sin
from semidirect_holm_putkaradze.audit.motion import MotionScene, MotionSetting
from semidirect_holm_putkaradze.audit.variations import VariationSetting

COLUMNS = ("dt", "dW1", "dW2")


def _noise(k: int, scene: MotionScene, y: Sequence[Any]) -> list[Any]:
    return scene.at.rates(k, y)


DISK = MotionSetting(
    "the vertical disk", lambda: {"principle": sd.load("rolling-disk")},
    {
        "xi1": "noise[0]", "xi2": "noise[1]", "u": "d_t(x)", "v": "d_t(y)", "mu1": "-m*u", "mu2": "-m*v",
        "theta_0": "theta", "phi_0": "phi", "omega_0": "omega", "nu_0": "nu",
        # all fields are constant along each other, so this is the state at t
        "theta_t": "theta_0 + d_t(theta)*t + d_W1(theta)*W1 + d_W2(theta)*W2",
        "phi_t": "phi_0 + d_t(phi)*t + d_W1(phi)*W1 + d_W2(phi)*W2",
        "omega_t": "omega_0 + d_t(omega)*t + d_W1(omega)*W1 + d_W2(omega)*W2",
        "nu_t": "nu_0 + d_t(nu)*t + d_W1(nu)*W1 + d_W2(nu)*W2",
    },
    columns=COLUMNS, free=("r", "W1", "W2"),
    directions={"d_W1": partial(_noise, 1), "d_W2": partial(_noise, 2)},
)  # fmt: skip


def _on_shell(at: Mapping[str, Any], column: int) -> dict[str, Any]:
    u, v = at["R"] * at["omega"] * cos(at["phi"]), at["R"] * at["omega"] * sin(at["phi"])
    return {
        "u": u, "v": v, "x_t": u * at["dt"], "y_t": v * at["dt"], "theta_t": at["omega"] * at["dt"] + at["xi1"] * at["dW1"],
        "phi_t": at["nu"] * at["dt"] + at["xi2"] * at["dW2"],
    }  # fmt: skip


def _varied(at: Mapping[str, Any], column: int) -> dict[str, Any]:
    """δ of the coordinates is free, and δ(dx) = d(δx)."""
    names = {"x_t": "var_x", "y_t": "var_y", "theta_t": "var_theta", "phi_t": "var_phi"}
    return {k: at[f"free_{v}"] for k, v in names.items()} | {"phi": at["var_phi"]}


def _moved(at: Mapping[str, Any], column: int) -> dict[str, Any]:
    return {"phi": at["phi_t"]}


_BLOCKS = (
    "phi", "omega", "nu", "u", "v", "x_t", "y_t", "theta_t", "phi_t", "p1", "p2", "mu1", "mu2", "pi1", "pi2",
    "var_x", "var_y", "var_theta", "var_phi",
)  # fmt: skip
ACTION = VariationSetting(
    "free variations of the disk's action", dict.fromkeys(_BLOCKS, 1), on_shell=_on_shell, motion=_moved, variation=_varied,
    constants=dict.fromkeys(("m", "I", "J", "R", "xi1", "xi2"), 1), columns=COLUMNS,
    texts={
        "S": "(m*(u**2 + v**2)/2 + I*omega**2/2 + J*nu**2/2)*dt + p1*(x_t - u*dt) + p2*(y_t - v*dt)"
             " + (mu1*(u - R*omega*cos(phi)) + mu2*(v - R*omega*sin(phi)))*dt"
             " + pi1*(theta_t - omega*dt - xi1*dW1) + pi2*(phi_t - nu*dt - xi2*dW2)",
    },
)  # fmt: skip
