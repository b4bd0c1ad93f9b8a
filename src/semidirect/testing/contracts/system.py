"""What every system must satisfy."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from semidirect.core import ops
from semidirect.definition.observables import PROVABLE
from semidirect.definition.plugins import Loaded
from semidirect.invariants.space_symmetries import stabiliser, undisturbed
from semidirect.laws.budget import budget
from semidirect.laws.derivations import Derivations, exact_definition
from semidirect.laws.derived_columns import DerivedColumns
from semidirect.laws.exact_numbers import constants, derivatives, same
from semidirect.laws.laws import contact_rates, has_contact, locked_inertia
from semidirect.laws.symbolic_numeric_consistency import SymbolicNumericConsistency
from semidirect.laws.system_variants import structures, variants
from semidirect.state.evaluate import numbers
from semidirect.system import System
from semidirect.testing.contracts.regular import regular
from semidirect.testing.dynamics import assert_equivariant
from semidirect.testing.state_strategies import orbit_states, states
from semidirect.testing.tested_class import made_by

EXACT, FLOATS = budget(0.05, shrink=False), budget(0.1)

LIVES = 1e-12
"""Relative. Measured over our plugins and 1000 examples: 7e-15."""


def system_contract(target: Loaded, /, **choices: Any) -> type:
    """A pytest class that tests a system; assign it to a name that starts with ``Test``.

    Parameters
    ----------
    target : subclass of System, or Preset
        What to test.
    choices
        Parameters and options that differ from its defaults.

    Returns
    -------
    type
        Tests, in exact numbers wherever the system allows it: both principles and the theorem in numbers give the same
        equations in every form; the energy law, and reactions that do no work; the definition says the same to symbols and to
        numbers, at the defaults, at the bounds of each parameter and at 0; a positive inertia; advected quantities and contact
        that follow the configuration; symmetries of space that keep their momentum and carry paths to paths; observables that
        are finite, and conserved where they are declared ``exact`` or ``drifts``; equations that print, and a short run.
    """
    made_by(target, "system_contract")
    system = cast("System", target(**choices))
    kinds, cases = structures(system), variants(system)
    exact = [name for name, o in system.observables().items() if o.status in PROVABLE]

    class SystemContract:
        """The laws of the theorem, and what a definition promises."""

        @pytest.mark.parametrize("kind", kinds)
        @EXACT
        @given(data=st.data())
        def test_principles_and_forms_give_the_same_equations(self, kind, data):
            equations = _derivations(kinds[kind])
            state = data.draw(orbit_states(equations.theorem.definition))
            with regular():
                differences = equations.differences(state)
            assert differences == []

        @pytest.mark.parametrize("kind", kinds)
        @EXACT
        @given(data=st.data())
        def test_energy_law(self, kind, data):
            equations = _derivations(kinds[kind])
            state = data.draw(orbit_states(equations.theorem.definition))
            with regular():
                differences = equations.energy_differences(state) + equations.power_differences(state)
            assert differences == []

        @pytest.mark.parametrize("label", cases)
        @FLOATS
        @given(data=st.data())
        def test_symbols_and_numbers_get_the_same_answers(self, label, data):
            state = data.draw(states(cases[label]))
            for name, symbolic, numeric in _lives(cases[label]).at(state):
                assume(name != "lagrangian" or np.isfinite(symbolic[0]) or np.isfinite(numeric[0]))
                np.testing.assert_allclose(
                    numeric, symbolic, rtol=LIVES, atol=LIVES, err_msg=f"{name}: numbers, symbols"
                )

        @EXACT
        @given(state=orbit_states(exact_definition(system)))
        def test_inertia_is_positive_on_admissible_velocities(self, state):
            equations = _derivations(system)
            with regular():
                locked = locked_inertia(equations.theorem, equations.point(state))
            assert np.min(np.linalg.eigvalsh(locked)) > 0

        @EXACT
        @given(state=orbit_states(exact_definition(system)))
        def test_advected_quantities_follow_the_configuration(self, state):
            definition, columns = exact_definition(system), _columns(system)

            def advected(stored: Any) -> list[Any]:
                element = definition.group.element(ops.stack(stored))
                return [x for q in definition.advected.values() for x in q.at_entries(element)]

            value, jacobian = derivatives(advected, constants(state.stored))
            assert all(same(x, y) for x, y in zip(value, state.a, strict=True))
            equations = _derivations(system)
            a = slice(len(columns.sde.state) - len(state.a) - len(state.z), len(columns.sde.state) - len(state.z))
            with regular():
                found = columns(equations.inputs(columns.sde, state))
            for column in found:
                moved = jacobian @ column["coordinates"] if len(value) else []
                assert all(same(x, y) for x, y in zip(moved, column["state"][a], strict=True))

        @FLOATS
        @given(state=states(system))
        def test_observables_are_finite(self, state):
            found = system.evaluate(state)
            assume(np.all(np.isfinite(list(numbers(found["drift"])))))  # a disc that lies flat
            rows = [x for o in found["observables"].values() for x in numbers(o)]
            assert np.all(np.isfinite(rows))

        def test_momenta_of_symmetries_of_space_are_constant(self):
            momenta, why = undisturbed(system)
            assert momenta or why
            for symmetry in momenta:
                proof = symmetry.proof(system)
                assert proof.holds, f"the momentum of {symmetry.name}: {proof}"

        def test_recommended_state(self):
            found = system.evaluate()
            assert np.all(np.isfinite(list(numbers(found["drift"])) + list(numbers(found["noise"]))))
            for name, value in system.initial.items():
                np.testing.assert_allclose(found["state"][name], value, rtol=1e-15)

        def test_equations_can_be_read(self):
            for form in ("stratonovich", "ito"):
                lines, latex = str(system.equations(form)).splitlines(), system.equations(form).latex()
                assert sum(line.lstrip().startswith("d") for line in lines) >= len(system.sde().variables)
                assert latex.count("{") == latex.count("}") > 0

        def test_a_short_run(self):
            run = system.simulate(t_end=2**-5, dt=2**-7, paths=3, seed=1, threads=1)
            assert np.all(run.status == 0)
            again = system.simulate(t_end=2**-5, dt=2**-7, paths=2, seed=1, threads=1)
            for name, values in again.data.items():
                assert np.all(np.isfinite(values))
                assert np.array_equal(run.data[name][:2], values)

    if stabiliser(system.definition()):

        def test_symmetries_of_space_carry_paths_to_paths(self: Any) -> None:
            assert assert_equivariant(system, dt=2.0**-10) > 0

        SystemContract.test_symmetries_of_space_carry_paths_to_paths = (  # type: ignore[attr-defined]
            test_symmetries_of_space_carry_paths_to_paths
        )
    if exact:

        @pytest.mark.parametrize("name", exact)
        @EXACT
        @given(state=orbit_states(exact_definition(system)))
        def test_exact_observables_are_conserved(self, name, state):
            equations, columns = _derivations(system), _columns(system)
            with regular():
                found = columns(equations.inputs(columns.sde, equations.admissible(state)))
            for k, column in enumerate(found):
                assert all(same(rate, 0) for rate in column[f"d_{name}"]), f"column {k}: {column[f'd_{name}']}"

        SystemContract.test_exact_observables_are_conserved = test_exact_observables_are_conserved  # type: ignore[attr-defined]
    if has_contact(system.definition()):

        @EXACT
        @given(state=orbit_states(exact_definition(system)))
        def test_contact_is_kept(self, state):
            equations = _derivations(system)
            with regular():
                rates = contact_rates(equations.theorem, equations.point(state))
            assert all(same(x, 0) for x in rates)

        SystemContract.test_contact_is_kept = test_contact_is_kept  # type: ignore[attr-defined]
    return SystemContract


# -- what the tests compute ----------------------------------------------------------------------------------------


@cache
def _derivations(system: System) -> Derivations:
    return Derivations.of(system)


@cache
def _lives(system: System) -> SymbolicNumericConsistency:
    return SymbolicNumericConsistency(system)


@cache
def _columns(system: System) -> DerivedColumns:
    """The equations in velocities, with all observables."""
    sde = system.sde(variables="velocity")
    return DerivedColumns(sde, {name: system.expression(o, sde) for name, o in system.observables().items()})
