"""Coordinates of s that a definition recommends are where a run starts, unless the user says otherwise."""

import numpy as np
import pytest

import semidirect as sd

GROUP = sd.SE2(blocks=("omega", "v"), coordinates=("theta", "x1", "x2"))


class Cart(sd.System):
    """A body on a plane, which starts at (2, −1); of the direction to the east only the angle matters."""

    group = GROUP
    advected = {"east": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO2()), GROUP, "omega"), (1, 0))}
    initial = {"theta": 0.5, "x": (2.0, -1.0), "omega": 1.0}

    def lagrangian(self, xi, a):
        return (xi.omega**2 + xi.v[0] ** 2 + xi.v[1] ** 2) / 2 + a.east[0]


def start(**state):
    run = Cart().simulate(t_end=0.1, dt=0.1, state=state or None, driver=None)
    return {name: np.ravel(run[name][0, 0]) for name in ("theta", "x", "east", "omega")}


def east(theta):
    return [np.cos(theta), -np.sin(theta)]


@pytest.mark.parametrize(
    ("state", "theta", "x"),
    [
        ({}, 0.5, (2, -1)),
        ({"omega": 3.0}, 0.5, (2, -1)),
        ({"x": (4.0, 5.0)}, 0.5, (4, 5)),
        ({"x2": 7.0}, 0.5, (0, 7)),  # a part of x is given, so the recommended x is another place
        ({"theta": -0.25}, -0.25, (2, -1)),
        ({"theta": 0.0, "x": (0.0, 0.0)}, 0.0, (0, 0)),
        ({"east": east(0.5)}, 0.5, (2, -1)),
    ],
)
def test_the_start_is_what_is_given_and_else_what_is_recommended(state, theta, x):
    found = start(**state)
    np.testing.assert_allclose(found["theta"], theta, atol=1e-15)
    np.testing.assert_array_equal(found["x"], x)
    np.testing.assert_allclose(found["east"], east(theta), atol=1e-15)


def test_a_given_advected_quantity_overrides_recommended_coordinates():
    np.testing.assert_allclose(start(east=(0.0, -1.0))["east"], (0, -1), atol=1e-12)


def test_recommended_coordinates_decide_against_a_recommended_advected_quantity():
    class Odd(Cart):
        initial = {**Cart.initial, "east": (0.0, 1.0)}

    run = Odd().simulate(t_end=0.1, dt=0.1)
    np.testing.assert_allclose(run["east"][0, 0], east(0.5), atol=1e-15)
    np.testing.assert_array_equal(run["x"][0, 0], (2, -1))
