"""Numbers, lengths and path numbers that cannot be used are errors of ours, wherever they are given."""

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import SemidirectError

HUGE = 10**400
NO_LENGTHS = {"huge": HUGE, "nan": float("nan"), "inf": np.inf, "text": "x", "none": None, "negative": -1, "zero": 0,
              "ragged": [1, [2]], "masked": np.ma.masked, "complex": 1j, "flag": True, "list": [1.0], "bytes": b"1"}  # fmt: skip
NO_VECTORS = {"huge": (0, 0, HUGE), "nan": (0, 0, float("nan")), "text": "xyz", "none": None, "number": 1.0, "two": (1, 2),
              "complex": (0, 1j, 0), "flags": (True, False, True),
              "masked": np.ma.masked_array([0.0, 0, 1], [0, 1, 0])}  # fmt: skip
LENGTHS = {
    "ball": sd.shapes.ball,
    "disc": sd.shapes.disc,
    "rod": lambda x: sd.shapes.Cylinder((0, 0, 0), (0, 0, 1), x),
    "cone": lambda x: sd.shapes.Cone((0, 0, 0), (0, 0, 1), x),
    "box": lambda x: sd.shapes.Box((1.0, x, 1.0)),
    "box of inertia": lambda x: sd.shapes.box_of_inertia((1.0, 1.0, 1.0), x),
}
VECTORS = {
    "semiaxes": sd.shapes.Ellipsoid,
    "box": sd.shapes.Box,
    "centre": lambda x: sd.shapes.ball(1.0, centre=x),
    "axle": lambda x: sd.shapes.disc(1.0, axle=x),
    "end": lambda x: sd.shapes.Cylinder((0, 0, 0), x, 1.0),
    "hinge": lambda x: sd.shapes.ball(1.0, hinge=x),
    "dot": sd.shapes.Dot,
    "axes": lambda x: sd.shapes.Box((1, 1, 1), axes=[x, x, x]),
    "inertia": sd.shapes.box_of_inertia,
    "tracer": lambda x: sd.shapes.Shape(tracer=x),
}


@pytest.fixture(scope="module")
def run():
    return sd.load("rigid-body").simulate(t_end=0.2, dt=0.1, paths=3)


@pytest.mark.filterwarnings("ignore:Warning. converting a masked element")
@pytest.mark.parametrize("value", NO_LENGTHS)
@pytest.mark.parametrize("where", LENGTHS)
def test_what_is_no_length(where, value):
    if (where, value) == ("box", "flag"):
        return  # NumPy makes a number of a truth value among numbers
    with pytest.raises(SemidirectError):
        LENGTHS[where](NO_LENGTHS[value])


@pytest.mark.filterwarnings("ignore:Warning. converting a masked element")
@pytest.mark.parametrize("value", NO_VECTORS)
@pytest.mark.parametrize("where", VECTORS)
def test_what_is_no_vector(where, value):
    if (where, value) == ("axes", "masked"):
        return  # NumPy loses the mask of an entry of a list
    with pytest.raises(SemidirectError):
        VECTORS[where](NO_VECTORS[value])


@pytest.mark.parametrize(
    "paths",
    [2**63, -(2**63) - 1, 2**200, [2**63], 3, -4, 1.5, float("nan"), "x", [True], 1j, {}, np.array([2.0**70])],
    ids=repr,
)
def test_what_is_no_choice_of_paths(run, paths):
    with pytest.raises(SemidirectError, match="paths of a rotation"):
        run.rotation(paths=paths)


@pytest.mark.parametrize(
    "levels",
    [[0.1, float("nan")], [float("nan")], [float("nan"), 0.5], [0.1, np.inf], [-np.inf, 0.5], [HUGE], [], 0.5, ["a"], None,
     [0.5, 0.5], [0.1, [0.2]], [0.5, 1j], [2.0]],
    ids=repr,
)  # fmt: skip
def test_what_are_no_levels(run, levels):
    with pytest.raises(SemidirectError, match="levels"):
        run.plot.quantiles("energy", levels=levels)


@pytest.mark.parametrize("value", [0, None, "run", [], {}, 1.5], ids=repr)
def test_what_is_no_run(run, value):
    for system in (None, run.data.known_system):
        with pytest.raises(SemidirectError):
            sd.analysis.monitor(value, system)


@pytest.mark.parametrize("centre", [0, (0, 0, 0), "x"], ids=repr)
def test_what_is_no_centre_of_a_picture(centre):
    with pytest.raises(SemidirectError, match="centre"):
        sd.inference.camera([[0.1, 0, 0]], noise=0.01, centre=centre)
