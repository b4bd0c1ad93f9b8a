"""Parameters that differ from path to path, wherever a system uses them: each path is the system of its own parameters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.core import PerPath
from semidirect.core.errors import DefinitionError, InputError, PerPathError
from semidirect.state.state import InitialState

SETTINGS = {"t_end": 0.02, "dt": 0.01, "seed": 3, "method": "heun"}


class Decided(sd.System):
    """A top that decides by its parameters, in the simplest way, everything that a system decides by numbers."""

    mass = sd.parameter(1.0, positive=True)
    chi = sd.parameter((0.0, 0.0, 1.0))
    noise = sd.parameter([[0.0, 0.1, 0.2]], shape=(None, 3))

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}

    @property
    def initial(self):
        direction = self.chi / np.sqrt(self.chi @ self.chi)
        return {"Omega": self.chi, "Gamma": direction if self.mass > 0.25 else (0, 0, 1)}

    def check(self):
        if self.mass > 3:
            raise InputError("mass", expected="at most 3")

    def configuration(self, a):
        turn = np.array(
            [[np.cos(self.mass), -np.sin(self.mass), 0], [np.sin(self.mass), np.cos(self.mass), 0], [0, 0, 1]]
        )
        return turn @ sd.groups.minimal_rotation(a.Gamma)

    def internal(self):
        return [sd.InternalState("q", 2 * self.mass, lambda z: -z.q)]

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, xi.Omega) / 2 - self.mass * ops.dot(self.chi, a.Gamma)

    def constraint(self):
        return sd.Unconstrained(sd.noise.VolatilityNoise(self.noise))

    @sd.observable(needs=lambda self: self.mass < 2)
    def light(self, state):
        return self.mass * state.Gamma[2]


def pieces(system, start):
    return {
        name: np.broadcast_to(getattr(start, name), (len(getattr(start, name)), system.workings.paths or 1))
        for name in "uaz"
    }


masses = st.floats(0.1, 3.0).map(lambda x: round(x, 3))
directions = st.tuples(*[st.floats(-1, 1).map(lambda x: round(x, 2))] * 3).filter(
    lambda v: np.hypot(*v[:2]) + abs(v[2]) > 0.1
)


@given(st.lists(st.tuples(masses, directions), min_size=1, max_size=4))
def test_each_path_starts_as_the_system_of_its_parameters(parameters):
    mass, chi = map(np.array, zip(*parameters, strict=True))
    noise = mass[:, None, None] * np.ones((1, 1, 3))
    many = Decided(mass=PerPath(mass), chi=PerPath(chi), noise=PerPath(noise))
    start = InitialState.of(many, None)
    for i in range(len(mass)):
        alone = InitialState.of(Decided(mass=mass[i], chi=chi[i], noise=noise[i]), None)
        for name, rows in (("u", start.u), ("a", start.a), ("z", start.z), ("stored", start.stored)):
            rows = np.broadcast_to(rows, (len(rows), len(mass)))
            np.testing.assert_array_equal(rows[:, i], getattr(alone, name)[:, 0])
    assert ("light" in many.observables()) == bool((mass < 2).all())


def test_a_state_given_once_is_completed_for_each_path():
    """One Γ for all, a configuration for each."""
    mass = np.array([0.5, 1.0, 2.0])
    many = Decided(mass=PerPath(mass)).simulate(**SETTINGS, state={"Gamma": (0, 0.6, 0.8), "Omega": (1, 2, 3)})
    for i, m in enumerate(mass):
        alone = Decided(mass=m).simulate(**SETTINGS, paths=3, state={"Gamma": (0, 0.6, 0.8), "Omega": (1, 2, 3)})
        for name in ("g", "q", "M", "xi1"):
            np.testing.assert_array_equal(many[name][i], alone[name][i])


OWN = {
    "routh-sphere": {"offset": [0.1, 0.3]}, "rattleback": {"mass": [1.0, 2.0]}, "falling-disc": {"radius": [0.5, 0.7]},
    "turntable-ball": {"radius": [1.0, 2.0]}, "tippe-top": {"radius": [0.02, 0.03]}, "spherical-robot": {"radius": [0.5, 0.7]},
    "slipping-ball": {"radius": [1.0, 2.0]},
}  # fmt: skip


def test_all_systems_of_the_library_with_a_configuration_of_their_own_are_here():
    own = {
        type(sd.load(name)).__name__ for name in sd.plugins.available()
        if type(sd.load(name)).configuration is not sd.System.configuration
    }  # fmt: skip
    assert own == {type(sd.load(name)).__name__ for name in OWN}


@pytest.mark.parametrize("name", OWN)
def test_configurations_of_the_library_are_those_of_each_path(name):
    ((parameter, values),) = OWN[name].items()
    start = InitialState.of(sd.load(name, **{parameter: PerPath(values)}), None)
    for i, value in enumerate(values):
        alone = InitialState.of(sd.load(name, **{parameter: value}), None)
        for part in ("u", "a", "stored"):
            rows = getattr(start, part)
            np.testing.assert_array_equal(np.broadcast_to(rows, (len(rows), 2))[:, i], getattr(alone, part)[:, 0])


def test_conditions_are_asked_of_each_path():
    with pytest.raises(InputError, match="mass: expected at most 3"):
        Decided(mass=PerPath([1.0, 4.0]))
    assert Decided(mass=PerPath([1.0, 3.0])).workings.paths == 2
    with pytest.raises(DefinitionError, match=r"different numbers of paths: expected one number, got \[1, 2\]"):
        Decided(mass=PerPath([1.0, 2.0]), chi=PerPath([(0, 0, 1)])).workings.paths  # noqa: B018


USES = [
    lambda p: p + 1, lambda p: 1 - p, lambda p: 2.0 * p, lambda p: p / 2, lambda p: 1 / p, lambda p: p**2, lambda p: -p,
    lambda p: abs(p), lambda p: p > 1, lambda p: p == 1, lambda p: p != 1, lambda p: float(p), lambda p: int(p),
    lambda p: bool(p), lambda p: p[0], lambda p: len(p), lambda p: list(p), lambda p: np.ones(2) * p, lambda p: np.sin(p),
    lambda p: np.ones(2) @ p, lambda p: np.asarray(p), lambda p: np.linalg.norm(p), lambda p: np.ones(2) > p,
    lambda p: ops.dot(p, p), lambda p: ops.sin(p),
]  # fmt: skip


@pytest.mark.parametrize("use", USES)
def test_values_per_path_are_no_number(use):
    """Nothing computes with them silently: a comparison is not False, and no array of objects comes out."""
    with pytest.raises(PerPathError, match=r"sd\.by_path gives its values, paths first"):
        use(PerPath(np.array([1.0, 2.0])))


def test_two_of_them_compare():
    assert PerPath(np.ones(2)) == PerPath(np.ones(2))
    assert PerPath(np.ones(2)) != PerPath(np.zeros(2))


@pytest.mark.parametrize("method", ["evaluate", "linearise"])
def test_one_state_needs_one_set_of_parameters(method):
    with pytest.raises(InputError, match="works at one state: got parameters per path"):
        getattr(Decided(mass=PerPath([1.0, 2.0])), method)()
    with pytest.raises(InputError, match="works at one state: got a state of 2 paths"):
        getattr(Decided(), method)({"Omega": np.ones((2, 3))})
    for t in ("a", 1j, [1, 2], np.nan):
        with pytest.raises(InputError, match="t: expected a finite time"):
            getattr(Decided(), method)(t=t)


def test_fields_at_a_state_vector():
    many = Decided(mass=PerPath([1.0, 2.0]))
    d = many.workings.model().dimension
    y = np.linspace(0.1, 1, d)
    assert many.drift(y).shape == many.drift(np.stack([y, y], axis=1)).shape == (d, 2)
    for i, m in enumerate((1.0, 2.0)):
        np.testing.assert_array_equal(many.drift(y)[:, i], Decided(mass=m).drift(y))
        np.testing.assert_array_equal(many.diffusion(y)[:, :, i], Decided(mass=m).diffusion(y))
    for bad in (y[:2], np.ones((d, 3)), np.ones((2, d)), "a", {"Omega": 1}, np.ones((d, 2, 2)), None):
        for field in (many.drift, many.diffusion):
            with pytest.raises(InputError, match="a state vector: expected"):
                field(bad)
