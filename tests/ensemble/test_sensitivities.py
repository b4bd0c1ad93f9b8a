"""Derivatives of paths: by the chain rule in fractions, in both engines, in steppers and stores, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.core.dual import Directions, Dual
from semidirect.core.errors import InputError, MethodError, UnknownNameError
from semidirect.core.solvers.iteration import fixed_point
from semidirect.integrators.advance import Advance
from semidirect.integrators.registry import integrator
from semidirect.model.sensitivities.tangents import Direction, Tangents
from semidirect.testing.laws.exact_points.numbers import Number, plain

HEAVY = {"noise": [[0.1, 0.2, 0.3]]}


numbers = st.integers(-4, 4)


@settings(max_examples=10, deadline=None)
@given(st.tuples(*[numbers] * 6), st.tuples(*[numbers] * 6), st.tuples(*[numbers] * 2),
       st.sampled_from(["heun", "euler-heun", "lie-heun(cayley)"]))  # fmt: skip
def test_the_derivative_of_two_steps_is_that_of_the_second_after_that_of_the_first_in_fractions(y, dy, dW, label):
    """Exactly: D(g∘f)(y)[v] = Dg(f(y))[Df(y)[v]], and D is linear: D[2v] = 2 D[v]."""
    system = sd.load("heavy-top", inertia=(2.0, 1.5, 1.0), **HEAVY)
    whole = system.workings.model().reduced()
    model = whole.with_parameters([Number(Fraction(str(float(p)))) for p in whole.parameters])
    model.tangents = Tangents((Direction("y", "velocity", 0, "y"), Direction("2y", "velocity", 0, "y")))
    d, advance, h = model.dimension, Advance(integrator(label), model, scalars=True), Number(Fraction(1, 16))
    nothing = np.zeros(0, dtype=object)

    def step(y, slopes, w):
        state = np.array([Number(x) for x in (*y, *slopes[0], *slopes[1])], dtype=object)
        found, _ = advance(state, nothing, 0, h, np.array([Number(w)], dtype=object))
        values = [plain(x) for x in found.y]
        return values[:d], (values[d : 2 * d], values[2 * d :])

    first, slopes = step(y, (dy, [2 * x for x in dy]), dW[0])
    assert slopes[1] == [2 * x for x in slopes[0]]
    at_once, along = step(first, slopes, dW[1])
    after, of_second = step(first, ([3 * x for x in slopes[0]], [0] * d), dW[1])
    assert after == at_once
    assert of_second[0] == [3 * x for x in along[0]]
    assert of_second[1] == [0] * d
    assert all(isinstance(x, (int, Fraction)) for x in along[0])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-0.3, 0.3), min_size=4, max_size=4), st.lists(st.floats(-1, 1), min_size=2, max_size=2))
def test_an_implicit_solution_has_the_slopes_of_the_implicit_function_theorem(entries, slopes):
    """x = A sin(x) + b(p): dx = (1 − A cos x)⁻¹ db, whatever iteration found x."""
    A, directions = np.array(entries).reshape(2, 2), Directions((0,))
    b = [Dual(directions, np.array([0.3, -2.0]), {0: np.array([[s, s]])}) for s in slopes]

    def f(x):
        s = [ops.sin(x[0]), ops.sin(x[1])]
        return np.array([A[i, 0] * s[0] + A[i, 1] * s[1] + b[i] for i in range(2)], dtype=object)

    x, outcome = fixed_point(f, np.array(b, dtype=object), np.ones(2))
    assert (outcome & 1).all()
    for path in range(2):
        at = np.array([v.value[path] for v in x])
        wanted = np.linalg.solve(np.eye(2) - A * np.cos(at), slopes)
        np.testing.assert_allclose([v.slopes[0][0, path] for v in x], wanted, rtol=1e-12, atol=1e-14)


TOP = sd.load("heavy-top", **HEAVY)
BY = sd.Formulation(sensitivity=("mass", "Omega1", "configuration.Omega2"))


def simulate(engine="numpy", system=TOP, method="lie-heun", **more):
    arguments = {"t_end": 0.2, "dt": 0.02, "paths": 5, "seed": 3, "formulation": BY, **more}
    return system.simulate(method=method, execution=sd.Execution(engine=engine, threads=1), **arguments)


@pytest.mark.parametrize(("method", "reconstruct"), [("lie-heun", True), ("implicit-midpoint", False)])
def test_both_engines_give_the_same_numbers_and_values_have_the_bits_of_a_run_without(method, reconstruct):
    body = sd.load("rigid-body")
    with_slopes, without = (
        sd.Formulation(reconstruct=reconstruct, sensitivity=by) for by in (("inertia1", "Omega1"), ())
    )
    array = simulate(system=body, method=method, formulation=with_slopes)
    kernel = simulate("compiled", system=body, method=method, formulation=with_slopes)
    values = simulate(system=body, method=method, formulation=without)
    assert {k for k in array if not k.startswith("sensitivity.")} == set(values)
    for name in array:
        assert np.array_equal(array[name], kernel[name]), name
    for name in values:
        assert values[name].tobytes() == array[name].tobytes() == kernel[name].tobytes(), name
    assert np.abs(array["sensitivity.energy"]).max() > 0.1


def test_runs_have_derivatives_by_quantity_and_direction():
    run = simulate(save="every:5")
    found = run.sensitivity("Omega", "mass")
    assert found.values.shape == (5, 3, 3, 1)
    assert found.directions == ("mass",)
    assert np.array_equal(run.sensitivity("Omega2").values, run.sensitivity("Omega").values[:, :, 1])
    assert run.sensitivity("energy", "configuration").values.shape == (5, 3, 1)
    assert run.sensitivity("energy", "state").directions == ("Omega1", "configuration.Omega2")
    np.testing.assert_allclose(found.mean, found.values.mean(axis=0))
    np.testing.assert_allclose(found.standard_error, found.values.std(axis=0, ddof=1) / np.sqrt(5))
    array = run.sensitivity("Omega").to_xarray()
    assert array.dims == ("path", "time", "component", "direction")
    data = run.to_xarray()
    assert data["sensitivity_Omega"].dims == ("path", "time", "component", "direction")
    assert list(data["direction"].values) == ["mass", "Omega1", "configuration.Omega2"]
    assert "d Omega1 / d mass" in run.to_pandas()
    energy = run.sensitivity("energy", "Omega1").values[:, 0, 0]  # at the start: ∂(½ Ω·IΩ)/∂Ω₁ = I₁Ω₁
    np.testing.assert_allclose(energy, float(TOP.inertia[0]) * run["Omega1"][:, 0], rtol=1e-13)
    height = float(TOP.arm) * run["Gamma"][:, 0] @ np.asarray(TOP.axis, dtype=float)  # and ∂E/∂m = g ℓ χ·Γ
    np.testing.assert_allclose(
        run.sensitivity("energy", "mass").values[:, 0, 0], float(TOP.gravity) * height, rtol=1e-13
    )


def test_a_continued_run_a_stepper_and_statistics_have_the_same_derivatives(tmp_path):
    whole = simulate(save=sd.Save("final", store=tmp_path / "run.zarr"), reduce="moments")
    half = simulate(t_end=0.1, save="final")
    rest = simulate(state=half.final, save="final")
    flock = TOP.ensemble(dt=0.02, paths=5, seed=3, method="lie-heun", formulation=BY,
                         execution=sd.Execution(engine="numpy", threads=1))  # fmt: skip
    flock.advance(steps=4).advance(t=0.2)
    assert np.array_equal(flock.read("sensitivity.M")["sensitivity.M"], whole["sensitivity.M"][:, -1])
    for name in whole:
        assert np.array_equal(whole[name], rest[name]), name
    loaded = sd.Run.load(tmp_path / "run.zarr")
    assert np.array_equal(loaded.sensitivity("M", "mass").values, whole.sensitivity("M", "mass").values)
    means = whole.reductions["moments"].mean["sensitivity.energy"]
    np.testing.assert_allclose(means[-1], whole.sensitivity("energy").mean[-1], rtol=1e-12)
    plain_after = simulate(state=half.final, save="final", formulation=None)
    assert np.array_equal(plain_after["M"], whole["M"])
    flock.select([0, 0, 1, 1, 2])


REPLACED = [
    ("heavy-top", "mass", "Omega", {"gravity": 2.0, "Omega": (0.3, 0.2, 0.1)}),
    ("heavy-top", "inertia", "Omega", {"M": (0.3, 0.2, 0.1)}),
    ("heavy-top", "mass", "Omega", {"Gamma": (0.6, 0.0, 0.8)}),
    ("routh-sphere", "offset", "Omega", {"mass": 1.2}),
    ("routh-sphere", "radius", "Omega", {"M": (0.8, 0.2, 1.0)}),
    ("chaplygin-sleigh", "mass", "omega", {"x": 2.0, "omega": 0.3}),
    ("slipping-ball", "radius", "Omega", {"offset": 0.2, "x": (0.1, 0.2, 1.0)}),
    ("heavy-top", "gravity", "Omega", {"g": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}),
    ("clebsch-body", "inertia", "Y", {"inertia": (1.1, 1.9, 2.5)}),
    ("tippe-top", "radius", "Omega", {"mass": 0.021}),
    ("line-follower", "stiffness", "w", {"speed": 1.5}),
]


@pytest.mark.parametrize(("name", "parameter", "velocity", "changes", "variables"),
                         [(*r, v) for r in REPLACED for v in ("momentum", "velocity")[: 1 + ("M" in r[-1])]])  # fmt: skip
def test_replaced_values_have_no_derivatives_and_all_others_keep_theirs(name, parameter, velocity, changes, variables):
    """Against central differences of all that was done; a parameter that is replaced moves with its earlier value."""
    system, H = sd.load(name, **(HEAVY if name == "heavy-top" else {})), 2.0**-12
    first = float(np.ravel(system.values[parameter])[0])

    def at_the_end(shift, of_start, by=()):
        moved = np.array(system.values[parameter], dtype=float)
        moved.flat[0] += shift
        later = dict(changes)
        if parameter in later:
            later[parameter] = (later[parameter][0] + shift, *later[parameter][1:])
        start = np.array(system.initial[velocity], dtype=float)
        start.flat[0] += of_start
        flock = system.replace(**{parameter: moved}).ensemble(
            dt=0.002, paths=3, seed=3, method="heun", state={velocity: start},
            formulation=sd.Formulation(reconstruct="Gamma" not in changes, variables=variables, sensitivity=by),
            execution=sd.Execution(engine="numpy", threads=1),
        )  # fmt: skip
        return flock.advance(steps=3).replace(**later).advance(steps=3)

    labels = [parameter + "1" * np.ndim(system.values[parameter]), velocity + "1" * np.ndim(system.initial[velocity])]
    ours = at_the_end(0.0, 0.0, labels).read()
    for d, h in enumerate((H * first, H)):
        ends = [at_the_end(*((k * h, 0.0) if d == 0 else (0.0, k * h))).read() for k in (1, -1, 2, -2)]
        for name, found in ours.items():
            if f"sensitivity.{name}" in ours:
                one, two = ((ends[k][name] - ends[k + 1][name]) / h for k in (0, 2))
                theirs = (8 * one - two) / 12
                allowed = 1e-7 * np.abs(theirs).max(initial=0) + 1e-14 * np.abs(found).max(initial=0) / h
                off = np.abs(ours[f"sensitivity.{name}"].reshape(*found.shape, 2)[..., d] - theirs)
                assert np.all(off <= allowed), (name, labels[d], off.max() / allowed)


def test_parameters_and_states_by_path_have_their_own_derivatives():
    mass = np.array([1.0, 1.5, 2.0])
    many = simulate(system=TOP.replace(mass=sd.PerPath(mass)), paths=None, driver="sin(t)")
    for i, m in enumerate(mass):
        one = simulate(system=TOP.replace(mass=m), paths=1, driver="sin(t)")
        np.testing.assert_allclose(
            many.sensitivity("M").values[i], one.sensitivity("M").values[0], rtol=1e-12, atol=1e-12
        )


class Kinked(sd.System):
    """A body whose torque has a kink."""

    strength = sd.parameter(1.0)
    group = sd.SO3()
    initial = {"Omega": (0.1, 0.2, 0.3)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, xi.Omega) / 2

    def constraint(self):
        return sd.Unconstrained(noise=[])

    def force(self, xi):
        return -self.strength * ops.array([ops.absolute(xi.Omega[0]), 0 * xi.Omega[0], 0 * xi.Omega[0]])


class KinkedObservable(sd.System):
    """A body with an observable that has a kink."""

    strength = sd.parameter(1.0)
    group = sd.SO3()
    initial = {"Omega": (0.1, 0.2, 0.3)}

    def lagrangian(self, xi):
        return self.strength * ops.dot(xi.Omega, xi.Omega) / 2

    def constraint(self):
        return sd.Unconstrained(noise=[])

    @sd.observable(unit="rad/s")
    def largest(self, state):
        return ops.where(state.Omega[0] > state.Omega[1], state.Omega[0], state.Omega[1])


def test_what_is_not_differentiable_is_refused_with_the_place():
    arguments = {"t_end": 0.1, "dt": 0.1, "formulation": sd.Formulation(sensitivity="strength")}
    with pytest.raises(MethodError, match=r"not differentiable.*absolute in the equation of M1"):
        Kinked().simulate(**arguments)
    run = KinkedObservable().simulate(**arguments)
    assert "sensitivity.M" in run
    with pytest.raises(InputError, match="'largest' has no derivatives"):
        run.sensitivity("largest")
    with pytest.raises(MethodError, match=r"'largest' is not differentiable.*where"):
        KinkedObservable().simulate(**arguments, reduce=sd.Moments(["sensitivity.largest"]))


def test_wrong_names_and_methods_are_refused():
    with pytest.raises(UnknownNameError, match="masss"):
        simulate(formulation=sd.Formulation(sensitivity="masss"))
    with pytest.raises(MethodError, match="chooses its steps"):
        simulate(method="dop853", driver=0)
    with pytest.raises(InputError, match="differentiated"):
        simulate(formulation=None).sensitivity("energy")
    with pytest.raises(UnknownNameError, match="Omega3"):
        simulate().sensitivity("energy", "Omega3")
    with pytest.raises(UnknownNameError, match="nothing"):
        simulate().sensitivity("nothing")


def test_a_path_that_fails_has_no_share_in_the_means():
    run = simulate(state={"Omega": np.array([[0.1, 0, 0], [1e200, 0, 0], [0, 0.1, 0]])}, paths=3)
    assert list(run.good) == [True, False, True]
    assert np.isfinite(run.sensitivity("M").mean).all()
