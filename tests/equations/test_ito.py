"""The Itô form: f + ½ Σ (Dg_i)[g_i] over the whole state, a and z with it, and the evolution of observables."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.equations.emission import exact_function
from semidirect.testing import Derivations, Point, definitions, generic_state, rational_states
from semidirect.testing.laws.exact_points.numbers import FIELD, derivatives, plain_array
from semidirect.testing.laws.sizes import budget

HP = sd.equations.HamiltonPontryagin()


def ito_drift(equations, form, state):
    """From the theorem in numbers: each noise field is differentiated along itself by dual numbers."""
    theorem, a = equations.theorem, len(state.a)
    start = list(equations.point(state).xi) if form == "A" else list(state.u)
    u = len(start)

    def fields(y):
        velocities = y[:u] if form == "A" else list(theorem.velocity(y[:u], y[u : u + a], y[u + a :], state.t))
        point = Point(velocities, y[u : u + a], y[u + a :], state.t)
        columns = theorem.columns(point, form=form, u=y[:u])
        return np.array([[*c.rates, *c.da, *c.dz] for c in columns], dtype=object)

    values, jacobian = derivatives(fields, [*start, *state.a, *state.z])
    half = Fraction(1, 2)
    return plain_array(values[0] + sum(half * (jacobian[k] @ values[k]) for k in range(1, len(values))))


def found_drift(equations, form, state):
    sde = equations.derived[HP.name, form].sde
    evolution = sde.evolution({v.name: v.symbols for v in sde.variables})
    values = equations.inputs(sde, state)
    rows = [e for v in sde.variables for e in evolution.of(v.name, "ito")]
    return list(exact_function(evolution.program, rows, list(values), FIELD)(*values.values()))


@budget(0.1)
@given(st.data())
def test_ito_drift_of_random_definitions(data):
    definition = data.draw(
        definitions(group=st.sampled_from([sd.SO2(), sd.RealSpace(2), sd.SO3(), sd.SE2(), sd.groups.Heisenberg()]))
    )
    state = data.draw(rational_states(definition))
    equations = Derivations(definition, principles=[HP])
    for form in set(equations.forms) - {"P"}:
        try:
            expected = ito_drift(equations, form, state)
        except ZeroDivisionError:
            reject()
        assert found_drift(equations, form, state) == list(expected)


@pytest.mark.parametrize("coupling", ["variational", "printed"])
def test_ito_drift_of_the_ball(coupling):
    inertia = [[2.0, 0.1, 0.2], [0.1, 1.7, 0.05], [0.2, 0.05, 1.5]]
    noise = [[0.2, 0.1, 0.15], [0, 0.3, -0.1]]
    system = sd.load("rolling-ball", inertia=inertia, axis=(0.36, -0.48, 0.8), noise=noise, coupling=coupling)
    equations = Derivations.of(system, [HP])
    state = generic_state(equations.theorem.definition)
    assert found_drift(equations, "B", state) == list(ito_drift(equations, "B", state))
    # The same through the momenta: dM of the P form, and M as an observable of the B form.
    sde = equations.derived[HP.name, "B"].sde
    evolution = sde.evolution({"M": sde.named["M"]})
    values = equations.inputs(sde, state)
    through_velocities = exact_function(evolution.program, evolution.of("M", "ito"), list(values), FIELD)(
        *values.values()
    )
    assert list(through_velocities) == found_drift(equations, "P", state)[:3]


def test_ito_drift_of_the_rigid_body_in_closed_form():
    """dΠ = (Π × Ω + ½ Σ (Π × σ_i) × σ_i) dt + …, dΓ likewise."""
    amplitudes = [[0.2, 0.1, 0.15], [0.0, 0.3, -0.1]]
    system = sd.load("rigid-body", inertia=(2.0, 3.0, 4.0), noise=amplitudes, advect_gamma=True)
    equations = Derivations.of(system, [HP])
    state = generic_state(equations.theorem.definition)
    moments = np.array([2, 3, 4])
    Omega, Gamma = np.array(state.u), np.array(state.a)
    Pi = moments * Omega
    expected = [np.cross(x, Omega) for x in (Pi, Gamma)]
    for row in amplitudes:
        sigma = np.array([Fraction(repr(x)) for x in row])
        expected = [e + np.cross(np.cross(x, sigma), sigma) / 2 for e, x in zip(expected, (Pi, Gamma), strict=True)]
    assert found_drift(equations, "P", state) == [*expected[0], *expected[1]]


def test_the_configuration_is_part_of_the_state():
    """dg = g(Ω̂ dt + Σ ξ̂_i∘dW^i) has the Itô drift gΩ̂ + ½ Σ gξ̂_i², and |Γ|² none."""
    system = sd.load("rigid-body", noise=[[0.2, 0.1, 0.15], [0.0, 0.3, -0.1]], advect_gamma=True)
    equations = Derivations.of(system, [HP])
    sde = equations.derived[HP.name, "B"].sde
    Gamma = sde.named["Gamma"]
    evolution = sde.evolution(
        {"g": list(sde.coordinates.values()), "square": [Gamma @ Gamma], "Gamma1²": [Gamma[0] ** 2]}
    )
    state = generic_state(equations.theorem.definition)
    values = equations.inputs(sde, state)

    def ito(name):
        rows = evolution.of(name, "ito")
        return np.array(exact_function(evolution.program, rows, list(values), FIELD)(*values.values()), dtype=object)

    g = np.array(state.stored, dtype=object).reshape(3, 3)
    hats = [ops.hat([Fraction(repr(x)) for x in row]) for row in ([0.2, 0.1, 0.15], [0.0, 0.3, -0.1])]
    expected = g.dot(ops.hat(state.u)) + sum(g.dot(hat).dot(hat) for hat in hats) / 2
    assert list(ito("g")) == list(expected.reshape(-1))
    assert list(ito("square")) == [0]
    # d(Γ₁²) = 2Γ₁ dΓ₁ in Stratonovich; in Itô 2Γ₁ (drift of Γ₁) + Σ (noise of Γ₁)².
    drift = np.cross(state.a, state.u)[0]
    noise = [-(hat.dot(state.a)) for hat in hats]
    drift_ito = drift + sum(hat.dot(hat.dot(state.a))[0] for hat in hats) / 2
    assert ito("Gamma1²")[0] == 2 * state.a[0] * drift_ito + sum(n[0] ** 2 for n in noise)


def test_time_is_no_noise_but_part_of_the_drift():
    """An observable that depends on t moves with dt, and its noise is differentiated along the noise only."""
    definition = sd.definition.Definition(
        sd.SO2(), lambda xi: xi.omega**2 / 2, sd.Unconstrained(sd.noise.PrescribedNoise(lambda t: [[1 + t]]))
    )
    sde = HP.derive(definition, variables="velocity")
    (angle,) = sde.coordinates.values()
    (omega,) = sde.named["omega"]
    t = sde.setting.t
    evolution = sde.evolution({"Q": [t**2 * angle**2]})
    values = {omega: Fraction(3), angle: Fraction(2), t: Fraction(1, 2)}
    rows = [e for column in ("value", "drift", "noise1", "ito") for e in evolution.of("Q", column)]
    value, drift, noise, ito = exact_function(evolution.program, rows, list(values), FIELD)(*values.values())
    assert value == 1
    assert drift == 2 * Fraction(1, 2) * 4 + Fraction(1, 4) * 2 * 2 * 3
    assert noise == Fraction(1, 4) * 2 * 2 * Fraction(3, 2)
    assert ito == drift + Fraction(1, 2) * Fraction(1, 4) * 2 * Fraction(9, 4)


SYSTEMS = {
    "ball": ("rolling-ball", {"noise": [[0.2, 0.1, 0.15], [0, 0.3, -0.1]]}),
    "disk": ("rolling-disk", {}),
    "top": ("heavy-top", {}),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_numbers_of_models_are_those_of_the_equations(name):
    """``evaluate``, ``drift``, ``diffusion`` and the Itô field that ``euler-maruyama`` steps, against exact numbers."""
    plugin, choices = SYSTEMS[name]
    system = sd.load(plugin, **choices)
    equations = Derivations.of(system, [HP])
    state = generic_state(equations.theorem.definition)
    for form, variables in (("P", "momentum"), ("B", "velocity")):
        columns = equations.derived[HP.name, form]
        values = equations.inputs(columns.sde, state)
        y = np.array([float(values[s]) for s in columns.sde.state])
        exact = [np.array(c["state"], dtype=float) for c in columns(values)]
        model, t = system.workings.model(variables=variables), float(state.t)
        d = len(y)
        # Measured: 4e-16.
        np.testing.assert_allclose(model.column(0, y, t), exact[0], rtol=0, atol=2e-15 * (1 + np.max(np.abs(exact[0]))))
        for k, field in enumerate(exact[1:]):
            np.testing.assert_allclose(model.column(k + 1, y, t), field, rtol=0, atol=2e-15)
        ito = model.ito_field(y, t, 1.0, np.zeros(model.wieners))[:d]
        np.testing.assert_allclose(ito, np.array(found_drift(equations, form, state), dtype=float), rtol=0, atol=5e-15)
        if form == "P":
            np.testing.assert_array_equal(system.drift(y, t), model.column(0, y, t))
            assert system.diffusion(y, t).shape == (d, model.wieners)


@pytest.mark.parametrize("name", SYSTEMS)
def test_linearisation(name):
    """Jacobians of drift and noises at the recommended state, against dual numbers."""
    plugin, choices = SYSTEMS[name]
    system = sd.load(plugin, **choices)
    found = system.linearise()
    equations = Derivations.of(system, [HP])
    theorem = equations.theorem
    sde = equations.derived[HP.name, "B"].sde
    u = sum(v.dimension for v in sde.variables if v.kind == "velocity")
    a = sum(v.dimension for v in sde.variables if v.kind == "advected")

    def fields(y):
        point = Point(list(theorem.velocity(y[:u], y[u : u + a], y[u + a :], 0)), y[u : u + a], y[u + a :], 0)
        return np.array([[*c.rates, *c.da, *c.dz] for c in theorem.columns(point, u=y[:u])], dtype=object)

    _, jacobian = derivatives(fields, [Fraction(float(x)) for x in found["state"]])
    labels = ["drift", *(f"noise{k + 1}" for k in range(len(jacobian) - 1))]
    assert set(found) == {"state", *labels}
    for label, expected in zip(labels, plain_array(jacobian).astype(float), strict=True):
        # Measured: 4e-16.
        np.testing.assert_allclose(found[label], expected, rtol=0, atol=3e-15)
