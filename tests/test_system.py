"""Systems: frozen, derived once for each structure, evaluated, linearised, and honest about unknown names."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError, InputError, UnknownNameError

BALL = sd.load("rolling-ball", axis=(0.36, -0.48, 0.8), noise=[[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]])
TOP = sd.load("heavy-top")
vectors = st.tuples(*[st.floats(-2, 2)] * 3)


def test_frozen():
    with pytest.raises(AttributeError, match="read-only: make another one with anything="):
        BALL.anything = 1
    with pytest.raises(TypeError):
        BALL.values["mass"] = 2
    other = BALL.replace(mass=2.0, coupling="printed")
    assert (other.mass, other.coupling) == (2.0, "printed")
    assert (BALL.mass, BALL.coupling) == (1.0, "variational")
    np.testing.assert_array_equal(other.noise, BALL.noise)


def test_title_and_repr():
    assert type(TOP).workings.title().startswith("Heavy top with a fixed point and transport noise")
    assert "coupling='variational'" in repr(BALL)


def test_a_number_changes_no_derivation():
    """Class, options and shapes do; so a study over parameters derives once."""
    assert BALL.replace(mass=2.0, offset=0.0).sde() is BALL.sde()
    assert BALL.replace(mass=sd.PerPath([1.0, 2.0])).sde() is BALL.sde()
    for change in ({"coupling": "printed"}, {"noise": [[0, 0, 1]]}, {"inertia": np.diag([2.0, 2.0, 1.5])}):
        assert BALL.replace(**change).sde() is not BALL.sde()


def test_unknown_names_list_the_known():
    with pytest.raises(UnknownNameError, match=r"unknown observable 'enery'. Did you mean 'energy'\?.*jellett.*Omega"):
        BALL.evolution("enery")
    with pytest.raises(UnknownNameError, match=r"unknown principle 'newton'.*hamilton-pontryagin, lagrange-dalembert"):
        BALL.sde("newton")
    with pytest.raises(UnknownNameError, match="form of the constraint 'C'"):
        BALL.sde(form="C")
    with pytest.raises(UnknownNameError, match=r"'speed'.*momentum, velocity"):
        BALL.sde(variables="speed")
    with pytest.raises(UnknownNameError, match="observable status 'constant'"):
        sd.observable(status="constant")
    with pytest.raises(InputError, match="evaluate works at one state: got parameters per path"):
        BALL.replace(mass=sd.PerPath([1.0, 2.0])).evaluate()
    with pytest.raises(InputError, match="evaluate works at one state: got a state of 2 paths"):
        BALL.evaluate({"Omega": np.ones((2, 3))})


def test_observables_exist_where_they_are_defined():
    assert "routh" in sd.load("rolling-ball").observables()
    assert "routh" not in BALL.observables()
    assert "routh" not in sd.load("rolling-ball", inertia=(1.0, 1.1, 1.2)).observables()
    assert BALL.observables()["energy"].unit == "J"
    assert BALL.observables()["energy"].doc.startswith("E = ⟨∂l/∂ξ, ξ⟩ − l")


def test_a_system_must_say_what_it_is():
    class Nothing(sd.System):
        group = sd.SO3()

    with pytest.raises(DefinitionError, match=r"Nothing defines no Lagrangian. Define lagrangian"):
        Nothing().sde()


class Clashing(sd.System):
    """An observable with the name of a state variable."""

    group = sd.SO3(blocks=("energy",))

    def lagrangian(self, xi):
        return ops.dot(xi.energy, xi.energy) / 2

    @sd.observable()
    def energy(self, state):
        return self.lagrangian(state)


def test_observables_named_like_state_variables():
    with pytest.raises(InputError, match=r"observables named like state variables: energy. Rename them."):
        Clashing().simulate(t_end=1, dt=1)


@settings(max_examples=20)
@given(Omega=vectors, Gamma=vectors)
def test_drift_and_diffusion_are_those_of_evaluate(Omega, Gamma):
    """f and g_i of the state (M, Γ), one state and a batch."""
    if np.linalg.norm(Gamma) < 0.1:
        Gamma = (0.0, 0.0, 1.0)
    state = {"Omega": Omega, "Gamma": np.asarray(Gamma) / np.linalg.norm(Gamma)}
    fields = BALL.evaluate(state)
    y = np.concatenate([fields["derived"]["M"], fields["state"]["Gamma"]])
    f, g = BALL.drift(y), BALL.diffusion(y)
    assert (f.shape, g.shape) == ((6,), (6, 2))
    scale = 1 + np.abs(y).max() ** 2
    np.testing.assert_allclose(f, fields["drift"]["M"] + fields["drift"]["Gamma"], rtol=0, atol=1e-14 * scale)
    for i in range(2):
        noise = fields["noise"][i]["M"] + fields["noise"][i]["Gamma"]
        np.testing.assert_allclose(g[:, i], noise, rtol=0, atol=1e-14 * scale)
    batch = np.stack([y, y], axis=1)
    np.testing.assert_array_equal(BALL.drift(batch), np.stack([f, f], axis=1))
    np.testing.assert_array_equal(BALL.diffusion(batch), np.stack([g, g], axis=2))


def test_a_system_without_noise_has_no_diffusion():
    assert TOP.replace(noise=()).diffusion(np.ones(6)).shape == (6, 0)


@pytest.mark.parametrize("system", [BALL, TOP], ids=["ball", "top"])
def test_linearise_is_the_derivative(system):
    """Against central differences of the fields in the velocity variables."""
    found = system.linearise()
    model = system.workings.model(variables="velocity")
    y, h = found["state"], 1e-5
    for k in range(model.wieners + 1):
        columns = [
            (model.column(k, y + h * e, 0.0) - model.column(k, y - h * e, 0.0)) / (2 * h) for e in np.eye(len(y))
        ]
        jacobian = found[f"noise{k}" if k else "drift"]
        np.testing.assert_allclose(jacobian, np.stack(columns, axis=1), rtol=0, atol=1e-8)  # measured 1.4e-11


@pytest.mark.parametrize("method", [None, "lie-midpoint"])
def test_the_ito_form_has_the_correction_of_the_mean(method):
    """E over Brownian steps from one state: Itô drift to first order in dt, of which half Σ (Dg)[g] is the noise's share."""
    strong = TOP.replace(noise=[[2.0, -1.0, 0.5]])
    dt, paths = 1e-4, 20_000
    run = strong.simulate(t_end=dt, dt=dt, paths=paths, seed=1, method=method)
    for name in ("M", "Gamma"):
        drift, ito = (strong.evaluate()[kind][name] for kind in ("drift", "ito_drift"))
        change = (run[name][:, 1] - run[name][:, 0]) / dt
        error = change.std(axis=0) / np.sqrt(paths)
        assert (np.abs(change.mean(axis=0) - ito) < 4.5 * error).all()
        assert (np.abs(np.subtract(ito, drift)) > 1e-2).any()


def test_evaluate_in_the_time_of_the_definition():
    class Shaken(sd.System):
        group = sd.SO2()

        def lagrangian(self, xi, t):
            return (2 + ops.sin(t)) * xi.omega**2 / 2

    fields = Shaken().evaluate({"omega": 3.0}, t=0.5)
    assert fields["drift"]["omega"] == pytest.approx(-3 * np.cos(0.5) / (2 + np.sin(0.5)), rel=1e-15)
    assert fields["derived"]["p_omega"] == pytest.approx(3 * (2 + np.sin(0.5)), rel=1e-15)
    given = Shaken().evaluate({"p_omega": 3.0}, t=0.5)
    assert given["state"]["omega"] == pytest.approx(3 / (2 + np.sin(0.5)), rel=1e-15)


@pytest.mark.parametrize(
    "call",
    [
        lambda system: system.workings.known([1.0], dict),
        lambda system: system.workings.known("name", 1j),
        lambda system: sd.Stop("energy", above=1).of(["energy"]),
        lambda system: sd.Stop("energy", above=1).of({}),
        lambda system: sd.Crossing("energy", 1.0).of(None),
    ],
)
def test_keys_and_values_that_do_not_fit_are_refused(call):
    with pytest.raises(InputError, match="expected"):
        call(sd.load("rigid-body"))
