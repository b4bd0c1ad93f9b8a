"""Parameters and options: what they accept, and what they say of what they do not."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import semidirect as sd
from semidirect.core.errors import InputError

moments = st.floats(1e-3, 1e3)
excess = st.floats(-14, -2).map(lambda k: 10.0**k)


class Box(sd.System):
    """Something to hold parameters of all kinds."""

    mass = sd.parameter(1.0, unit="kg", positive=True, doc="mass")
    depth = sd.parameter(0.5, nonnegative=True)
    free = sd.parameter(0.0)
    inertia = sd.inertia((1.0, 2.0, 2.5))
    axis = sd.unit_vector((0.0, 0.0, 1.0))
    noise = sd.parameter((), shape=(None, 3))
    either = sd.parameter(1.0, shape=[(), (2,)])

    flag = sd.option(False)
    count = sd.option(3)
    kind = sd.option("round", choices=("round", "square"))

    group = sd.SO3()


def refused(**given):
    with pytest.raises(InputError) as caught:
        Box(**given)
    return str(caught.value)


@given(a=moments, b=moments, over=excess, order=st.permutations(range(3)))
def test_triangle_inequality_on_both_sides(a, b, over, order):
    """Violated by more than 1e-12 relative is refused, by less is round-off."""
    for largest in ((a + b) * (1 + over), (a + b) * (1 - over)):
        values = [(a, b, largest)[i] for i in order]
        low, middle, high = sorted(values)
        if low + middle < high * (1 - 1e-12):
            assert "triangle inequality" in refused(inertia=values)
        else:
            np.testing.assert_array_equal(Box(inertia=values).inertia, values)


@given(a=moments, b=moments, turn=st.integers(0, 2**32 - 1))
def test_triangle_inequality_of_a_matrix(a, b, turn):
    """By its principal moments, in any axes; a matrix that is symmetric to round-off is symmetric."""
    R = Rotation.random(rng=turn).as_matrix()
    flat = R @ np.diag([a, b, a + b]) @ R.T
    assert Box(inertia=flat).inertia.shape == (3, 3)
    assert "triangle inequality" in refused(inertia=R @ np.diag([a, b, (a + b) * (1 + 1e-9)]) @ R.T)


@given(direction=st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1), off=excess)
def test_unit_vectors_on_both_sides(direction, off):
    v = np.asarray(direction) / np.linalg.norm(direction)
    if off > 2e-12:
        message = refused(axis=v * (1 + off))
        assert "expected length 1" in message
        assert "Normalised it is" in message
    elif off < 5e-13:
        assert Box(axis=v * (1 + off)).axis.shape == (3,)


REFUSED = [
    ({"mass": 0}, ["parameter 'mass' of Box", "expected positive", "got 0.0"]),
    ({"mass": -1.5}, ["expected positive", "-1.5"]),
    ({"mass": np.nan}, ["expected finite numbers", "nan"]),
    ({"mass": np.inf}, ["expected finite numbers"]),
    ({"mass": "heavy"}, ["'mass' of Box is not numeric", "'heavy'"]),
    ({"mass": "2"}, ["is not numeric"]),
    ({"mass": True}, ["is not numeric"]),
    ({"mass": None}, ["is not numeric", "got None"]),
    ({"mass": 1j}, ["is not numeric"]),
    ({"mass": np.complex128(1)}, ["is not numeric"]),
    ({"mass": np.datetime64("2020")}, ["is not numeric"]),
    ({"mass": np.timedelta64(3, "s")}, ["is not numeric"]),
    ({"axis": np.array([0, 0, 1j])}, ["is not numeric"]),
    ({"axis": [None, 0, 1]}, ["is not numeric"]),
    ({"axis": np.ma.array([0, 0, 1.0], mask=[0, 0, 1])}, ["is not numeric"]),
    ({"axis": (x for x in (0, 0, 1))}, ["is not numeric", "generator"]),
    ({"noise": [[]]}, ["wrong shape", "expected (k, 3)", "got (1, 0)"]),
    ({"mass": sd.PerPath(sd.PerPath([1.0]))}, ["is not numeric"]),
    ({"mass": [1.0]}, ["wrong shape", "expected ()", "got (1,)"]),
    ({"depth": -0.1}, ["expected not negative", "-0.1"]),
    ({"inertia": (1, 2)}, ["wrong shape", "expected (3,) or (3, 3)", "got (2,)"]),
    ({"inertia": (1, 1, 2.1)}, ["moments with I1 + I2 >= I3", "[1.0, 1.0, 2.1]", "No rigid body"]),
    ({"inertia": (0, 1, 1)}, ["positive principal moments"]),
    ({"inertia": (-1, 1, 1)}, ["positive principal moments"]),
    ({"inertia": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]}, ["a symmetric matrix"]),
    ({"inertia": [[1, 0, 0], [0, np.nan, 0], [0, 0, 1]]}, ["finite numbers"]),
    ({"axis": (0, 0, 2)}, ["expected length 1", "got length 2.0", "[0.0, 0.0, 1.0]"]),
    ({"axis": (0, 0, 0)}, ["length 0.0", "it is zero"]),
    ({"axis": (0, 1)}, ["wrong shape", "expected (3,)", "got (2,)"]),
    ({"noise": (0.1, 0.2, 0.3)}, ["wrong shape", "expected (k, 3)", "got (3,)"]),
    ({"noise": [[1, 2, 3], [4, 5]]}, ["'noise' of Box is not numeric"]),
    ({"either": (1, 2, 3)}, ["expected () or (2,)"]),
    ({"mass": sd.PerPath([1, -1])}, ["expected positive", "at path 1"]),
    ({"mass": sd.PerPath(2.0)}, ["per-path values of 'mass'", "a first axis of paths", "one number"]),
    ({"mass": sd.PerPath([])}, ["a first axis of paths", "no path"]),
    ({"inertia": sd.PerPath([(1, 1, 1), (1, 1, 3)])}, ["triangle inequality", "at path 1"]),
    ({"flag": 1}, ["option 'flag' of Box", "expected true or false", "got 1"]),
    ({"count": True}, ["expected a whole number", "got True"]),
    ({"kind": "oval"}, ["option 'kind'", "'round' or 'square'", "got 'oval'"]),
    ({"kind": 3}, ["'round' or 'square'", "got 3"]),
    ({"mas": 2.0}, ["unknown parameter or option of Box 'mas'", "Did you mean 'mass'?", "depth", "kind"]),
]  # fmt: skip


@pytest.mark.parametrize(("given", "parts"), REFUSED, ids=[re.sub(r" at 0x\w+", "", str(p[0]))[1:45] for p in REFUSED])
def test_refusals_say_what_to_do(given, parts):
    message = refused(**given)
    for part in parts:
        assert part in message


def test_values_are_floats_of_their_own():
    mine = np.array([[1, 2, 3]])
    box = Box(noise=mine, mass=2)
    mine[0, 0] = 99
    np.testing.assert_array_equal(box.noise, [[1.0, 2.0, 3.0]])
    assert box.noise.dtype == box.mass.dtype == float
    with pytest.raises(ValueError, match="read-only"):
        box.noise[0, 0] = 5
    with pytest.raises(AttributeError, match="make another one with mass="):
        box.mass = 3
    with pytest.raises(AttributeError, match="make another one with kind="):
        box.kind = "square"
    values = np.array([1.0, 2.0])
    many = Box(mass=sd.PerPath(values))
    values[0] = -1
    np.testing.assert_array_equal(many.mass.values, [1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        many.mass.values[0] = 5


def test_empty_lists_keep_their_width():
    assert Box(noise=[]).noise.shape == (0, 3)
    assert Box().noise.shape == (0, 3)
    assert Box(noise=np.zeros((0, 3))).noise.shape == (0, 3)


def test_declarations():
    assert list(Box.workings.parameters()) == ["mass", "depth", "free", "inertia", "axis", "noise", "either"]
    assert list(Box.workings.options()) == ["flag", "count", "kind"]
    mass = Box.workings.parameters()["mass"]
    assert (mass.unit, mass.doc, mass.default, mass.name) == ("kg", "mass", 1.0, "mass")

    class Smaller(Box):
        mass = sd.parameter(0.1)
        depth = None

    assert list(Smaller.workings.parameters()) == ["mass", "free", "inertia", "axis", "noise", "either"]
    assert Smaller(mass=-3.0).mass == -3.0


def test_checks_of_ones_own():
    def even(value):
        if value % 2:
            raise InputError("", expected="an even number")

    class Even(sd.System):
        number = sd.parameter(2, check=even)
        group = sd.SO2()

    assert Even(number=4).number == 4
    with pytest.raises(InputError, match=r"parameter 'number' of Even: expected an even number, got 3.0"):
        Even(number=3)


def test_conditions_on_several_parameters():
    class Ordered(sd.System):
        low, high = sd.parameter(0.0), sd.parameter(1.0)
        group = sd.SO2()

        def check(self):
            if self.low > self.high:
                raise InputError("low", expected="at most high")

    assert Ordered(low=0.5).replace(high=0.75).high == 0.75
    with pytest.raises(InputError, match="at most high"):
        Ordered(low=0.5).replace(high=0.25)


def test_values_by_path():
    """One shape for conditions on numbers, whether a parameter is given once or per path."""
    assert sd.by_path(np.array([1.0, 2.0])).shape == (1, 2)
    assert sd.by_path(sd.PerPath(np.ones((4, 2)))).shape == (4, 2)
    assert sd.by_path(np.array(3.0)).shape == (1,)


PER_PATH = {
    "falling-disc": {"axial": [0.4, 0.5]}, "euler-disc": {"radius": [0.03, 0.04]}, "turntable-ball": {"radius": [1.0, 2.0]},
    "kirchhoff-body": {"masses": [[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]]}, "tippe-top": {"offset": [0.006, 0.005]},
    "kovalevskaya-top": {"inertia": [[2.0, 2.0, 1.0], [4.0, 4.0, 2.0]]}, "slipping-ball": {"offset": [0.1, 0.2]},
    "routh-sphere": {"inertia": [[2.0, 2.0, 1.5], [2.0, 2.0, 1.2]]}, "line-follower": {"radius": [0.7, 0.5]},
}  # fmt: skip


@pytest.mark.parametrize("name", PER_PATH)
def test_values_per_path_are_those_of_each_path(name):
    """Conditions, recommended states and observables of the library's systems work with values per path."""
    given = {k: np.array(v) for k, v in PER_PATH[name].items()}
    settings = {"t_end": 0.002, "dt": 0.001, "seed": 1, "method": "heun"}
    run = sd.load(name, **{k: sd.PerPath(v) for k, v in given.items()}).simulate(**settings)
    for i in range(2):
        alone = sd.load(name, **{k: v[i] for k, v in given.items()})
        assert set(alone.observables()) == set(
            sd.load(name, **{k: sd.PerPath(v) for k, v in given.items()}).observables()
        )
        again = alone.simulate(paths=2, **settings)
        np.testing.assert_allclose(run["energy"][i], again["energy"][i], rtol=1e-13)
