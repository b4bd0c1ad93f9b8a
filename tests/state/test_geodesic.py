"""Distances of configurations: against SciPy and geomstats, to round-off near 0 and near π, and factor by factor."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import semidirect as sd
from semidirect.geometry import geomstats_adapter as adapter
from semidirect.groups import SE2, SE3, SO2, SO3, DirectProduct, Heisenberg, RealSpace, Torus
from semidirect.groups.motions.rotations import rotation_angle
from semidirect.representations import SemidirectProduct
from semidirect.state.geodesic import configuration, factors, geodesic_errors

components = st.floats(-1, 1, allow_subnormal=False)
axes = st.tuples(components, components, components).filter(lambda v: np.linalg.norm(v) > 0.1)
# the regimes of a logarithm: tiny, generic, within 1e-12 … 1e-3 of a half-turn
angles = st.one_of(
    st.floats(-15, -3).map(lambda e: 10.0**e), st.floats(1e-3, 3.1), st.floats(-12, -3).map(lambda e: np.pi - 10.0**e)
)


@given(axes, angles)
def test_the_angle_of_a_rotation(axis, angle):
    n = np.array(axis) / np.linalg.norm(axis)
    g = SO3().exp(angle * n)
    found = float(rotation_angle(np.eye(3), g))
    assert abs(found - angle) <= 4e-16 + 4e-16 * angle  # measured 8.9e-16 at π, and relative near 0
    assert float(rotation_angle(g, np.eye(3))) == pytest.approx(found, rel=1e-15)


@given(axes, axes, angles, angles)
def test_the_angle_is_that_of_scipy_and_does_not_depend_on_the_frame(first, second, a, b):
    g, h = (Rotation.from_rotvec(t * np.array(v) / np.linalg.norm(v)) for v, t in ((first, a), (second, b)))
    found = float(rotation_angle(g.as_matrix(), h.as_matrix()))
    assert abs(found - (g.inv() * h).magnitude()) <= 5e-15  # measured 1.8e-15
    left = Rotation.from_rotvec([0.3, -2.0, 0.7]).as_matrix()
    assert abs(float(rotation_angle(left @ g.as_matrix(), left @ h.as_matrix())) - found) <= 5e-15


@given(angles, st.floats(-3, 3))
def test_the_angle_in_the_plane(angle, start):
    g, h = SO2().exp([[start], [start + angle]])
    assert abs(float(rotation_angle(g, h)) - angle) <= 2e-15  # measured 8.9e-16


def test_the_angle_is_that_of_geomstats():
    g, h = SO3().random(1, 20), SO3().random(2, 20)
    np.testing.assert_allclose(
        rotation_angle(g, h), adapter.geodesic_distance(SO3(), g, h) / np.sqrt(2) * np.sqrt(2), rtol=1e-7
    )
    np.testing.assert_allclose(rotation_angle(g, h), SO3().distance(g, h), rtol=0, atol=1e-15)


def test_half_turns_exactly():
    for axis in (np.array([1.0, 0, 0]), np.array([0.6, 0, 0.8]), np.array([2, -3, 6]) / 7):
        assert float(rotation_angle(np.eye(3), 2 * np.outer(axis, axis) - np.eye(3))) == pytest.approx(np.pi, abs=1e-15)


FACTORS = [
    (SO3(), [("angle(g)", "rad")]),
    (SE3(), [("angle(g)", "rad"), ("distance(x)", "m")]),
    (SE2(), [("angle(angle)", "rad"), ("distance(x,y)", "m")]),
    (Torus(2), [("angle(angle)", "rad")]),
    (RealSpace(2), [("distance(x)", "")]),
    (Heisenberg(), [("distance(x,y,z)", "")]),
    (SemidirectProduct(SO3(), sd.VectorRepresentation(SO3())), [("angle(g)", "rad"), ("distance(x)", "")]),
    (DirectProduct(SO3(), DirectProduct(SE3(), SO2(), names=("b", "c")), names=("a", "p")),
     [("angle(a_g)", "rad"), ("angle(p_b_g)", "rad"), ("distance(p_b_x)", "m"), ("angle(p_c_angle)", "rad")]),
]  # fmt: skip


@pytest.mark.parametrize(("group", "expected"), FACTORS, ids=lambda x: getattr(x, "name", ""))
def test_the_factors_of_a_group(group, expected):
    found = factors(group)
    assert [(f.name, f.unit) for f in found] == expected
    g, h = group.random(1, (3, 2)), group.random(2, (3, 2))
    for f in found:
        distance = f.distance(g, h)
        assert distance.shape == (3, 2)
        assert np.all(distance > 0)
        np.testing.assert_allclose(f.distance(h, g), distance, rtol=1e-13)
        np.testing.assert_allclose(f.distance(g, g), 0, rtol=0, atol=1e-7)  # measured 2e-8, of the general logarithm


def test_factors_of_a_motion():
    shift = SE3().exp([0, 0, 0, 3.0, 4.0, 0])
    turn = SE3().exp([0, 0.25, 0, 0, 0, 0])
    angle, distance = factors(SE3())
    assert float(angle.distance(shift @ turn, turn)) == 0
    assert float(distance.distance(shift @ turn, turn)) == 5
    assert float(angle.distance(turn, shift)) == pytest.approx(0.25, rel=1e-15)


def test_the_configuration_of_a_run():
    disk = sd.load("rolling-disk")
    run = disk.simulate(t_end=1, dt=0.25, paths=3, method="heun")
    g = configuration(disk.group, run)
    assert g.shape == (3, 5, 5, 5)
    assert np.all(disk.group.contains(g))
    np.testing.assert_array_equal(g[..., 0, 2], run["x"])
    np.testing.assert_array_equal(g[:, -1], configuration(disk.group, run.final))
    other = disk.simulate(t_end=1, dt=0.125, driver=sd.Wiener(0.25), paths=3, method="heun", save="every:2")
    found = {f.name: d for f, d in geodesic_errors(disk.group, run, other).items()}
    assert list(found) == ["angle(phi)", "distance(x,y)", "angle(theta)"]
    np.testing.assert_allclose(
        found["distance(x,y)"], np.hypot(run["x"] - other["x"], run["y"] - other["y"]), rtol=1e-14
    )
    assert geodesic_errors(disk.group, {"x": run["x"]}, run) == {}
