"""Filters of motions by given velocities, whose state is the configuration alone."""

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops

DT, STEPS, DRIFT, SPREAD, START, NOISE = 0.05, 20, 0.3, 0.2, 0.1, 0.1


def motion(group):
    n = group.dimension
    return sd.Kinematics(group, velocity=[DRIFT] * n, noise=SPREAD * np.eye(n))


def kalman(data):
    """Log p(data) of a Wiener process with drift from a normal start."""
    mean, variance, total = 0.0, START**2, 0.0
    for value in data:
        mean, variance = mean + DRIFT * DT, variance + SPREAD**2 * DT
        all_of_it = variance + NOISE**2
        total += -0.5 * ((value - mean) ** 2 / all_of_it + np.log(2 * np.pi * all_of_it))
        gain = variance / all_of_it
        mean, variance = mean + gain * (value - mean), (1 - gain) * variance
    return total


@pytest.mark.parametrize(("group", "name"), [(sd.RealSpace(1), "x1"), (sd.SO2(), "angle"), (sd.groups.Torus(1), "angle1")],
                         ids=["R", "SO2", "T"])  # fmt: skip
def test_extended_kalman_filter_on_a_line_and_a_circle_is_kalmans(group, name):
    system, seen = motion(group), sd.Observation(name, noise=NOISE)
    data = seen.of(system.simulate(t_end=STEPS * DT, dt=DT, seed=3), seed=2).isel(time=slice(1, None))
    found = sd.filter(system, seen, data, dt=DT, update=sd.ExtendedKalman({"configuration": START}))
    assert found.log_likelihood == pytest.approx(kalman(data.values.ravel()), abs=1e-9)


@pytest.mark.parametrize("group", [sd.SO2(), sd.SO3(), sd.SE2(), sd.SE3()], ids=repr)
def test_filters_of_motions_agree(group):
    """Small noise and spread: the extended filter agrees with 1,000 particles."""
    system = motion(group)

    def point(state):
        n = state.s.shape[0]
        return [state.s[i, j] for i in range(min(n, 3)) for j in range(2)]

    seen = sd.Observation(point, noise=NOISE)
    data = seen.of(system.simulate(t_end=10 * DT, dt=DT, seed=3), seed=2).isel(time=slice(1, None))
    updates = (sd.ExtendedKalman(), "particles", "ensemble-kalman")
    found = [
        sd.filter(system, seen, data, dt=DT, update=update, particles=1000, seed=1).log_likelihood for update in updates
    ]
    assert np.ptp(found) < 0.6


def test_synthetic_data_of_a_motion_are_its_coordinates():
    system = motion(sd.SO3())
    run = system.simulate(t_end=10 * DT, dt=DT, seed=3)
    data = sd.Observation(["g11", "g23"], noise=1e-12).of(run, seed=2)
    np.testing.assert_allclose(data.values[:, 0], np.stack([run["g11"][0], run["g23"][0]], axis=1), atol=1e-11)
    turned = sd.Observation(lambda state: ops.dot(state.s[:3, 0], state.s[:3, 0]), noise=1e-12).of(run, seed=2)
    np.testing.assert_allclose(turned.values.ravel(), 1.0, atol=1e-11)
