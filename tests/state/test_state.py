"""Initial states: completed from what is given, checked, and refused with the way out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.core.errors import InputError, NotOnGroupError, UnknownNameError
from semidirect.state.state import InitialState

BALL = sd.load("rolling-ball", axis=(0.36, -0.48, 0.8))
TOP = sd.load("heavy-top")
DISK = sd.load("rolling-disk")
components = st.floats(-1, 1)
directions = st.tuples(components, components, components).filter(lambda v: np.linalg.norm(v) > 0.1)


def unit(v):
    return np.asarray(v) / np.linalg.norm(v)


def matrix(start):
    """g of the first path, (3, 3)."""
    return start.stored[:9, 0].reshape(3, 3)


def test_recommended_state():
    start = InitialState.of(BALL, None)
    assert start.paths == 1
    np.testing.assert_array_equal(start.u[:, 0], BALL.initial["Omega"])
    np.testing.assert_array_equal(start.a[:, 0], BALL.initial["Gamma"])
    assert start.named["Omega"] == list(BALL.initial["Omega"])
    assert set(start.named) == {"Omega", "Gamma", "g", "x"}


@pytest.mark.parametrize("system", [BALL, TOP], ids=["ball", "top"])
@given(v=directions)
def test_a_vertical_gives_the_smallest_rotation(system, v):
    """gᵀe₃ = Γ, and g turns about a horizontal axis: its (1, 2) and (2, 1) entries are equal."""
    Gamma = unit(v)
    g = matrix(InitialState.of(system, {"Gamma": Gamma}))
    np.testing.assert_allclose(g[2], Gamma, rtol=0, atol=1e-15)  # measured 2e-16
    np.testing.assert_allclose(g @ g.T, np.eye(3), rtol=0, atol=1e-14)  # measured 9e-16
    assert g[0, 1] == g[1, 0]


def test_the_vertical_upside_down_is_a_half_turn_about_the_first_axis():
    np.testing.assert_array_equal(matrix(InitialState.of(BALL, {"Gamma": (0, 0, -1)})), np.diag([1, -1, -1]))


def test_the_geometric_centre_starts_at_the_origin():
    run = BALL.simulate(t_end=1, dt=1, state={"Gamma": (0.6, 0, 0.8)}, save=[0])
    np.testing.assert_allclose(run["geometric-centre"][0, 0], 0, atol=1e-16)


@given(v=directions, b=st.tuples(components, components, components))
def test_a_point_of_the_body_is_put_at_the_origin(v, b):
    s = sd.groups.minimal_motion(v, b)
    np.testing.assert_array_equal(s[:3, :3], sd.groups.minimal_rotation(v))
    np.testing.assert_allclose(s @ [*b, 1], [0, 0, 0, 1], rtol=0, atol=1e-15)  # measured 1.2e-16
    assert not np.signbit(sd.groups.minimal_motion(v)[:3, 3]).any()


@given(v=directions)
def test_momenta_are_velocities(v):
    M = InitialState.of(BALL, {"Omega": v}).vector(BALL.workings.model(), 0.0)[:3, 0]
    back = InitialState.of(BALL, {"M": M})
    np.testing.assert_allclose(back.u[:, 0], v, rtol=0, atol=1e-14)  # measured 3e-16


def test_the_configuration_gives_the_vertical():
    g = sd.SO3().exp([0.3, -0.2, 0.5])
    start = InitialState.of(TOP, {"g": g})
    np.testing.assert_allclose(start.a[:, 0], g[2], rtol=0, atol=1e-16)
    for given_g in (g.ravel(), [g], [g.ravel()]):
        np.testing.assert_array_equal(InitialState.of(TOP, {"g": given_g}).stored, start.stored)


def test_part_of_a_configuration_wins_over_what_is_recommended():
    """g alone moves the recommended Γ and the height of the centre with it; x alone leaves Γ as it is."""
    g = sd.SO3().exp([0.3, -0.2, 0.5])
    run = BALL.simulate(t_end=1, dt=1, state={"g": g}, save=[0])
    np.testing.assert_allclose(run["Gamma"][0, 0], g[2], rtol=0, atol=1e-16)
    np.testing.assert_allclose(run["g"][0, 0], g.ravel(), rtol=0, atol=0)
    np.testing.assert_allclose(run["geometric-centre"][0, 0, 2], 0, atol=1e-15)
    start = InitialState.of(BALL, {"x": (1, 2, 3)})
    np.testing.assert_array_equal(start.a[:, 0], BALL.initial["Gamma"])
    np.testing.assert_array_equal(start.stored[9:, 0], (1, 2, 3))


def test_coordinates_one_by_one():
    start = InitialState.of(DISK, {"theta": 40.0, "phi": 0.5, "x": 1.0})
    assert dict(zip(DISK.group.stored_names, start.stored[:, 0], strict=True)) == {
        "phi": 0.5,
        "x": 1,
        "y": 0,
        "theta": 40,
    }
    assert InitialState.of(TOP, {"g11": 1.0}, validate=False).paths == 1


def test_values_per_path():
    Omega = np.arange(12.0).reshape(4, 3)
    start = InitialState.of(BALL, {"Omega": Omega, "Gamma": [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0.6, 0, 0.8)]})
    assert start.paths == 4
    np.testing.assert_array_equal(start.u.T, Omega)
    assert start.named["Omega"] == start.named["Gamma"] == "per path"
    assert InitialState.of(DISK, {"omega": [1.0, 2.0]}).paths == 2
    assert InitialState.of(DISK, {"omega": [[1.0], [2.0]]}).paths == 2


def test_a_final_state_is_a_state():
    run = BALL.simulate(t_end=0.2, dt=0.1, paths=3)
    again = InitialState.of(BALL, run.final)
    np.testing.assert_allclose(again.u.T, run["Omega"][:, -1], rtol=0, atol=0)
    np.testing.assert_allclose(again.stored[9:].T, run["x"][:, -1], rtol=0, atol=0)


def test_unvalidated_states_may_be_off_the_orbit():
    for system in (BALL, TOP):
        start = InitialState.of(system, {"Gamma": (0, 1.2, 1.6)}, validate=False)
        np.testing.assert_array_equal(start.a[:, 0], (0, 1.2, 1.6))
        np.testing.assert_allclose(matrix(start)[2], (0, 0.6, 0.8), rtol=0, atol=1e-15)


class Volatile(sd.System):
    """Starts of internal states: a number, a parameter, and a recommendation that wins."""

    start = sd.parameter((0.3, 0.4))
    group = sd.SO3()
    initial = {"third": 5.0}

    def lagrangian(self, xi):
        return sd.ops.dot(xi.Omega, xi.Omega) / 2

    def internal(self):
        return [sd.InternalState("first", 0.25), sd.InternalState("second", self.start), sd.InternalState("third", 1.0)]


def test_internal_states():
    start = InitialState.of(Volatile(start=(1.5, 2.5)), None)
    np.testing.assert_array_equal(start.z[:, 0], (0.25, 1.5, 2.5, 5.0))
    np.testing.assert_array_equal(InitialState.of(Volatile(), {"second": (7, 8)}).z[:, 0], (0.25, 7, 8, 5))


class Level(sd.System):
    """Ω·Γ = 0 by its covector."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}

    def lagrangian(self, xi):
        return sd.ops.dot(xi.Omega, xi.Omega) / 2

    def constraint(self):
        return sd.CovectorConstraint(lambda a: [a.Gamma])


REFUSED = [
    (BALL, {"Omga": (1, 2, 3)}, UnknownNameError, ["unknown state variable of RollingBall 'Omga'", "Did you mean 'Omega'"]),
    (BALL, {"Y": (1, 2, 3)}, UnknownNameError, ["unknown state variable", "Omega, M, Gamma, g, x"]),
    (BALL, {"Omega": (1, 2)}, InputError, ["'Omega'", "expected shape (3,), or one per path", "got shape (2,)"]),
    (BALL, {"Omega": 1.0}, InputError, ["expected shape (3,)", "got shape ()"]),
    (BALL, {"Omega": "fast"}, InputError, ["'Omega'", "expected numbers", "got 'fast'"]),
    (BALL, {"Omega": [(1, 2, 3), (1, np.nan, 3)]}, InputError, ["finite numbers", "got nan", "path 1, component 1"]),
    (BALL, {"Gamma": (0, 0.6, 0.9)}, InputError, ["'Gamma'", "|Gamma| is 1.0816", "its reference has 1", "scaled: [0.0, 0.55"]),
    (BALL, {"Gamma": (0, 0, 0)}, InputError, ["a vector that is not zero", "[0.0, 0.0, 0.0]"]),
    (TOP, {"Gamma": (0, 0.6, 0.9)}, InputError, ["do not belong to any configuration", "must have length 1"]),
    (TOP, {"Gamma": (0, 0, 0)}, InputError, ["do not belong to any configuration"]),
    (BALL, {"M": (1, 2, 3), "Omega": (1, 2, 3)}, InputError, ["mixes velocities and momenta", "all of M or all of Omega"]),
    (DISK, {"p_omega": 1.0}, InputError, ["some momenta are missing", "p_omega, p_nu"]),
    (TOP, {"g": 2 * np.eye(3)}, NotOnGroupError, ["not on SO3", "residual"]),
    (TOP, {"g": np.eye(3), "Gamma": (0, 0.6, 0.8)}, InputError, ["does not belong to the configuration", "values of one"]),
    (BALL, {"Omega": np.ones((2, 3)), "Gamma": [(0, 0, 1)] * 3}, InputError, ["different numbers of paths", "2", "3"]),
    (BALL, [1, 2], InputError, ["a mapping of names to values"]),
    (Level(), {"Omega": (0, 0, 1), "Gamma": (0, 0.6, 0.8)}, InputError, ["does not satisfy the constraint", "0.8"]),
]  # fmt: skip


@pytest.mark.parametrize(("system", "state", "error", "parts"), REFUSED, ids=[p[3][0][:30] for p in REFUSED])
def test_refusals_say_what_to_do(system, state, error, parts):
    with pytest.raises(error) as caught:
        InitialState.of(system, state)
    for part in parts:
        assert part in str(caught.value)
