"""The spherical robot."""

import numpy as np
import pytest
from semidirect_spherical_robot import SphericalRobot, line_follower

from semidirect.specification import Save
from semidirect.testing import system_contract

TestSphericalRobot = system_contract(SphericalRobot)

NOISE = {"noise": (), "rotor_noise": [(0.2, -0.1, 0.3)], "torque_noise": [(0.05, 0.02, -0.04)]}
ROLLING = {"Omega": (0.4, -0.2, 1.5), "w": (0.5, 0.2, -0.3)}


class Restoring(SphericalRobot):
    """Torques that depend on everything there is, none of them from a law of the plugin."""

    def torques(self, xi, a):
        return 0.3 * a.Gamma - 0.2 * xi.w + 0.1 * xi.Omega[0] * xi.w


@pytest.mark.parametrize("kind", [SphericalRobot, Restoring])
def test_momentum_in_space_is_kept_by_every_torque(kind):
    """g M with noise in rotors and torques too."""
    robot = kind(**NOISE)
    assert robot.sde().wieners == 2
    run = robot.simulate(t_end=5, dt=0.1, method="dop853", driver=["sin(3*t)", "cos(2*t)"], state=ROLLING)
    momentum = run["spatial-momentum"]
    assert np.abs(momentum - momentum[:, :1]).max() < 1e-11  # of 3; measured 1.1e-13
    assert np.ptp(run["M"][..., 0]) > 0.3
    assert np.ptp(run["w"][..., 0]) > 0.5


def test_the_law_of_control_keeps_it_too():
    run = line_follower(noise=()).simulate(t_end=5, dt=0.1, method="dop853", state={"w": (1.0, -2.0, 0.5)})
    momentum = run["spatial-momentum"]
    assert np.abs(momentum - momentum[:, :1]).max() < 5e-14  # of 0.1; measured 5e-16
    aside = run["x"][0, :, 1]
    assert aside[0] == 1
    assert abs(aside[-1]) < 0.05  # it comes to the line


@pytest.mark.parametrize("kind", [SphericalRobot, Restoring, line_follower])
def test_power(kind):
    """dE = τ·w dt without noise in the ball."""
    state = {"Omega": (0.3, 0.1, -0.2), "w": (1.0, -0.5, 0.7)}
    observables = kind(noise=()).evaluate(state)["observables"]
    assert observables["energy"]["drift"] == pytest.approx(observables["power"]["value"], rel=1e-14)  # measured 3.2e-16
    assert abs(observables["power"]["value"]) > 0.01


def test_feedback_holds_the_line_under_transport_noise():
    """The distance from the line stays small with feedback of the position, and wanders without it."""
    spread = {}
    for steering in (1.0, 0.0):
        robot = line_follower(steering=steering)
        run = robot.simulate(t_end=16, dt=0.02, paths=128, seed=5, save=Save("times:8,16", names=["x"]), method="lie-heun",
                             state={"b": (0, 0, -0.7, 1)})  # fmt: skip
        assert run.good.all()
        spread[steering] = np.sqrt(np.mean(run["x"][:, :, 1] ** 2, axis=0))
        assert np.abs(run["x"][:, -1, 0].mean() - 0.5 * 16) < 0.5  # it goes along the line
    with_feedback, free = spread[1.0], spread[0.0]
    assert with_feedback.max() < 0.4 * free.min()
    assert free[1] > 1.4 * free[0]  # measured .196 and .367 m
    assert with_feedback[1] == pytest.approx(with_feedback[0], rel=0.3)  # measured .033 and .038 m
