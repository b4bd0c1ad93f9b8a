"""A ball on a turntable."""

import numpy as np
import pytest
from semidirect_turntable_ball import TurntableBall

from semidirect.testing import system_contract

TestTurntableBall = system_contract(TurntableBall)

MUJOCO = 0.28645
"""Measured with MuJoCo's soft contact, for 2/7 = 0.285714…"""


def table(k=0.4, **choices):
    m, r = 1.3, 0.7
    return TurntableBall(**{"inertia": [k * m * r**2] * 3, "mass": m, "radius": r, "rate": 1.9, "noise": (), **choices})


def turned(run):
    """Velocity in the plane over the first, a complex number."""
    velocity = np.einsum("tij,tj->ti", run["g"][0].reshape(-1, 3, 3), run["Y"][0])
    assert np.abs(velocity[:, 2]).max() < 1e-13  # measured 1.6e-15
    return (velocity[:, 0] + 1j * velocity[:, 1]) / (velocity[0, 0] + 1j * velocity[0, 1])


@pytest.mark.parametrize(("k", "x"), [(0.4, (0.5, -0.2)), (0.4, (-1.2, 0.4)), (2 / 3, (0.5, -0.2))])
def test_a_homogeneous_ball_circles(k, x):
    """At Ω₀k/(1+k), 2/7 of the table's rate for a full ball, wherever the circle is."""
    state = {"g": np.eye(3), "x": (*x, 0.7), "Omega": (0.4, -0.2, 1.5)}
    run = table(k).simulate(t_end=10, dt=0.1, method="dop853", state=state)
    ratio = k / (1 + k)
    assert np.abs(turned(run) - np.exp(1j * ratio * 1.9 * run.times)).max() < 1e-11  # measured 7.4e-13
    rate = np.angle(turned(run)[10]) / (1.9 * run.times[10])
    assert abs(rate - ratio) < 1e-13  # measured 4.2e-15
    if k == 0.4:
        assert abs(MUJOCO - rate) > 7e-4  # what a soft contact costs


def test_moving_energy():
    """E − Ω₀(Ω·𝕀Γ + mY·(Γ × X)) for any 𝕀, where E is not kept."""
    state = {"g": np.eye(3), "x": (0.5, -0.2, 0.7), "Omega": (0.4, -0.2, 1.5)}
    tensor = [[0.3, 0.03, -0.02], [0.03, 0.4, 0.05], [-0.02, 0.05, 0.5]]
    run = table(inertia=tensor, gravity=0.0).simulate(t_end=10, dt=0.1, method="dop853", state=state)
    assert np.ptp(run["moving-energy"]) < 1e-11  # measured 1.2e-12
    assert np.ptp(run["energy"]) > 0.2 * run["energy"].max()  # measured 20 %
