"""The reaction is exactly the contact force where gravity is written with positions (docs/theory.md)."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from semidirect_rolling_ball import RollingBall

import semidirect as sd
from semidirect import ops
from semidirect.testing import Derivations, orbit_states
from semidirect.testing.laws.exact_points.numbers import constants, plain_array
from semidirect.testing.laws.sizes import budget

FRAME = sd.AdvectedFrame(sd.SE3())
BODY = {
    "inertia": ((0.4, 0.05, -0.02), (0.05, 0.5, 0.03), (-0.02, 0.03, 0.6)), "axis": (0.36, -0.48, 0.8), "offset": 0.2,
    "mass": 1.3, "radius": 0.7, "gravity": 9.81, "noise": ((0.3, -0.2, 0.5),),
}  # fmt: skip


class Placed(RollingBall):
    """The ball whose potential is −mg b·Γ, the height of its centre of mass over the origin."""

    advected = {"Gamma": FRAME["Gamma"], "b": FRAME["b"]}

    def lagrangian(self, xi, a):
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + self.mass * ops.dot(xi.Y, xi.Y) / 2
        return kinetic + self.mass * self.gravity * ops.dot(a.b[:3], a.Gamma)

    def configuration(self, a):
        return sd.groups.minimal_motion(a.Gamma, a.b[:3])


SYSTEMS = {"positions": Placed(**BODY), "Gamma": RollingBall(**BODY)}


@cache
def derived():
    """The equations of both."""
    return {name: Derivations.of(system, [sd.equations.HamiltonPontryagin()]) for name, system in SYSTEMS.items()}


@pytest.mark.parametrize("form", ["A", "B"])
@budget(0.1)
@given(data=st.data())
def test_reaction_is_the_contact_force(form, data):
    """(F × s, F) with F = m(Ẏ + Ω × Y) + mgΓ by Newton; written with Γ alone, less the share (mgΓ × s, mgΓ) of the potential."""
    state = data.draw(orbit_states(derived()["positions"].definition))
    found = {}
    for name, equations in derived().items():
        here = state if name == "positions" else type(state)(state.u, state.a[:3], state.z, state.t)
        columns = equations.derived["Hamilton–Pontryagin", form]
        inputs = equations.inputs(columns.sde, here)
        found[name] = columns(inputs), columns.values(inputs)
    m, g, r, ell, chi = (
        plain_array(constants(np.array(BODY[k]))) for k in ("mass", "gravity", "radius", "offset", "axis")
    )
    m, g, r, ell = m.item(), g.item(), r.item(), ell.item()
    Gamma = np.array(state.a[:3], dtype=object)
    s, weight = r * Gamma + ell * chi, m * g * Gamma

    def at_contact(force):
        return [*np.cross(force, s), *force]

    (drift, noise), values = found["positions"]
    Omega = values["xi"][:3]
    force = drift["d_p"][3:] + np.cross(Omega, values["p"][3:]) + weight
    # The torque about the centre of mass, by Euler: what turns the ball is the contact force and nothing else.
    turning = drift["d_p"][:3] + np.cross(Omega, values["p"][:3])
    assert list(turning) == list(np.cross(force, s))
    assert list(drift["reaction"]) == at_contact(force)
    (other, other_noise), _ = found["Gamma"]
    assert list(other["reaction"]) == at_contact(force - weight)
    assert list(other["state"][:3]) == list(drift["state"][:3])
    assert list(other_noise["reaction"]) == list(noise["reaction"])
