"""Shapes: their farthest points, and that the body of each rolling system touches its ground wherever it rolls."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import shapes
from semidirect.core.errors import InputError
from semidirect.definition import plugins
from semidirect.view.body_pose import BodyPose

SIZES = st.floats(0.05, 20.0)
NUMBERS = st.floats(-5.0, 5.0)
VECTORS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
DIRECTIONS = VECTORS.filter(lambda v: np.linalg.norm(v) > 1e-3)


def points(part):
    """Points of the surface and the inside of a part."""
    u, v, s = np.meshgrid(np.linspace(0, 2 * np.pi, 33), np.linspace(-1, 1, 21), [0.4, 1.0])
    flat = np.sqrt(np.maximum(1 - v**2, 0))
    unit = {
        "sphere": (s * flat * np.cos(u), s * flat * np.sin(u), s * v),
        "cylinder": (s * np.cos(u), s * np.sin(u), v / 2),
        "cone": (s * (1 - v) / 2 * np.cos(u), s * (1 - v) / 2 * np.sin(u), (1 + v) / 2),
        "box": tuple(np.array(np.meshgrid(*3 * [np.linspace(-0.5, 0.5, 5)]))),
    }[part.kind]
    linear, centre = part.placement()
    return np.stack(unit, axis=-1).reshape(-1, 3) @ linear.T + centre


PARTS = st.one_of(
    st.builds(shapes.Ellipsoid, st.tuples(SIZES, SIZES, SIZES), VECTORS),
    st.builds(lambda c, d, r: shapes.Cylinder(c, np.add(c, d), r), VECTORS, DIRECTIONS, SIZES),
    st.builds(lambda c, d, r: shapes.Cone(c, np.add(c, d), r), VECTORS, DIRECTIONS, SIZES),
    st.builds(shapes.Box, st.tuples(SIZES, SIZES, SIZES), VECTORS),
)


@settings(max_examples=60, deadline=None)
@given(PARTS, DIRECTIONS)
def test_no_point_of_a_part_is_farther_than_its_farthest_point(part, direction):
    n = np.array(direction) / np.linalg.norm(direction)
    farthest = float(part.support(n[None])[0] @ n)
    heights = points(part) @ n
    size = np.ptp(points(part), axis=0).max()
    assert heights.max() <= farthest + 1e-9 * (1 + size)
    assert heights.max() >= farthest - 0.1 * size  # the points are 0.1 apart, so one of them is near


ON_GROUND = ["rolling-ball", "rolling-disk", "falling-disc", "rattleback", "turntable-ball", "tippe-top", "slipping-ball",
             "spherical-robot", "chaplygin-sleigh"]  # fmt: skip
RUNS = {"rattleback": (0.2, 1e-3), "tippe-top": (0.05, 2e-4)}


@pytest.mark.parametrize("name", ON_GROUND)
def test_the_body_touches_its_ground_wherever_it_is(name):
    """The height of the lowest point is that of the start."""
    system = sd.load(name)
    t_end, dt = RUNS.get(name, (1.0, 5e-3))
    run = system.simulate(t_end=t_end, dt=dt, paths=2, seed=3)
    shape = system.shape()
    assert shape.on_ground
    body = BodyPose.of(run.data, np.arange(2), np.arange(len(run.times)))
    low = (body.position + shape.lowest(body.rotation))[..., 2]
    assert np.abs(low - low[:, :1]).max() < 2e-5 * shape.radius()
    assert name in ("chaplygin-sleigh", "rolling-disk") or np.ptp(body.rotation[..., 2, :], axis=1).max() > 1e-3


def test_every_system_of_the_library_states_a_shape():
    found = {name: loaded().shape() for name, loaded in plugins.load_all().items() if ":" not in name}
    assert len(found) >= 20
    assert all(isinstance(shape, sd.shapes.Shape) and shape.radius() > 0 for shape in found.values())


@pytest.mark.parametrize("make", [
    lambda: shapes.ball(0.0), lambda: shapes.ball(np.nan), lambda: shapes.ball("1 m"), lambda: shapes.Ellipsoid((1, 2)),
    lambda: shapes.Cylinder((0, 0, 0), (0, 0, 0), 1.0), lambda: shapes.Cone((0, 0, 0), (0, 0, 1), -1.0),
    lambda: shapes.Box((1, 1, np.inf)), lambda: shapes.ball(1.0, colour="pink"), lambda: sd.shapes.Shape("a ball"),
    lambda: shapes.disc(1.0, axle=(0, 0, 0)), lambda: sd.shapes.Shape(shapes.ball(1.0), tracer=(1, 2)),
])  # fmt: skip
def test_invalid_parts_raise_errors(make):
    with pytest.raises(InputError, match="expected"):
        make()


def test_a_box_has_the_inertia_it_is_made_for():
    moments = np.array([1.0, 2.0, 2.5])
    edges = np.linalg.norm(shapes.box_of_inertia(moments).placement()[0], axis=0)
    found = np.sum(edges**2) - edges**2
    assert np.allclose(np.sort(found / found.sum()), moments / moments.sum(), rtol=1e-12)
