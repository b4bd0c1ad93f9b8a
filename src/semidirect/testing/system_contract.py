"""What every system must satisfy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from semidirect import ops
from semidirect.blocks import Blocks
from semidirect.calling import call
from semidirect.constraints import Rolling
from semidirect.errors import InputError
from semidirect.parameters import PerPath
from semidirect.plugins import Loaded
from semidirect.system import System
from semidirect.testing.budget import budget
from semidirect.testing.derivations import Derivations, exact_definition
from semidirect.testing.derived_columns import DerivedColumns
from semidirect.testing.exact_numbers import constants, derivatives, plain_array, same
from semidirect.testing.lives import TwoLives
from semidirect.testing.state_strategies import orbit_states, states
from semidirect.testing.theorem import Point, Theorem

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
        equations in every form; the energy law; the definition says the same to symbols and to numbers, at the defaults, at the
        bounds of each parameter and at 0; a positive inertia; advected quantities and contact that follow the configuration;
        observables that are finite, and conserved where they are declared ``exact``; equations that print, and a short run.
    """
    system = target(**choices)
    kinds, cases = structures(system), variants(system)
    rolling = isinstance(system.definition().constraint, Rolling) and "Gamma" in system.definition().advected
    exact = [name for name, o in system.observables().items() if o.status == "exact"]

    class SystemContract:
        """The laws of the theorem, and what a definition promises."""

        @pytest.mark.parametrize("kind", kinds)
        @EXACT
        @given(data=st.data())
        def test_principles_and_forms_give_the_same_equations(self, kind, data):
            equations = _derivations(kinds[kind])
            state = data.draw(orbit_states(equations.theorem.definition))
            with _regular():
                differences = equations.differences(state)
            assert differences == []

        @pytest.mark.parametrize("kind", kinds)
        @EXACT
        @given(data=st.data())
        def test_energy_law(self, kind, data):
            equations = _derivations(kinds[kind])
            state = data.draw(orbit_states(equations.theorem.definition))
            with _regular():
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
            with _regular():
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
            with _regular():
                found = columns(equations.inputs(columns.sde, state))
            for column in found:
                moved = jacobian @ column["coordinates"] if len(value) else []
                assert all(same(x, y) for x, y in zip(moved, column["state"][a], strict=True))

        @FLOATS
        @given(state=states(system))
        def test_observables_are_finite(self, state):
            found = system.evaluate(state)
            assume(np.all(np.isfinite(list(_numbers(found["drift"])))))  # a disc that lies flat
            rows = [x for o in found["observables"].values() for x in _numbers(o)]
            assert np.all(np.isfinite(rows))

        def test_recommended_state(self):
            found = system.evaluate()
            assert np.all(np.isfinite(list(_numbers(found["drift"])) + list(_numbers(found["noise"]))))
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

    if exact:

        @pytest.mark.parametrize("name", exact)
        @EXACT
        @given(state=orbit_states(exact_definition(system)))
        def test_exact_observables_are_conserved(self, name, state):
            equations, columns = _derivations(system), _columns(system)
            with _regular():
                found = columns(equations.inputs(columns.sde, equations.admissible(state)))
            for k, column in enumerate(found):
                assert all(same(rate, 0) for rate in column[f"d_{name}"]), f"column {k}: {column[f'd_{name}']}"

        SystemContract.test_exact_observables_are_conserved = test_exact_observables_are_conserved  # type: ignore[attr-defined]
    if rolling:

        @EXACT
        @given(state=orbit_states(exact_definition(system)))
        def test_contact_is_kept(self, state):
            equations = _derivations(system)
            with _regular():
                rates = contact_rates(equations.theorem, equations.point(state))
            assert all(same(x, 0) for x in rates)

        SystemContract.test_contact_is_kept = test_contact_is_kept  # type: ignore[attr-defined]
    return SystemContract


# -- variants of a system ------------------------------------------------------------------------------------------


def structures(system: System) -> dict[str, System]:
    """The system, and with each other value of each option, by a label."""
    found = {"default": system}
    for name, option in type(system).options().items():
        choices = (True, False) if isinstance(option.default, bool) else option.choices
        for choice in choices:
            if choice != system.choices[name]:
                found[f"{name}={choice}"] = system.replace(**{name: choice})
    return found


def variants(system: System) -> dict[str, System]:
    """The structures, and each parameter at 0, near 0, at its bounds and along axes, wherever that is allowed."""
    found = structures(system)
    for name, value in system.values.items():
        if isinstance(value, PerPath):
            continue
        for label, candidate in _candidates(value, system.parameters()[name].shapes):
            try:
                variant = system.replace(**{name: candidate})
            except InputError:
                continue
            if variant.signature == system.signature and np.array_equal(candidate, value):
                continue
            found[f"{name}={label}"] = variant
    return found


def _candidates(value: np.ndarray, shapes: Sequence[tuple[int | None, ...]]) -> Iterator[tuple[str, Any]]:
    shape = value.shape
    yield "0", np.zeros(shape)
    yield "1", np.ones(shape)
    yield "1e-6", np.full(shape, 1e-6)
    if len(shape) == 1 and shape[0]:
        for i in range(shape[0]):
            yield f"e{i + 1}", np.eye(shape[0])[i]
        yield "1,…,1,2", np.array([1.0] * (shape[0] - 1) + [2.0])
    for other in shapes:
        if None in other:
            for rows in (0, 2):
                whole = [rows if s is None else s for s in other]
                yield f"{rows} rows", np.linspace(-0.3, 0.7, int(np.prod(whole))).reshape(whole)
        elif len(other) == 2 and other != shape:
            yield "a matrix", 0.1 + np.diag(np.linspace(2.0, 1.5, int(other[0] or 0)))


# -- what the tests compute ----------------------------------------------------------------------------------------


@cache
def _derivations(system: System) -> Derivations:
    return Derivations.of(system)


@cache
def _lives(system: System) -> TwoLives:
    return TwoLives(system)


@cache
def _columns(system: System) -> DerivedColumns:
    """The equations in velocities, with all observables."""
    sde = system.sde(variables="velocity")
    return DerivedColumns(sde, {name: system.expression(o, sde) for name, o in system.observables().items()})


@contextmanager
def _regular() -> Iterator[None]:
    """Leave out states where a definition divides by 0 or is not real, such as a disc that lies flat."""
    try:
        yield
    except ArithmeticError:
        reject()


def locked_inertia(theorem: Theorem, point: Point) -> np.ndarray:
    """BᵀHB, or H on a basis of ker A where there are covectors only; floats."""
    H = theorem.hessian(point)
    found = theorem.distribution(point)
    if found is not None:
        return plain_array(found[0].T @ H @ found[0]).astype(float)
    covectors = theorem.annihilator(point)
    assert covectors is not None
    A = plain_array(covectors[0]).astype(float)
    _, singular, rows = np.linalg.svd(A)
    assert np.min(singular) > 1e-9 * np.max(singular), f"the covectors are dependent: singular values {singular}"
    kernel = rows[len(A) :]
    return kernel @ plain_array(H).astype(float) @ kernel.T


def contact_rates(theorem: Theorem, point: Point) -> list[Any]:
    """What must vanish for a body to stay on its plane: Γ·ds along each transport, and Γ·(v_Y − v_Ω × s) of each transport.

    The first keeps x₃ − s·Γ: a contact vector belongs to a surface. The second says that no field lifts the contact.
    """
    definition = theorem.definition
    rolling, group, names = definition.constraint, definition.group, definition.advected_layout
    assert isinstance(rolling, Rolling)

    def contact(a: Any) -> Any:
        blocks = Blocks.split(ops.stack(a), names)
        z = Blocks.split(constants(point.z), definition.internal_layout)
        return call(rolling.contact, a=blocks, t=constants(point.t), z=z)

    s, s_a = derivatives(contact, point.a)
    gamma = np.array(point.a, dtype=object)[names["Gamma"]]
    out = []
    for column in theorem.columns(point, u=point.xi[group.blocks[rolling.angular]]):
        turn, shift = column.v[group.blocks[rolling.angular]], column.v[group.blocks[rolling.linear]]
        out += [gamma @ (s_a @ column.da), gamma @ (shift - ops.cross(turn, s))]
    return out


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _numbers(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _numbers(part)
    else:
        yield value
