"""What every constraint must satisfy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from hypothesis import given

from semidirect.definition.constraints.stochastic_constraint import StochasticConstraint
from semidirect.definition.definition import Definition
from semidirect.equations.kinematics import setting
from semidirect.groups.lie_group import LieGroup
from semidirect.laws.budget import budget
from semidirect.laws.derivations import Derivations
from semidirect.laws.exact_numbers import derivatives, plain_array, same
from semidirect.laws.theorem import Point, Theorem
from semidirect.representations.advected import Advected
from semidirect.testing.contracts.regular import regular
from semidirect.testing.state_strategies import orbit_states

EXACT = budget(0.1)


def constraint_contract(constraint: StochasticConstraint, group: LieGroup, advected: Mapping[str, Advected] | None = None
                        ) -> type:  # fmt: skip
    """A pytest class that tests a constraint with its numbers; assign it to a name that starts with ``Test``.

    It is put on a particle of the group with l = ½ Σ (1 + i) ξ_i².

    Parameters
    ----------
    constraint : StochasticConstraint
    group : LieGroup
    advected : dict name → Advected, optional
        What it is a function of.

    Returns
    -------
    type
        Tests at exact states on the orbit: it says something; B and A have full rank; AB = 0 and Ac = b where there are both,
        and both forms give one motion; the coordinates are as many as the columns of B; every noise field is a vector of 𝔰;
        both principles agree; Aξ − b stays zero along all columns; the reaction does no work on admissible velocities.
    """

    def lagrangian(xi: Any) -> Any:
        return sum((1 + i) * x * x for i, x in enumerate(np.asarray(xi))) / 2

    definition = Definition(group, lagrangian, constraint, {} if advected is None else advected)
    theorem, states = Theorem(definition), orbit_states(definition)

    @cache
    def derivations() -> Derivations:
        return Derivations(definition)

    class ConstraintContract:
        """A constraint and its noise."""

        @EXACT
        @given(state=states)
        def test_it_has_full_rank(self, state):
            point = _point(theorem, definition, state)
            basis, covectors = theorem.distribution(point), theorem.annihilator(point)
            assert basis is not None or covectors is not None
            if basis is not None:
                B = plain_array(basis[0]).astype(float)
                assert B.shape == (group.dimension, sum(constraint.coordinates(group).values()))
                assert np.linalg.matrix_rank(B) == B.shape[1]
            if covectors is not None:
                A = plain_array(covectors[0]).astype(float)
                assert A.shape[1] == group.dimension
                assert np.linalg.matrix_rank(A) == len(A)

        @EXACT
        @given(state=states)
        def test_both_forms_say_the_same(self, state):
            point = _point(theorem, definition, state)
            basis, covectors = theorem.distribution(point), theorem.annihilator(point)
            if basis is None or covectors is None:
                assert ("A" in derivations().forms) != ("B" in derivations().forms)
                return
            (B, c, _), (A, b, _) = basis, covectors
            assert len(A) + B.shape[1] == group.dimension
            assert all(same(x, 0) for x in (A @ B).flat)
            assert all(same(x, 0) for x in A @ c - b)

        @EXACT
        @given(state=states)
        def test_noise_fields_are_vectors_of_the_algebra(self, state):
            fields = theorem.fields(_point(theorem, definition, state))
            assert all(field.shape == (group.dimension,) for field in fields)
            assert len(fields) <= next(iter(derivations().derived.values())).sde.wieners

        @EXACT
        @given(state=states)
        def test_principles_and_forms_agree(self, state):
            with regular():
                assert derivations().differences(state) == []

        @EXACT
        @given(state=states)
        def test_the_reaction_does_no_work(self, state):
            with regular():
                assert derivations().energy_differences(state) + derivations().power_differences(state) == []

    if "A" in _forms(definition):

        @EXACT
        @given(state=states)
        def test_the_residual_is_stationary(self: Any, state: Any) -> None:
            """A dξ + (DA)ξ − Db = 0 along every column, so that Aξ = b once is Aξ = b always."""
            with regular():
                residual_rates(derivations(), state)

        ConstraintContract.test_the_residual_is_stationary = test_the_residual_is_stationary  # type: ignore[attr-defined]
    return ConstraintContract


def _forms(definition: Definition) -> set[str]:
    s = setting(definition)
    return {name for name, part in (("A", s.annihilator), ("B", s.distribution)) if part is not None}


def residual_rates(derivations: Derivations, state: Any) -> None:
    """Assert that Aξ − b does not move along any column, in any form."""
    state = derivations.admissible(state)
    theorem, point = derivations.theorem, derivations.point(state)
    for form, columns in derivations.truth(state).items():
        if form == "P":
            continue
        n, k, m = theorem.n, len(point.a), len(point.z)

        def residual(q: Any, n: int = n, k: int = k, m: int = m) -> Any:
            found = theorem.annihilator(Point(q[:n], q[n : n + k], q[n + k : n + k + m], q[-1]))
            assert found is not None
            return found[0] @ np.array(q[:n], dtype=object) - found[1]

        _, jacobian = derivatives(residual, [*point.xi, *point.a, *point.z, point.t])
        for i, column in enumerate(columns):
            dxi = _velocity_rate(derivations, state, column, form, int(i == 0))
            rates = jacobian @ np.array([*dxi, *column.da, *column.dz, int(i == 0)], dtype=object)
            assert all(same(x, 0) for x in rates), f"{form} form, column {i}: {plain_array(rates)}"


def _velocity_rate(derivations: Derivations, state: Any, column: Any, form: str, time: int) -> Any:
    """dξ: as it is in A form, from ξ = Bu + c in B form."""
    if form == "A":
        return column.rates
    u, a = len(state.u), len(state.a)
    q = [*state.u, *state.a, *state.z, state.t]
    _, jacobian = derivatives(lambda q: derivations.theorem.velocity(q[:u], q[u : u + a], q[u + a : -1], q[-1]), q)
    return jacobian @ np.array([*column.rates, *column.da, *column.dz, time], dtype=object)


def _point(theorem: Theorem, definition: Definition, state: Any) -> Point:
    xi: Any = state.u
    if definition.constraint.coordinates(definition.group):
        xi = list(plain_array(theorem.velocity(state.u, state.a, state.z, state.t)))
    return Point(xi, state.a, state.z, state.t)
