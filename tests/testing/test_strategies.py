"""Strategies give what they promise, and shrink to the simplest of it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect.definition.parameters import check_inertia
from semidirect.testing import (
    changes_of_basis,
    definitions,
    exact_configuration,
    generic_state,
    groups,
    inertias,
    moments,
    noise_sets,
    orbit_states,
    rational_states,
    states,
    unit_vectors,
)
from semidirect.testing.laws.exact_points.numbers import constants, plain_array, same
from semidirect.testing.laws.sizes import budget
from semidirect.testing.symmetry_strategies import LISTED_GROUPS

PLUGINS = ["rolling-ball", "rolling-disk", "heavy-top"]


@given(moments())
def test_moments_are_those_of_a_body(found):
    check_inertia(np.array(found))


@given(inertias())
def test_inertias_are_those_of_a_body(found):
    check_inertia(found)
    assert found.shape in ((3,), (3, 3))
    assert sd.load("rigid-body", inertia=found).inertia.shape == found.shape


@given(unit_vectors(), noise_sets())
def test_directions_and_noises(axis, noise):
    ball = sd.load("rolling-ball", axis=axis / np.linalg.norm(axis), noise=noise)
    assert ball.noise.shape == (len(noise), 3)


@pytest.mark.parametrize("name", PLUGINS)
@budget(0.2)
@given(data=st.data())
def test_states_are_complete_and_valid(name, data):
    system = sd.load(name)
    state = data.draw(states(system))
    found = system.evaluate(state)["state"]
    assert all(np.array_equal(np.ravel(found[k]), np.ravel(v)) for k, v in state.items() if k in found)


@pytest.mark.parametrize("group", LISTED_GROUPS, ids=lambda g: g.name)
@budget(0.2)
@given(data=st.data())
def test_exact_configurations_are_on_the_group(group, data):
    turn = data.draw(
        st.lists(st.fractions(-2, 2, max_denominator=5), min_size=group.dimension, max_size=group.dimension)
    )
    element = plain_array(group.element(constants(exact_configuration(group, turn))))
    # 3e-16 relative is what turning sixty digits into floats costs.
    assert group.residual(element.astype(float)) <= 1e-13 * max(1.0, np.max(np.abs(element.astype(float)))) ** 2


@budget(0.3)
@given(st.data())
def test_states_on_the_orbit(data):
    """a = s⁻¹a₀, exactly; and anywhere else a is not bound to it."""
    definition = data.draw(definitions())
    state = data.draw(orbit_states(definition))
    element = definition.group.element(constants(state.stored))
    for name, part in definition.advected_layout.items():
        moved = definition.advected[name].at_entries(element)
        assert all(same(a, b) for a, b in zip(state.a[part], moved, strict=True))
    assert len(data.draw(rational_states(definition)).a) == len(state.a)
    assert generic_state(definition) == generic_state(definition)


@given(changes_of_basis(3))
def test_changes_of_basis_are_invertible_and_rational(change):
    assert all(isinstance(e, Fraction) for e in change.flat)
    assert abs(np.linalg.det(change.astype(float))) > 1e-3


def simplest(strategy, condition=lambda found: True):
    return find(
        strategy, condition, settings=settings(database=None, max_examples=60, phases=[Phase.generate, Phase.shrink])
    )


def test_they_shrink_to_the_simplest():
    assert np.array_equal(simplest(changes_of_basis(3)), np.eye(3))
    assert simplest(groups()) == LISTED_GROUPS[0]
    assert simplest(noise_sets()).shape == (0, 3)
    definition = simplest(definitions())
    assert isinstance(definition.constraint, sd.Unconstrained)
    assert not any(definition.lagrangian.quartic)
    state = simplest(rational_states(definition))
    assert {*state.u, *state.a, state.t} <= {0}
    forced = simplest(definitions(), lambda d: d.forces.drift is not None)
    assert forced.forces.noise is forced.forces.independent is None
