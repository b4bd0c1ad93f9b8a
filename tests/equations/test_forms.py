"""A form, B form and P form of one system say the same, exactly: fields, drift and each noise, and the reaction."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import semidirect as sd
from semidirect.equations.emission import evaluate_exact, exact_function
from semidirect.testing import Derivations, DerivedColumns, definitions, generic_state, orbit_states, rational_states
from semidirect.testing.laws.exact_points.numbers import FIELD, same
from semidirect.testing.laws.sizes import budget

HP = sd.equations.HamiltonPontryagin()
BALL = {
    "inertia": [[2.0, 0.1, 0.2], [0.1, 1.7, 0.05], [0.2, 0.05, 1.5]], "mass": 1.3, "radius": 0.7, "offset": 0.2,
    "axis": (0.36, -0.48, 0.8), "gravity": 9.81, "noise": [[0.2, 0.1, 0.15], [0.0, 0.3, -0.1]],
}  # fmt: skip
COUPLINGS = {
    f"{coupling}, {vertical} vertical noise": sd.load(
        "rolling-ball", **BALL, vertical_noise=[0.3], coupling=coupling, vertical=vertical
    )
    for coupling in ("variational", "printed")
    for vertical in ("formal", "varied")
}


@cache
def derived(name):
    """The equations of one of these."""
    return Derivations.of(COUPLINGS[name], [HP])


def columns(equations, form, state, quantities=None):
    derived = equations.derived[HP.name, form]
    if quantities:
        derived = DerivedColumns(derived.sde, quantities(derived.sde))
    return derived(equations.inputs(derived.sde, state))


def equal(left, right):
    return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))


def velocity(sde):
    return {"xi": sde.program.outputs["xi"], "P": sde.program.outputs["P"], "u": sde.program.outputs["u"]}


def assert_forms_agree(equations, state):
    a, b = (columns(equations, form, state, velocity) for form in ("A", "B"))
    n, m = equations.theorem.n, len(state.u)
    for of_covectors, of_basis in zip(a, b, strict=True):
        assert equal(of_covectors["state"][:n], of_basis["d_xi"])
        assert equal(of_covectors["state"][n:], of_basis["state"][m:])
        for name in ("reaction", "f", "v", "force", "d_p", "d_E", "coordinates"):
            assert equal(of_covectors[name], of_basis[name]), name
    if (HP.name, "P") in equations.derived:
        for of_momentum, of_basis in zip(columns(equations, "P", state, velocity), b, strict=True):
            assert equal(of_momentum["state"], [*of_basis["d_P"], *of_basis["state"][m:]])
            assert equal(of_momentum["d_u"], of_basis["state"][:m])
            for name in ("d_xi", "f", "v", "d_p", "d_E"):
                assert equal(of_momentum[name], of_basis[name]), name


@pytest.mark.parametrize("name", COUPLINGS)
@budget(0.04)
@given(data=st.data())
def test_forms_of_the_ball(name, data):
    equations = derived(name)
    assert_forms_agree(equations, data.draw(orbit_states(equations.theorem.definition)))


@budget(0.12)
@given(st.data())
def test_forms_of_random_definitions(data):
    definition = data.draw(definitions(constraint=["both"]))
    if "A" in (equations := Derivations(definition, principles=[HP])).forms:
        assert_forms_agree(equations, data.draw(rational_states(definition)))


@budget(0.06)
@given(st.data())
def test_increments_are_linear(data):
    """One evaluation at (dt, dW) is f dt + Σ g_i dW^i, in every output that says so."""
    definition = data.draw(definitions())
    state = data.draw(rational_states(definition))
    increments = [Fraction(1, 7), Fraction(-2, 3), Fraction(3, 5), Fraction(4), Fraction(-1, 9), Fraction(5, 2)]
    equations = Derivations(definition, principles=[HP])
    for derived in equations.derived.values():
        sde = derived.sde
        values = equations.inputs(sde, state)
        assert sde.wieners < len(increments)
        steps = dict(zip((sde.setting.dt, *sde.setting.dW), increments, strict=False))
        names = ("state", "v", "f", "force", "coordinates", "reaction")
        program = sde.program.with_outputs(**{k: v for k, v in sde.program.outputs.items() if k in names})
        try:
            columns = derived(values)
            whole = evaluate_exact(program, {**values, **dict.fromkeys(sde.coordinates.values(), 0), **steps}, FIELD)
        except ZeroDivisionError:  # B_VᵀHB or A H⁻¹C is singular at this state
            reject()
        for name, rows in whole.items():
            parts = sum(step * column[name] for step, column in zip(steps.values(), columns, strict=True))
            assert equal(rows, parts), name


@pytest.mark.parametrize("name", COUPLINGS)
def test_residual_of_the_constraint(name):
    """Aξ − b of the A form vanishes on D and stays so along every field."""
    equations = derived(name)
    sde = equations.derived[HP.name, "A"].sde
    residual = sde.program.outputs["residual"]
    state = generic_state(equations.theorem.definition)
    values = equations.inputs(sde, state)
    function = exact_function(sde.program, residual, list(values), FIELD)
    assert function(*values.values()) == (0, 0, 0)
    for column in columns(equations, "A", state, lambda s: {"residual": s.program.outputs["residual"]}):
        assert list(column["d_residual"]) == [0, 0, 0]
    off = {**values, sde.state[3]: values[sde.state[3]] + 1}
    assert function(*off.values()) != (0, 0, 0)


def test_the_reaction_is_the_contact_force():
    """A ball at rest on its lowest point: the force is the weight, upward, and has no torque about the contact."""
    system = sd.load("routh-sphere", noise=(), mass=2.0, gravity=9.0)
    equations = Derivations.of(system, [HP])
    up = (Fraction(0), Fraction(0), Fraction(-1))
    state = generic_state(equations.theorem.definition)
    state = type(state)((Fraction(0),) * 3, up, (), Fraction(0))
    (drift,) = columns(equations, "B", state)
    assert list(drift["state"]) == [0] * 6
    # l is written with Γ, so the reaction is the contact force less the potential's share, (s × mgΓ, 0) in the torque.
    s = np.array(up) * 1 + np.array([0, 0, Fraction(3, 10)])
    assert list(drift["reaction"]) == [0, 0, 0, 0, 0, 0]
    assert list(np.cross(s, up)) == [0, 0, 0]


@pytest.mark.parametrize("singular", [1, 2])
def test_a_form_needs_inertia_on_admissible_velocities_only(singular):
    """No inertia where the covectors forbid motion: H is singular, the equations are those of the other component."""
    plane = sd.RealSpace(2)
    keep = 2 - singular

    def lagrangian(xi):
        return 3 * xi.v[keep] ** 2 / 2

    covector = [[int(i != keep) for i in range(2)]]
    force = sd.definition.Forces(lambda xi: [5, 7])
    definition = sd.definition.Definition(plane, lagrangian, sd.CovectorConstraint(covector), forces=force)
    equations = Derivations(definition, principles=[HP])
    (drift,) = columns(equations, "A", rational(2))
    assert drift["state"][keep] == Fraction([5, 7][keep], 3)
    assert drift["state"][1 - keep] == 0
    assert drift["multiplier"][0] == -[5, 7][1 - keep]


def rational(n):
    from semidirect.testing import ExactState

    return ExactState(tuple(Fraction(i + 1, 2) for i in range(n)), (), (), Fraction(0))


def test_the_state_is_what_was_asked_for():
    ball, quartic = derived("variational, varied vertical noise").definition, lambda xi: (xi.Omega @ xi.Omega) ** 2 / 4
    kinds = {
        (("variables", "momentum"),): ("P", ["M", "Gamma"], "momentum"),
        (("variables", "velocity"),): ("B", ["Omega", "Gamma"], "velocity"),
        (("form", "A"),): ("A", ["Omega", "Y", "Gamma"], "velocity"),
    }
    for choice, (form, names, kind) in kinds.items():
        sde = HP.derive(ball, **dict(choice))
        assert (sde.form, [v.name for v in sde.variables], sde.variables[0].kind) == (form, names, kind)
    sde = HP.derive(sd.definition.Definition(sd.SO3(), quartic, sd.Unconstrained()))  # no momentum state without Newton
    assert (sde.form, sde.variables[0].kind) == ("B", "velocity")
    tested = sd.DistributionConstraint([[1], [0], [0]], ("u",), test=[[1], [1], [0]])
    assert HP.derive(sd.definition.Definition(sd.SO3(), lambda xi: xi.Omega @ xi.Omega / 2, tested)).form == "B"
