"""The configuration of a state: factor by factor, in closed form where vectors turn, once for a state, only where it is used."""

import copy

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError
from semidirect.groups.motions.best import best_rotations, smallest_rotations
from semidirect.state.configuration import distances_from_orbit, nearest_configurations
from semidirect.state.orbit import pieces
from semidirect.state.state import InitialState

SPACE = sd.SO3()
numbers = st.floats(-2, 2, allow_nan=False).map(lambda x: round(x, 3))
vectors = st.tuples(numbers, numbers, numbers).map(np.array)
directions = vectors.filter(lambda v: np.linalg.norm(v) > 1e-2)


# -- closed forms ----------------------------------------------------------------------------------------------------


@given(st.lists(directions, min_size=1, max_size=4), st.lists(vectors, min_size=1, max_size=3))
def test_vectors_of_a_rotation_are_reached(references, turns):
    """One vector, parallel ones, two, three and more: gᵀrᵢ are the values."""
    references = np.array(references)
    g = SPACE.exp(np.array(turns))
    values = np.einsum("nji,kj->kin", g, references)
    found = best_rotations(references, values)
    SPACE.validate(np.moveaxis(found, -1, 0))
    reached = np.einsum("jin,kj->kin", found, references)
    np.testing.assert_allclose(reached, values, rtol=0, atol=2e-8)  # nearly parallel references: their rest is ignored
    if len(references) == 1:
        np.testing.assert_allclose(reached, values, rtol=0, atol=1e-14)  # measured 2e-15


@given(directions, directions)
def test_one_vector_is_turned_by_the_smallest_angle(reference, value):
    value = value * np.linalg.norm(reference) / np.linalg.norm(value)
    g = best_rotations(reference[None], value[None, :, None])[:, :, 0]
    cosine = reference @ value / (reference @ reference)
    assert (np.trace(g) - 1) / 2 == pytest.approx(cosine, abs=1e-13)  # measured 5e-15


@given(st.lists(directions, min_size=2, max_size=3), st.lists(vectors, min_size=3, max_size=3), vectors)
def test_vectors_that_no_rotation_gives_are_met_as_well_as_by_any_rotation(references, values, other):
    references, values = np.array(references), np.array(values)[: len(references)]

    def miss(g):
        return np.linalg.norm(references @ g - values)

    found = best_rotations(references, values[:, :, None])[:, :, 0]
    around = [np.eye(3), SPACE.exp(other), *(found @ SPACE.exp(1e-3 * e) for e in (*np.eye(3), *-np.eye(3)))]
    assert all(miss(found) <= miss(g) + 1e-8 for g in around)


@pytest.mark.parametrize("z", [1.0, -1.0])
def test_poles_and_nothing(z):
    poles = np.array([[0.0], [0.0], [z]])
    np.testing.assert_array_equal(smallest_rotations(poles)[:, :, 0], np.diag([1.0, z, z]))
    nowhere = best_rotations(np.array([[0.0, 0.6, 0.8]]), np.zeros((1, 3, 1)))[:, :, 0]
    np.testing.assert_allclose(nowhere, np.eye(3), rtol=0, atol=1e-15)


# -- factor by factor ------------------------------------------------------------------------------------------------


def product(count):
    """Spaces, each with a vertical of its own, the first with another vector, and a plane with a direction."""
    names = [f"b{n}" for n in range(count)]
    group = sd.DirectProduct(*(sd.SO3() for _ in names), sd.SE2(), names=[*names, "p"])
    vector = sd.VectorRepresentation(sd.SO3())
    turned = {n: sd.Pullback(vector, group, f"{n}_Omega") for n in names}
    advected = {f"{n}_Gamma": sd.Advected(turned[n], (0, 0, 1)) for n in names}
    return group, {**advected, "b0_E": sd.Advected(turned["b0"], (0.6, 0, 0.8))}


def of(group, advected, xi):
    """The values of a configuration, and it."""
    s = group.exp(np.asarray(xi))
    return np.concatenate([np.moveaxis(q.at(s), -1, 0) for q in advected.values()]).reshape(-1, 1), s


def refuse(*_, **__):
    raise AssertionError("a configuration was searched for")


@settings(max_examples=30)
@given(st.integers(1, 4), st.data())
def test_factors_are_found_one_by_one_and_verticals_in_closed_form(count, data):
    group, advected = product(count)
    xi = [data.draw(numbers) for _ in range(group.dimension)]
    a, _ = of(group, advected, xi)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scipy.optimize, "least_squares", refuse)
        s, error = nearest_configurations(group, pieces(group, advected), np.repeat(a, 3, axis=1))
        assert np.all(distances_from_orbit(pieces(group, advected), a) < 1e-13)
    group.validate(s)
    assert np.all(error < 1e-13)  # measured 1e-15
    assert sorted(len(p.indices) for p in pieces(group, advected)) == [3] * count
    np.testing.assert_array_equal(s[0], s[2])


def test_a_quantity_that_two_factors_move_joins_them():
    group = sd.DirectProduct(sd.SO3(), sd.SO3(), sd.SO3(), names=["a", "b", "c"])
    vector = sd.VectorRepresentation(sd.SO3())
    a, b, c = (sd.Pullback(vector, group, f"{n}_Omega") for n in "abc")
    together = sd.representations.DirectSum(a, b)
    advected = {"both": sd.Advected(together, (0, 0, 1, 1, 0, 0)), "alone": sd.Advected(c, (0, 0, 1))}
    assert sorted(p.indices for p in pieces(group, advected)) == [[0, 1, 2, 3, 4, 5], [6, 7, 8]]
    values, _ = of(group, advected, 0.3 * np.arange(9.0))
    s, error = nearest_configurations(group, pieces(group, advected), values)
    assert error[0] < 1e-9
    group.validate(s[0])


def test_a_constant_component_has_to_be_that_of_the_reference():
    group = sd.SE3()
    weight = sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega")
    point = sd.HomogeneousRepresentation(group)
    advected = {"Gamma": sd.Advected(weight, (0, 0, 1)), "o": sd.Advected(point, (0, 0, 0, 0))}
    a = np.array([[0.0], [0.6], [0.8], [0.0], [0.0], [0.0], [0.0]])
    assert nearest_configurations(group, pieces(group, advected), a)[1][0] < 1e-9
    a[-1] = 1
    assert nearest_configurations(group, pieces(group, advected), a)[1][0] == pytest.approx(1)
    assert distances_from_orbit(pieces(group, advected), a)[0] > 0.5


GROUPS = {
    "points and directions of space": (
        sd.SE3(),
        lambda g: {
            "Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), g, "Omega"), (0, 0, 1)),
            "b": sd.Advected(sd.HomogeneousRepresentation(g), (0, 0, 0, 1)),
        },
    ),
    "tensors": (
        sd.SO3(),
        lambda g: {
            "I": sd.Advected(sd.representations.SymmetricSquare(sd.VectorRepresentation(g)), (1, 0, 0, 2, 0, 3))
        },
    ),
    "points of the plane": (sd.SE2(), lambda g: {"b": sd.Advected(sd.HomogeneousRepresentation(g), (1, 0, 1))}),
}


@pytest.mark.parametrize("label", GROUPS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_orbit_is_known_without_a_search(label, data):
    """Values of a configuration are on it, those of another length are not."""
    group, quantities = GROUPS[label]
    advected = quantities(group)
    a, _ = of(group, advected, [data.draw(numbers) for _ in range(group.dimension)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scipy.optimize, "least_squares", refuse)
        assert distances_from_orbit(pieces(group, advected), a)[0] < 1e-12  # measured 1e-14
        count = next(iter(advected.values())).dimension
        a[:count] *= 1.5  # another length, trace or weight
        assert distances_from_orbit(pieces(group, advected), a)[0] > 0.1


# -- once, and only where it is used ---------------------------------------------------------------------------------


class Counted(sd.System):
    """A body with a vertical and a point of space, whose configuration has to be searched for."""

    weight = sd.parameter(1.0)
    group = sd.SE3()
    advected = {
        "Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), (0, 0, 1)),
        "b": sd.Advected(sd.HomogeneousRepresentation(group), (0, 0, 0, 1)),
    }
    initial = {"Omega": (0.3, -0.4, 1.0), "Y": (0.1, 0, 0), "Gamma": (0.0, 0.6, 0.8), "b": (0.3, 0.1, -0.2, 1.0)}

    def lagrangian(self, xi, a):
        return (ops.dot(xi.Omega, xi.Omega) + ops.dot(xi.Y, xi.Y)) / 2 - self.weight * a.Gamma[2]


def searches(monkeypatch):
    """A list that grows with each search."""
    found, search = [], scipy.optimize.least_squares

    def counted(*args, **how):
        found.append(args)
        return search(*args, **how)

    monkeypatch.setattr(scipy.optimize, "least_squares", counted)
    return found


def test_a_state_is_searched_for_once(monkeypatch):
    found = searches(monkeypatch)
    state = {"Gamma": (0.48, 0.6, 0.64)}
    first = Counted().simulate(t_end=0.02, dt=0.01, state=state)
    count = len(found)
    assert count
    system = Counted()  # another object with the same values
    again = [system.simulate(t_end=0.02, dt=0.01, state=state, seed=n) for n in range(2)]
    assert len(found) == count
    assert all(run["g"].tobytes() == first["g"].tobytes() for run in again)
    system.simulate(t_end=0.02, dt=0.01, state={"Gamma": (0.48, 0.64, 0.6)})
    assert len(found) > count


def test_without_reconstruction_nothing_is_searched_for(monkeypatch):
    monkeypatch.setattr(scipy.optimize, "least_squares", refuse)
    system = Counted(weight=2.0)
    monkeypatch.setattr(Counted, "configuration", refuse)
    run = system.simulate(t_end=0.02, dt=0.01, formulation=sd.Formulation(reconstruct=False))
    assert not {"g", "x"} & set(run.config["state"])
    assert run.config["state"]["Gamma"] == [0.0, 0.6, 0.8]
    many = system.simulate(
        t_end=0.02,
        dt=0.01,
        formulation=sd.Formulation(reconstruct=False),
        state={"Gamma": [(0, 0.6, 0.8), (0, 0, 1), (0, 1, 0)]},
    )
    assert many.paths == 3
    system.linearise()
    for wrong in ({"Gamma": (0, 0.6, 0.9)}, {"b": (0, 0, 0, 2)}, {"Gamma": [(0, 0, 1), (0.1, 0, 1)]}):
        with pytest.raises(InputError, match="do not belong to any configuration"):
            system.simulate(t_end=0.02, dt=0.01, formulation=sd.Formulation(reconstruct=False), state=wrong)
        system.simulate(
            t_end=0.02,
            dt=0.01,
            formulation=sd.Formulation(reconstruct=False),
            state=wrong,
            checks=sd.Checks(validate=False),
        )


def test_the_reduced_run_is_that_part_of_the_whole():
    whole, part = (
        Counted().simulate(
            t_end=0.1, dt=0.01, formulation=sd.Formulation(reconstruct=r), execution=sd.Execution(engine="numpy")
        )
        for r in (True, False)
    )
    for name in part:
        assert part[name].tobytes() == whole[name].tobytes()


def test_what_is_remembered_of_a_state_cannot_be_changed_from_outside():
    system = sd.load("heavy-top")
    state = {"Gamma": np.array([0.0, 0.6, 0.8])}
    first = system.simulate(t_end=0.02, dt=0.01, state=state)
    expected = copy.deepcopy(dict(first.config)["state"])
    first.config["state"]["Gamma"][0] = 7.0
    second = system.simulate(t_end=0.02, dt=0.01, state=state)
    assert second.config["state"] == expected
    state["Gamma"][:] = (0.6, 0.0, 0.8)
    third = system.simulate(t_end=0.02, dt=0.01, state=state)
    assert third["Gamma"][0, 0].tolist() == [0.6, 0.0, 0.8]
    start = InitialState.of(system, {"Omega": (1, 2, 3)})
    with pytest.raises(ValueError, match="read-only"):
        start.u[0] = 1
    assert InitialState.of(system, {"Omega": (1, 2, 4)}).u[2] == 4


def test_a_recommendation_that_changes_is_followed():
    class Body(sd.System):
        group = sd.SO3()
        initial = {"Omega": (1.0, 0.0, 0.0)}

        def lagrangian(self, xi):
            return ops.dot(xi.Omega, xi.Omega) / 2

    body = Body()
    assert InitialState.of(body, None).u[:, 0].tolist() == [1, 0, 0]
    Body.initial = {"Omega": (0.0, 1.0, 0.0)}
    assert InitialState.of(body, None).u[:, 0].tolist() == [0, 1, 0]
