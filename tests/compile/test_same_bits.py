"""NumPy and compiled kernels give the same bits: each system under one method, each variant of a kernel."""

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.compile.of_equations import OfEquations
from semidirect.core.failure import BLOW_UP, NO_CONTRACTION

PATHS = 70  # more than one block of 64 lanes, and not a multiple


def same(system, *, paths=PATHS, t_end=0.3, dt=0.02, save="every:7", **options):
    """Both engines on one run: the compiled one, after everything in it has been found equal."""
    runs = [
        system.simulate(
            t_end=t_end, dt=dt, paths=paths, seed=11, save=save, execution=sd.Execution(engine=engine), **options
        )
        for engine in ("numpy", "compiled")
    ]
    first, second = runs
    assert list(first.data) == list(second.data)
    for name in first.data:
        assert first[name].tobytes() == second[name].tobytes(), name
    for name in first.final:
        assert first.final[name].tobytes() == second.final[name].tobytes(), name
    assert [str(f) for f in first.failures()] == [str(f) for f in second.failures()]
    assert first.config == second.config
    return second


def moved(run, name):
    """Whether the paths of a run differ in a quantity, so that something has been compared."""
    return len({values.tobytes() for values in run[name]}) == run.paths


def test_an_implicit_method():
    """The other methods are compared in tests/ensemble/test_engines.py."""
    run = same(sd.load("rigid-body"), method="sdelab(1)")
    assert moved(run, "M")
    assert not run.failures()


class Pendulums(sd.System):
    """Elementary functions everywhere: a Lagrangian with sqrt, noise with sin, cos, exp and log, and explicit time."""

    stiffness = sd.parameter(1.3)
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    initial = {"Omega": (0.3, -0.4, 1.0), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi, a, t):
        potential = ops.sqrt(1 + self.stiffness * a.Gamma[2] ** 2) + 0.1 * ops.cos(2 * t) * a.Gamma[0]
        return (ops.dot(xi.Omega, xi.Omega) + xi.Omega[2] ** 2) / 2 - potential

    def constraint(self):
        def amplitudes(a, t):
            return [0.1 * ops.stack([ops.sin(3 * t), ops.exp(-t) * a.Gamma[0], ops.log(2 + t + a.Gamma[1])])]

        return sd.Unconstrained(noise=sd.StateNoise(amplitudes))


class Volatile(sd.System):
    """Amplitudes of the noise with a dynamics of their own."""

    group = sd.SO3()
    initial = {"Omega": (0.3, -0.4, 1.0)}

    def lagrangian(self, xi):
        return (ops.dot(xi.Omega, xi.Omega) + xi.Omega[2] ** 2) / 2

    def constraint(self):
        drift, diffusion = (lambda t: [[t, 0, 1], [0, 1, 0]]), [[0.1, 0, 0], [0, 0.2, 0.1]]
        return sd.Unconstrained(noise=sd.noise.VolatilityNoise([[0.1, 0, 0], [0, 0.1, 0.2]], drift, diffusion))


class Veselova(sd.System):
    """ΩΓ = 0 by covectors: the A form."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    initial = {"Omega": (1.0, 0.5, 0.0), "Gamma": (0.0, 0.0, 1.0)}

    def lagrangian(self, xi):
        return (ops.dot(xi.Omega, xi.Omega) + xi.Omega[0] ** 2) / 2

    def constraint(self):
        return sd.CovectorConstraint(lambda a: [a.Gamma], noise=[[0.1, 0.05, 0.0]])


SYSTEMS = {
    "ball": (sd.load("routh-sphere", noise=[[0.05, 0, 0.1]]), "lie-heun", "M"),
    "ball, printed": (sd.load("routh-sphere", coupling="printed", noise=[[0.1, 0, 0]]), "heun", "M"),
    "ball, vertical noise": (sd.load("chaplygin-ball", noise=[], vertical_noise=[0.1]), "lie-midpoint", "M"),
    "ball, varied vertical noise": (sd.load("chaplygin-ball", noise=[], vertical_noise=[0.1], vertical="varied"), "heun", "M"),
    "disk, printed": (sd.load("rolling-disk"), "lie-heun", "phi"),
    "disk, rolling noise": (sd.load("rolling-disk", variant="rolling-noise"), "heun", "phi"),
    "heavy top": (sd.load("heavy-top"), "lie-heun", "M"),
    "rigid body with vertical": (sd.load("rigid-body", advect_gamma=True), "lie-heun", "M"),
    "A form": (Veselova(), "implicit-midpoint", "Omega"),
    "volatility": (Volatile(), "lie-heun", "xi1"),
    "elementary functions and time": (Pendulums(), "lie-heun", "M"),
}  # fmt: skip


@pytest.mark.parametrize("label", SYSTEMS)
def test_systems(label):
    system, method, name = SYSTEMS[label]
    run = same(system, method=method)
    assert moved(run, name)
    assert not run.failures()


BODY = sd.load("rigid-body")
CORRELATED = [[1.0, 0.5, 0.0], [0.5, 2.0, -0.3], [0.0, -0.3, 0.5]]


def per_path(count):
    moments = np.linspace(1.0, 1.5, count)[:, None] * [1.0, 1.2, 1.4]
    return sd.load("rigid-body", inertia=sd.PerPath(moments))


VARIANTS = {
    "parameters per path": lambda: same(per_path(PATHS), method="heun"),
    "states per path": lambda: same(BODY, method="heun", state={"Omega": np.linspace(0.5, 1.5, 3 * PATHS).reshape(PATHS, 3)}),
    "one path": lambda: same(BODY, method="heun", paths=1),
    "few paths, parameters per path": lambda: same(per_path(3), method="heun", paths=3),
    "finer noise": lambda: same(BODY, method="heun", driver=sd.Wiener(0.02 / 4)),
    "coarser noise": lambda: same(BODY, method="heun", t_end=0.32, driver=sd.Wiener(0.08)),
    "correlated noise": lambda: same(BODY, method="heun", driver=sd.Wiener(covariance=CORRELATED)),
    "correlated noise, finer": lambda: same(BODY, method="heun", driver=sd.Wiener(0.01, CORRELATED)),
    "three-point increments": lambda: same(BODY, method="heun", driver=sd.Wiener(increment_law="three-point")),
}  # fmt: skip


@pytest.mark.parametrize("label", VARIANTS)
def test_variants(label):
    run = VARIANTS[label]()
    if label == "three-point increments":  # 3^3 increments a step: paths may meet, but not all of them
        assert len({values.tobytes() for values in run["M"]}) > run.paths / 2
    else:
        assert moved(run, "M")


DRIVES = {
    "expression": ["sin(t)", "t", "t**2"],
    "increments": np.random.default_rng(0).normal(size=(15, 3)) * 0.1,
    "increments per path": np.random.default_rng(0).normal(size=(15, 3, PATHS)) * 0.1,
    "nothing": 0,
}


@pytest.mark.parametrize("label", DRIVES)
def test_drives(label):
    run = same(BODY, method="heun", driver=DRIVES[label])
    assert moved(run, "M") == (label == "increments per path")


def test_where_a_run_is_cut_does_not_matter():
    """An odd number of steps in a stretch divides a pair of steps that share their random words."""
    saved = [
        BODY.simulate(t_end=0.3, dt=0.02, paths=9, method="heun", save=s, execution=sd.Execution(engine="compiled"))
        for s in ("all", "final")
    ]
    assert saved[0].final["Omega"].tobytes() == saved[1].final["Omega"].tobytes()


def test_a_path_alone_is_the_path_among_many():
    """One lane or 64 is a matter of speed."""
    together = BODY.simulate(
        t_end=0.3, dt=0.02, paths=PATHS, method="heun", save="final", execution=sd.Execution(engine="compiled")
    )
    for paths in (1, 8, 9):
        alone = BODY.simulate(
            t_end=0.3, dt=0.02, paths=paths, method="heun", save="final", execution=sd.Execution(engine="compiled")
        )
        assert alone["M"].tobytes() == together["M"][:paths].tobytes()


def test_blow_ups_are_located_alike():
    starts = np.tile([1.0, 0.5, -0.3], (PATHS, 1))
    starts[[3, 64]] = 1e160, 1e155, 2.0
    run = same(BODY, method="heun", state={"Omega": starts}, t_end=2.0)
    failures = run.failures()
    assert [f.path for f in failures] == [3, 64]
    assert {int(run.data.status[f.path]) for f in failures} == {BLOW_UP}
    assert all(f.time > 0 for f in failures)


def test_sweeps_that_do_not_contract_are_located_alike():
    starts = np.tile([1.0, 0.5, -0.3], (PATHS, 1))
    starts[[5, 66]] = 150.0, 90.0, -60.0  # h |Ω| > 1: the iterations do not contract
    run = same(BODY, method="implicit-midpoint", state={"Omega": starts})
    assert NO_CONTRACTION in run.data.status
    assert set(np.flatnonzero(run.data.status)) == {5, 66}


def test_bits_of_a_run_are_known():
    """The same on every machine; a change of these is a change of every stored run."""
    run = BODY.simulate(
        t_end=0.3, dt=0.02, paths=9, seed=11, method="lie-heun", save="final", execution=sd.Execution(engine="compiled")
    )
    assert [x.hex() for x in run["M"][8, -1].tolist()] == KNOWN_BITS


KNOWN_BITS = ["0x1.ee0c692905fa2p-1", "0x1.bfb331fa2665dp-1", "-0x1.0e3be1966b233p+0"]


@pytest.mark.parametrize("name", ["routh-sphere", "rattleback", "rolling-disk", "heavy-top"])
def test_what_a_run_saves_is_read_by_compiled_functions(monkeypatch, name):
    """All quantities at all times, with paths that stop, and statistics of them."""
    from semidirect.compile.row_functions import readers as reader

    monkeypatch.setattr(reader, "USES", OfEquations())
    monkeypatch.setattr(reader, "WORTH_LOADING", 0.0)
    monkeypatch.setattr(reader, "WORTH_COMPILING", 0.0)
    same(
        sd.load(name),
        save="all",
        stop=[sd.Stop("energy", above=1e9)],
        reduce=sd.Reduce(["moments", sd.Extremes(["energy"])], at="every:3"),
    )
    uses = reader.USES.all()
    assert uses
    assert all(use.reader is not None for use in uses)
