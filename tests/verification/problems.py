"""Non-linear problems for each class of noise: the stochastic rigid body, the heavy top and the Routh ball."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from semidirect_heavy_top import HeavyTop
from semidirect_rigid_body import RigidBody
from semidirect_rolling_ball import RollingBall

import semidirect as sd
from semidirect import ops

CLASSES = ("none", "additive", "single", "commutative", "general")

FIELDS: Mapping[str, tuple[tuple[float, ...], ...]] = {
    "single": ((0.6, -0.4, 0.8),),
    "commutative": ((0.6, -0.4, 0.8),),
    "general": ((0.6, -0.4, 0.8), (0.4, 1.0, 0.0), (-0.6, 0.2, 0.6)),
}
"""Amplitudes of transport noise in the body [rad/√s]; so large that the noise makes most of the error."""

TORQUES = ((0.6, -0.4, 0.8), (-0.3, 0.5, 0.4))
"""Amplitudes of noise torques in the body [N m √s]; the fields (τ_j, 0) do not depend on the state: additive noise."""


VERTICAL = 0.5
"""Amplitude c of a noise torque cΓ about the vertical [N m √s]. With the transport noise ξ it commutes, and not in a trivial way:
(Dg_1)[g_2] = cΓ × ξ = (Dg_2)[g_1], and (Dg_1)[g_1] = (M × ξ) × ξ."""


def crossed(a: Any) -> list[Any]:
    """Γ × τ_j: fields that depend on what they do not move, so that they commute, and are no multiples of one."""
    return [ops.cross(a.Gamma, ops.array(t)) for t in TORQUES]


class ShakenBody(RigidBody):
    """A rigid body under noise torques fixed in the body."""

    def independent_force(self) -> list[Any]:
        return [ops.array(t) for t in TORQUES]


class TwistedBody(RigidBody):
    """A rigid body under transport noise and a noise torque about the vertical."""

    def independent_force(self, a: Any) -> list[Any]:
        return [VERTICAL * a.Gamma]


class ShakenTop(HeavyTop):
    """A heavy top under noise torques fixed in the body."""

    def independent_force(self) -> list[Any]:
        return [ops.array(t) for t in TORQUES]


class TwistedTop(HeavyTop):
    """A heavy top under transport noise and a noise torque about the vertical."""

    def independent_force(self, a: Any) -> list[Any]:
        return [VERTICAL * a.Gamma]


class ShakenBall(RollingBall):
    """A rolling ball under noise torques fixed in the body."""

    def independent_force(self) -> list[Any]:
        return [(ops.array(t), ops.zeros(3)) for t in TORQUES]


class GustyBall(RollingBall):
    """A rolling ball under noise torques Γ × τ_j."""

    def independent_force(self, a: Any) -> list[Any]:
        return [(torque, ops.zeros(3)) for torque in crossed(a)]


KINDS: Mapping[str, Mapping[str, type[sd.System]]] = {
    "rigid body": {"": RigidBody, "additive": ShakenBody, "commutative": TwistedBody},
    "heavy top": {"": HeavyTop, "additive": ShakenTop, "commutative": TwistedTop},
    "Routh ball": {"": RollingBall, "additive": ShakenBall, "commutative": GustyBall},
}
NUMBERS: Mapping[str, Mapping[str, Any]] = {
    "rigid body": {"inertia": (1.0, 2.0, 3.0), "advect_gamma": True},
    "heavy top": {"inertia": (1.0, 1.5, 0.8), "axis": (0.36, -0.48, 0.8)},
    "Routh ball": {"inertia": (2.0, 2.0, 1.5), "offset": 0.3},
}
PROBLEMS = tuple(KINDS)


def problem(name: str, noise: str) -> sd.System:
    """A problem with noise of a class."""
    kinds = KINDS[name]
    fields = np.array(FIELDS[noise]) if noise in FIELDS else np.zeros((0, 3))
    if noise == "commutative" and name == "Routh ball":  # its transport noise commutes with no torque
        fields = np.zeros((0, 3))
    return kinds.get(noise, kinds[""])(**NUMBERS[name], noise=fields)
