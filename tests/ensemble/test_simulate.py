"""Running paths: what the bits of a path depend on, what drives it, how it fails, and what is refused."""

from types import FunctionType

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError, MethodError, UnknownNameError
from semidirect.integrators import DOP853, METHODS, Heun, SDELab

BODY = sd.load("rigid-body", advect_gamma=True)
BALL = sd.load("rolling-ball", noise=[[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]])
TOP = sd.load("heavy-top", noise=[[0.3, -0.2, 0.5]])
DISK = sd.load("rolling-disk")
STEPPED = [
    "heun", "euler-heun", "sdelab(1)", "implicit-midpoint", "euler-maruyama", "lie-heun", "lie-heun(exp)", "lie-midpoint",
]  # fmt: skip


def same_bits(run, other, paths=slice(None), times=slice(None)):
    """Whether all kept quantities are equal bit for bit, those of ``run`` cut to some paths and times."""
    assert set(run) == set(other)
    for name in run:
        ours = np.ascontiguousarray(run[name][paths][:, times])
        assert ours.shape == other[name].shape, name
        assert ours.tobytes() == np.ascontiguousarray(other[name]).tobytes(), name
    return True


# -- bits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", STEPPED)
def test_bits_of_a_path_do_not_depend_on_the_other_paths(method, monkeypatch):
    """Neither on their number, nor on how they are cut into chunks, nor on threads, nor on the horizon or what is saved."""
    system = BALL if method in ("heun", "lie-heun") else BODY
    whole = system.simulate(t_end=0.4, dt=0.01, paths=23, seed=9, method=method)
    assert whole.good.all()
    assert same_bits(whole, system.simulate(t_end=0.4, dt=0.01, paths=7, seed=9, method=method), paths=slice(7))
    assert same_bits(whole, system.simulate(t_end=0.1, dt=0.01, paths=23, seed=9, method=method), times=slice(11))
    saved = system.simulate(t_end=0.4, dt=0.01, paths=23, seed=9, method=method, save="every:8")
    assert same_bits(whole, saved, times=slice(None, None, 8))
    monkeypatch.setattr("semidirect.specification.run_spec.RunSpec.usual_chunk", lambda *given: 5)
    monkeypatch.setattr("semidirect.engines.built_in.numpy_engine.STEPS_AT_ONCE", 7)
    for threads in (1, 3):
        assert same_bits(
            whole,
            system.simulate(
                t_end=0.4, dt=0.01, paths=23, seed=9, method=method, execution=sd.Execution(threads=threads)
            ),
        )
    for name, values in whole.final.items():
        assert values.tobytes() == np.ascontiguousarray(whole[name][:, -1]).tobytes(), name


def test_other_seeds_and_other_noise_are_other_paths():
    first = BODY.simulate(t_end=0.1, dt=0.01, seed=1)["M"]
    assert (first[:, 0] == BODY.simulate(t_end=0.1, dt=0.01, seed=2)["M"][:, 0]).all()
    assert (first != BODY.simulate(t_end=0.1, dt=0.01, seed=2)["M"])[:, 1:].all()
    assert (first != BODY.simulate(t_end=0.1, dt=0.01, seed=1, driver=sd.Wiener(0.005))["M"])[:, 1:].all()


@pytest.mark.parametrize("method", ["heun", "lie-midpoint"])
def test_per_path_states_and_parameters_are_single_runs(method):
    """Path p of a run with values per path is path p of a run with its values for all, bit for bit."""
    rng = np.random.default_rng(1)
    Omega, mass, noise = rng.normal(size=(4, 3)), rng.uniform(0.5, 2, 4), rng.normal(size=(4, 2, 3))
    Gamma = [(0, 0, 1), (0, 0.6, 0.8), (0.6, 0, -0.8), (0, 0, -1)]
    many = BALL.replace(mass=sd.PerPath(mass), noise=sd.PerPath(noise))
    assert many.workings.paths == 4
    run = many.simulate(t_end=0.2, dt=0.01, seed=3, method=method, state={"Omega": Omega, "Gamma": Gamma})
    assert run.paths == 4
    assert run.config["parameters"]["mass"] == run.config["state"]["Omega"] == "per path"
    for p in range(4):
        one = BALL.replace(mass=mass[p], noise=noise[p])
        single = one.simulate(
            t_end=0.2, dt=0.01, seed=3, method=method, paths=4, state={"Omega": Omega[p], "Gamma": Gamma[p]}
        )
        for name in run:
            assert run[name][p].tobytes() == single[name][p].tobytes(), name


def test_per_path_states_and_parameters_with_the_reference_method():
    mass = np.array([0.5, 1.0, 2.0])
    run = BALL.replace(mass=sd.PerPath(mass)).simulate(
        t_end=1, dt=0.5, method="dop853", driver=["sin(t)", "t"], state={"Omega": np.eye(3)}
    )
    for p in range(3):
        single = BALL.replace(mass=mass[p]).simulate(
            t_end=1, dt=0.5, method="dop853", driver=["sin(t)", "t"], state={"Omega": np.eye(3)[p]}
        )
        for name in run:
            assert run[name][p].tobytes() == single[name][0].tobytes(), name


@pytest.mark.parametrize("method", [m for m in STEPPED if m != "euler-maruyama"])
def test_increments_in_place_of_the_noise_are_the_noise(method):
    """For all paths alike, (steps, m), and each its own, (steps, m, paths)."""
    dW = sd.noise.WienerNoise(5, 3, 0.01).block(range(3), 0, 20, 0.01)
    noise = BODY.simulate(t_end=0.2, dt=0.01, paths=3, seed=5, method=method)
    assert same_bits(noise, BODY.simulate(t_end=0.2, dt=0.01, paths=3, driver=dW, method=method))
    one = BODY.simulate(t_end=0.2, dt=0.01, driver=dW[:, :, 1], method=method)
    assert same_bits(noise, one, paths=slice(1, 2))
    path = sd.noise.DrivingPath.from_increments(dW, 0.01)
    assert same_bits(noise, BODY.simulate(t_end=0.2, dt=0.01, paths=3, driver=path, method=method))


def test_a_coarse_step_sums_what_a_fine_one_met():
    """The same resolution is the same Brownian path at each dt."""
    fine = sd.noise.WienerNoise(5, 3, 0.01).block(range(2), 0, 16, 0.01)
    coarse = BODY.simulate(t_end=0.16, dt=0.02, driver=sd.Wiener(0.01), paths=2, seed=5, method="heun")
    assert same_bits(coarse, BODY.simulate(t_end=0.16, dt=0.02, paths=2, driver=fine[0::2] + fine[1::2], method="heun"))
    assert coarse.config["noise"] == {"kind": "wiener", "resolution": 0.01, "components": 3}


def test_nested_noise_converges_path_by_path():
    """At dt = h0 2^k, k from −1 to 2: the distance to the finest step shrinks; another seed is far away."""

    def ends(k, seed=5):
        options = {
            "driver": sd.Wiener(0.01),
            "paths": 50,
            "seed": seed,
            "method": "heun",
            "save": sd.Save("final", names=["M"]),
        }
        return TOP.simulate(t_end=1, dt=0.01 * 2.0**k, **options)["M"]

    finest = ends(-1)
    errors = [np.sqrt(np.mean((ends(k) - finest) ** 2)) for k in (0, 1, 2)]
    assert errors[0] < errors[1] / 2 < errors[2] / 4 < 0.01  # measured 0.0021, 0.0053, 0.012
    assert np.sqrt(np.mean((ends(0, seed=6) - finest) ** 2)) > 0.3  # measured 0.58


# -- drives --------------------------------------------------------------------------------------------------------


def test_no_noise_by_a_drive_of_zero():
    still = BODY.replace(noise=())
    assert same_bits(still.simulate(t_end=0.2, dt=0.01), BODY.simulate(t_end=0.2, dt=0.01, driver=0))
    assert BODY.simulate(t_end=0.2, dt=0.01, driver=0).config["noise"] == {"kind": "expression", "W": 0}
    assert still.simulate(t_end=0.2, dt=0.01, driver=0).config["noise"] == {"kind": "none"}


def test_a_smooth_path_by_steps_and_by_the_reference_method():
    run = BODY.simulate(t_end=1, dt=0.001, method="lie-heun", driver=["sin(t)", "t", "0"], save="final")
    exact = BODY.simulate(t_end=1, dt=1, method="dop853", driver=["sin(t)", "t", "0"], save="final")
    for name in ("M", "Gamma", "g"):
        assert np.abs(run[name] - exact[name]).max() < 1e-6, name  # measured 1.8e-7


class Custom(sd.noise.DrivingPath):
    """A smooth path of one's own."""

    smooth = True
    components = 3

    def value(self, t):
        return np.stack([np.sin(t), np.asarray(t, dtype=float), 0.0 * np.asarray(t)])

    def derivative(self, t):
        return np.stack([np.cos(t), np.ones_like(np.asarray(t, dtype=float)), 0.0 * np.asarray(t)])

    def increments(self, paths, step, dt):
        change = self.value((step + 1) * dt) - self.value(step * dt)
        return np.repeat(change[:, None], len(paths), axis=1)


def test_a_driving_path_of_ones_own():
    theirs = BODY.simulate(t_end=1, dt=0.5, method="dop853", driver=Custom())
    ours = BODY.simulate(t_end=1, dt=0.5, method="dop853", driver=["sin(t)", "t", "0"])
    for name in ours:
        np.testing.assert_allclose(theirs[name], ours[name], rtol=0, atol=1e-12)
    stepped = BODY.simulate(t_end=1, dt=0.1, method="heun", driver=Custom())
    np.testing.assert_allclose(stepped["M"], BODY.simulate(t_end=1, dt=0.1, method="heun", driver=["sin(t)", "t", "0"])["M"],
                               rtol=0, atol=1e-14)  # fmt: skip


# -- methods and forms ---------------------------------------------------------------------------------------------


def test_methods_by_name_and_as_objects():
    assert set(METHODS.built_in) >= {"heun", "euler-heun", "sdelab", "implicit-midpoint", "euler-maruyama", "lie-heun",
                            "lie-midpoint", "dop853"}  # fmt: skip
    for name, method, label in (("heun", Heun(), "heun"), (" sdelab( 0.25 ) ", SDELab(0.25), "sdelab(0.25)")):
        run, other = (BODY.simulate(t_end=0.1, dt=0.01, method=m) for m in (name, method))
        assert same_bits(run, other)
        assert run.config["method"] == other.config["method"] == label
    assert BODY.simulate(t_end=0.1, dt=0.1).config["method"] == "lie-heun"
    assert SDELab(0.1234567891).label == "sdelab(0.1234567891)"
    assert SDELab().label == "sdelab(1)"
    assert DOP853().label == "dop853"


@pytest.mark.parametrize("system", [BALL, sd.load("routh-sphere", coupling="printed")], ids=["variational", "printed"])
def test_forms_and_variables_agree(system):
    """A and B form, momenta and velocities: the same motion."""
    asked = {"t_end": 1, "dt": 0.25, "method": "dop853", "driver": ["sin(t)", "t"][: len(system.noise)]}
    usual = system.simulate(**asked)
    for choice in (sd.Formulation(form="A"), sd.Formulation(form="B"), sd.Formulation(variables="velocity")):
        run = system.simulate(**asked, formulation=choice)
        for name in ("Omega", "Gamma", "g", "x", "energy", "jellett", "momentum-squared", "geometric-centre"):
            np.testing.assert_allclose(run[name], usual[name], rtol=0, atol=1e-11)  # measured 9.2e-13
        again = system.simulate(**asked, t_start=0, state=run.final)
        assert again.good.all()
    assert (
        system.simulate(t_end=0.1, dt=0.1, formulation=sd.Formulation(form="A")).config["method"] == "implicit-midpoint"
    )


class BothWays(sd.StochasticConstraint):
    """v₂ = v₁/2 + 1/20 by a basis and by a covector; the coordinates of D have names of their own."""

    noise = sd.noise.ConstantNoise([[0.1, 0, 0]])

    def coordinates(self, group):
        return {"turn": 1, "speed": 1}

    def distribution(self):
        return sd.Distribution([[1, 0], [0, 1], [0, 0.5]], [0, 0, 0.05])

    def annihilator(self):
        return sd.definition.Annihilator([[0, -0.5, 1]], [0.05])


class Knife(sd.System):
    """A knife edge at an angle."""

    group = sd.SE2()

    def lagrangian(self, xi):
        return (ops.dot(xi.v, xi.v) + xi.nu**2) / 2

    def constraint(self):
        return BothWays()

    @sd.observable()
    def twice(self, state):
        """2 u₂."""
        return 2 * state.speed


def test_coordinates_of_the_distribution_are_known_in_covector_form():
    """A run whose state is ξ gives them, to observables and to what goes on from its end."""
    asked = {"dt": 2**-8, "paths": 2, "seed": 1, "method": "heun"}
    start = {"turn": 0.3, "speed": 0.7}
    b = Knife().simulate(**asked, t_end=0.25, formulation=sd.Formulation(variables="velocity"), state=start)
    a = Knife().simulate(**asked, t_end=0.25, formulation=sd.Formulation(form="A"), state=start)
    for name in ("turn", "speed", "twice", "v", "x"):
        np.testing.assert_allclose(a[name], b[name], rtol=0, atol=1e-14)  # measured 2e-16
    assert set(a.final) == set(b.final)
    on, off = (
        Knife().simulate(**asked, t_end=0.5, formulation=sd.Formulation(form="A"), state=run.final) for run in (a, b)
    )
    np.testing.assert_allclose(on["speed"], off["speed"], rtol=0, atol=1e-14)  # measured 2e-16
    assert np.ptp(on["speed"]) > 1e-3


def test_time_is_that_of_the_step():
    run = BODY.simulate(t_end=0.3, dt=0.1)
    np.testing.assert_array_equal(run.times, [0, 0.1, 0.2, 0.3])
    np.testing.assert_array_equal(run.data.step_times, np.arange(4) * 0.1)
    assert run.config["t_end"] == 0.3


def test_angles_are_unwrapped():
    """θ and φ go on counting over many turns, with noise and from any start."""
    run = DISK.simulate(t_end=50, dt=0.1, paths=3, seed=1, state={"omega": 5.0, "nu": -2.0, "theta": 100.0})
    dW = sd.noise.WienerNoise(1, 2, 0.1).block(range(3), 0, 500, 0.1)
    W = np.concatenate([np.zeros((1, 2, 3)), np.cumsum(dW, axis=0)])
    np.testing.assert_allclose(run["theta"].T, 100 + 5 * run.times[:, None] + 0.1 * W[:, 0], rtol=0, atol=1e-11)
    np.testing.assert_allclose(run["phi"].T, -2 * run.times[:, None] + 0.1 * W[:, 1], rtol=0, atol=1e-11)


def test_keep():
    run = BALL.simulate(t_end=0.1, dt=0.1, save=sd.Save(names=["energy", "x"]))
    assert list(run) == ["x", "energy"]
    assert set(run.final) == {"Omega", "Gamma", "g", "x"}
    assert run.data.units["energy"] == "J"
    assert list(BALL.simulate(t_end=0.1, dt=0.1, save=sd.Save(names=[]))) == []


# -- failures ------------------------------------------------------------------------------------------------------


class Growing(sd.System):
    """A particle beside internal states: z' = z² is infinite at t = 1/z₀, w' = −rate·w is stiff for a large rate."""

    rate = sd.parameter(1.0)
    group = sd.RealSpace(1, coordinates=("x",))

    def lagrangian(self, xi):
        return xi.v**2 / 2

    def internal(self):
        return [
            sd.InternalState("z", 0.0, drift=lambda z: [z.z**2]),
            sd.InternalState("w", 1.0, drift=lambda z: [-self.rate * z.w]),
        ]


@pytest.mark.parametrize("method", ["heun", "lie-heun", "euler-maruyama", "dop853"])
def test_blow_up_is_located_and_left_out(method):
    run = Growing().simulate(t_end=2, dt=0.01, method=method, state={"z": [0.1, 1.0, 0.2, 2.0]}, save="every:10")
    np.testing.assert_array_equal(run.data.status, [0, 1, 0, 1])
    np.testing.assert_array_equal(run.good, [True, False, True, False])
    first, second = run.failures()
    assert (first.path, second.path) == (1, 3)
    blame = "" if method == "dop853" else "z"  # SciPy stops short of the pole, with all components
    assert first.component == second.component == blame
    for failure, pole in ((first, 1.0), (second, 0.5)):
        assert pole <= failure.time <= pole + 0.15  # the steps past the pole overflow; measured 0.05 to 0.14
        where = f"t = {failure.time:g} in z" if blame else f"t = {failure.time:g}"
        assert str(failure) == f"path {failure.path}, {where}: a value is not finite"
    statistics = run.statistics()["z"]
    np.testing.assert_array_equal(statistics["mean"], (run["z"][0] + run["z"][2]) / 2)
    np.testing.assert_allclose(statistics["se"], np.abs(run["z"][0] - run["z"][2]) / 2, rtol=1e-12, atol=1e-16)
    assert np.isfinite(statistics["mean"]).all()
    assert not np.isfinite(run["z"][1, -1])


def test_where_all_paths_fail_the_statistics_are_nan():
    run = Growing().simulate(t_end=2, dt=0.01, state={"z": [1.0, 2.0]}, save="final", method="heun")
    assert not run.good.any()
    assert np.isnan(run.statistics()["z"]["mean"]).all()
    assert np.isnan(Growing().simulate(t_end=1, dt=1, save="final").statistics()["z"]["se"]).all()


@pytest.mark.parametrize("method", ["implicit-midpoint", "lie-midpoint", "sdelab(1)"])
def test_sweeps_that_do_not_contract_are_reported(method):
    """The iterations contract by rate·dt/2 (sdelab: rate·dt): too large a step for one path fails that path."""
    system = Growing(rate=sd.PerPath([1.0, 50.0, 2.0]))
    run = system.simulate(t_end=0.3, dt=0.1, method=method)
    np.testing.assert_array_equal(run.data.status, [0, 6, 0])
    (failure,) = run.failures()
    assert (failure.path, failure.time, failure.component) == (1, 0.1, "")
    assert (
        str(failure)
        == "path 1, t = 0.1: the fixed-point iteration of an implicit step does not contract: the step is too long"
    )
    np.testing.assert_array_equal(run.statistics()["w"]["mean"], (run["w"][0] + run["w"][2]) / 2)
    assert system.simulate(t_end=0.3, dt=0.01, method=method).good.all()


def test_a_noise_that_is_not_finite_fails_its_paths():
    """1/t at t = 0."""

    class Singular(Growing):
        def constraint(self):
            return sd.Unconstrained(noise=sd.noise.PrescribedNoise(lambda t: [[1 / t]]))

    run = Singular().simulate(t_end=0.2, dt=0.1, method="heun", paths=2)
    assert [str(f) for f in run.failures()] == [f"path {p}, t = 0.1: a value is not finite" for p in (0, 1)]


# -- bad input -----------------------------------------------------------------------------------------------------

AT_ONCE = {"t_end": 0.1, "dt": 0.01}
REFUSED = [
    ({"t_end": 0.105}, InputError, ["not a multiple of dt", "got 10.5 steps", "Take t_end ="]),
    ({"t_end": -1}, InputError, ["t_end", "a positive finite number of seconds", "-1"]),
    ({"dt": "small"}, InputError, ["dt", "'small'"]),
    ({"paths": 0}, InputError, ["paths", "a whole number, at least 1", "got 0"]),
    ({"paths": 2.0}, InputError, ["paths", "got 2.0"]),
    ({"paths": True}, InputError, ["paths", "got True"]),
    ({"paths": 3, "state": {"Omega": np.ones((2, 3))}}, InputError, ["paths", "expected 2, as many as per-path", "got 3"]),
    ({"seed": -1}, InputError, ["seed", "from 0 to 2**64 - 1", "-1"]),
    ({"seed": 1.5}, InputError, ["seed", "1.5"]),
    ({"execution": lambda: sd.Execution(threads=0)}, InputError, ["threads", "at least 1"]),
    ({"execution": lambda: sd.Execution(threads="two")}, InputError, ["threads", "'two'"]),
    ({"execution": lambda: sd.Execution(threads=True)}, InputError, ["threads", "a whole number", "True"]),
    ({"save": 3}, InputError, ["save: expected final, all", "got 3"]),
    ({"save": True}, InputError, ["save: expected final, all", "got True"]),
    ({"save": ["a"]}, InputError, ["save: expected final, all", "got ['a']"]),
    ({"reduce": lambda: sd.Reduce("moments", at="x")}, InputError, ["reduce at: expected final, all", "got 'x'"]),
    ({"reduce": 3}, InputError, ["reduce", "sd.Moments()", "got 3"]),
    ({"reduce": sd.Moments}, InputError, ["reduce", "sd.Moments()", "got <class"]),
    ({"save": lambda: sd.Save(names=3)}, InputError, ["names of quantities to save: expected a list of names, got 3"]),
    ({"save": lambda: sd.Save(names=[3])}, InputError, ["names of quantities to save: expected a list of names, got [3]"]),
    ({"save": lambda: sd.Save(names=map(str, ["M"]))}, InputError, ["names of quantities to save: expected a list of names"]),
    ({"checks": lambda: sd.Checks(bounds=["energy"])}, InputError, ["bounds: expected a mapping of quantities"]),
    ({"checks": lambda: sd.Checks(bounds={"energy": True})}, InputError,
     ["a positive number, or None where there is none, got True"]),
    ({"checks": lambda: sd.Checks(bounds={1: 1.0})}, InputError, ["bounds: expected names of quantities, got 1"]),
    ({"execution": lambda: sd.Execution(executor="dask")}, InputError, ["executor: expected a concurrent.futures.Executor",
                                                                        "'dask'"]),
    ({"save": lambda: sd.Save(store=3)}, InputError, ["store: expected a path, got 3"]),
    ({"execution": lambda: sd.Execution(progress="yes")}, InputError, ["progress: expected True or False, got 'yes'"]),
    ({"checks": lambda: sd.Checks(validate="no")}, InputError, ["validate: expected True or False, got 'no'"]),
    ({"checks": lambda: sd.Checks(error_check=1)}, InputError, ["error_check: expected True or False, got 1"]),
    ({"execution": lambda: sd.Execution(engine=None)}, UnknownNameError, ["unknown engine None. Known: auto, compiled, numpy."]),
    ({"checks": lambda: sd.Checks(on_failure=None)}, UnknownNameError, ["unknown treatment of failures None"]),
    ({"formulation": lambda: sd.Formulation(variables=None)}, UnknownNameError, ["unknown state variables None"]),
    ({"formulation": lambda: sd.Formulation(form=["A"])}, UnknownNameError, ["unknown form ['A']", "Known: A, B"]),
    ({"state": {1: 2}}, UnknownNameError, ["unknown state variable of RigidBody 1"]),
    ({"state": {"Omega": np.ma.array([1.0, 2, 3], mask=[1, 0, 0])}}, InputError, ["state variable 'Omega': expected numbers"]),
    ({"state": {"Omega": np.array([1j, 0, 0])}}, InputError, ["state variable 'Omega': expected numbers"]),
    ({"driver": np.zeros((10, 3), dtype=complex)}, InputError, ["the driving path cannot be used"]),
    ({"driver": ["t", "t", "t/0"]}, InputError, ["the driving path is not finite"]),
    ({"method": "huen"}, UnknownNameError, ["unknown method 'huen'", "Did you mean 'heun'?", "lie-midpoint"]),
    ({"method": ""}, UnknownNameError, ["unknown method ''"]),
    ({"method": 5}, InputError, ["method", "a name or an Integrator", "got 5"]),
    ({"method": Heun}, InputError, ["a name or an Integrator"]),
    ({"method": "sdelab(2)"}, InputError, ["sdelab(alpha)", "between 0 and 1", "2"]),
    ({"method": "sdelab(nan)"}, InputError, ["between 0 and 1", "nan"]),
    ({"method": "sdelab(x)"}, InputError, ["sdelab(alpha)", "a number", "'x'"]),
    ({"method": "lie-heun(log)"}, InputError, ["exp or cayley", "'log'"]),
    ({"method": "heun(1)"}, InputError, ["takes no argument", "Write heun."]),
    ({"method": "dop853"}, MethodError, ["cannot follow a Wiener process", "driver='sin(t)'", "driver=0"]),
    ({"method": "dop853", "driver": np.zeros((10, 3))}, MethodError, ["smooth driving path", "as an expression"]),
    ({"method": "euler-maruyama", "driver": ["t", "t", "t"]}, MethodError, ["Itô form", "heun or lie-heun"]),
    ({"method": "euler-maruyama", "driver": 0}, MethodError, ["Itô form"]),
    ({"driver": "sin(t)"}, InputError, ["the driving path", "3 components, one for each noise", "got 1"]),
    ({"driver": np.zeros((10, 2))}, InputError, ["3 components", "got 2"]),
    ({"driver": np.zeros((9, 3))}, InputError, ["increments of 10 steps", "got 9", "as an expression in t"]),
    ({"driver": np.zeros((10, 3, 2)), "paths": 3}, InputError, ["increments of 3 paths", "got 2", "as many paths"]),
    ({"driver": np.zeros(10)}, InputError, ["increments (steps, k) or (steps, k, paths)", "shape (10,)"]),
    ({"driver": np.full((10, 3), np.nan)}, InputError, ["not finite", "index (0, 0)"]),
    ({"driver": [[1], [2, 3]]}, InputError, ["the driving path cannot be used"]),
    ({"driver": ["t", "t", "log(t)"]}, InputError, ["not finite", "t = 0"]),
    ({"driver": ["t", "t", "spam(t)"]}, InputError, ["spam"]),
    ({"driver": {"W": 1}}, InputError, ["not an expression"]),
    ({"driver": sd.noise.DrivingPath.from_increments(np.zeros((5, 3)), 0.01)}, InputError, ["ends before this step", "0.05"]),
    ({"driver": sd.noise.DrivingPath.from_increments(np.zeros((50, 3)), 0.003)}, MethodError, ["a multiple of its resolution"]),
    ({"driver": sd.noise.DrivingPath.from_increments(np.zeros((10, 3, 2)), 0.01), "paths": 3}, InputError, ["paths below 2"]),
    ({"driver": sd.Wiener(0.003)}, MethodError, ["not defined at this step", "Take dt ="]),
    ({"save": "often"}, InputError, ["save", "final, all, every:K", "'often'"]),
    ({"save": [0.055]}, InputError, ["a time to save", "a multiple of 0.01 from 0 to 0.1", "got 0.055"]),
    ({"save": lambda: sd.Save(names=["energi"])}, UnknownNameError, ["quantity to save 'energi'", "Did you mean 'energy'?"]),
    ({"save": lambda: sd.Save(names="energy")}, InputError, ["a list of names", "['energy']"]),
    ({"formulation": lambda: sd.Formulation(form="C")}, UnknownNameError, ["form", "'C'", "A, B"]),
    ({"formulation": lambda: sd.Formulation(form="A")}, InputError, ["no covectors", "form='B'"]),
    ({"formulation": lambda: sd.Formulation(variables="speed")}, UnknownNameError, ["'speed'", "momentum, velocity"]),
    ({"state": {"Omega": (1, 2, 3), "spin": 1}}, UnknownNameError, ["'spin'", "Omega, M, Gamma, g"]),
    ({"state": 3}, InputError, ["a mapping of names to values"]),
    ({"paths": 10**9, "save": "final"}, InputError, ["does not fit into memory", "4 GB", "save='every:K'"]),
    ({"t_end": 1000, "paths": 10**5}, InputError, ["does not fit into memory", "sd.Save(names=[…])"]),
    ({"t_end": 1e6, "dt": 1e-6}, InputError, ["too many times to save"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "error", "parts"), REFUSED, ids=[f"{next(iter(p[0]))}: {p[2][0][:40]}" for p in REFUSED]
)
def test_bad_input_is_refused_before_the_first_step(given, error, parts, monkeypatch):
    monkeypatch.setattr("semidirect.engines.built_in.numpy_engine.NumpyEngine.run", None)
    with pytest.raises(error) as caught:
        BODY.simulate(
            **AT_ONCE | {name: value() if isinstance(value, FunctionType) else value for name, value in given.items()}
        )
    for part in parts:
        assert part in str(caught.value), str(caught.value)


def test_states_and_parameters_of_different_numbers_of_paths():
    with pytest.raises(InputError, match=r"different numbers of paths.*2, 3"):
        BALL.replace(mass=sd.PerPath([1, 2, 3])).simulate(**AT_ONCE, state={"Omega": np.ones((2, 3))})
    with pytest.raises(InputError, match="expected 3, as many as per-path values, got 4"):
        BALL.replace(mass=sd.PerPath([1, 2, 3])).simulate(**AT_ONCE, paths=4)
    with pytest.raises(InputError, match="different numbers of paths"):
        BALL.replace(mass=sd.PerPath([1, 2, 3]), radius=sd.PerPath([1, 2])).simulate(**AT_ONCE)


def test_the_cayley_map_is_refused_where_it_leaves_the_group():
    class Sheared(sd.System):
        group = sd.groups.MatrixGroup([[[1, 0], [0, 2]]], blocks=("v",))

        def lagrangian(self, xi):
            return xi.v**2 / 2

    assert not Sheared.group.quadratic
    with pytest.raises(MethodError, match=r"the Cayley map leaves.*\(exp\)"):
        Sheared().simulate(**AT_ONCE, method="lie-heun(cayley)")
    assert Sheared().simulate(**AT_ONCE, method="lie-heun").good.all()


def test_errors_of_a_definition_pass_through():
    class Broken(sd.System):
        group = sd.SO3()

        def lagrangian(self, xi):
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        Broken().simulate(**AT_ONCE)
