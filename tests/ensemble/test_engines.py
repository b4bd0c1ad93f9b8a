"""Compiled kernels against array code: the same bits, the same failures, whatever drives the run."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.compile import kernel_call
from semidirect.core.errors import UnknownNameError
from semidirect.core.failure import NO_CONTRACTION, REASONS

TOO_LONG = REASONS[NO_CONTRACTION]
BODY = sd.load("rigid-body", advect_gamma=True)
BALL = sd.load("rolling-ball", noise=[[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]])


class Driven(sd.System):
    """Something of everything: time, an internal state, forces with noise of both kinds, a covector, a Cayley map of SE(3)."""

    group = sd.SE3()
    advected = {name: q for name, q in sd.AdvectedFrame(group).items() if name in ("Gamma", "b")}
    initial = {"Omega": (0.4, -0.2, 1.5), "Y": (0.3, 0.1, 0.0), "Gamma": (0, 0, 1), "b": (0, 0, 0, 1)}

    def lagrangian(self, xi, a, t):
        kinetic = ops.dot(xi.Omega, ops.inertia(ops.array([0.3, 0.5, 0.7]), xi.Omega)) + ops.dot(xi.Y, xi.Y)
        return kinetic / 2 - 0.3 * ops.cos(2 * t) * ops.sin(a.Gamma[0]) + 0.1 * ops.exp(-(a.b[2] ** 2))

    def internal(self):
        return [sd.InternalState("z", 0.4, drift=lambda t, z: [-0.5 * z.z + ops.sin(t)], noise=[[0.3]])]

    def constraint(self):
        noise = sd.StateNoise(lambda a, z: [ops.stack([z.z * a.Gamma[0], 0.1, 0, 0, 0.2, 0])])
        return sd.CovectorConstraint(lambda a: [[0, 0, 0, a.Gamma[0], a.Gamma[1], a.Gamma[2]]], noise=noise)

    def force(self, xi):
        return (-0.1 * xi.Omega, -0.2 * xi.Y)

    def independent_force(self, a):
        return [(0.1 * a.Gamma, ops.zeros(3))]


class Plane(sd.System):
    """Circles, a plane motion and a group without a closed exponential."""

    group = sd.DirectProduct(sd.SE2(), sd.groups.Torus(2), sd.groups.SO(4, blocks=("W",)))

    def lagrangian(self, xi):
        return sum(ops.dot(x, x) if np.ndim(x) else x**2 for x in xi.values()) / 2

    def constraint(self):
        n = self.group.dimension
        return sd.Unconstrained(noise=[[0.1 * (1 + (i * j) % 3) for j in range(n)] for i in range(2)])


def same(run, other):
    """The same bits where a path is good (or kept before it failed); the same failures."""
    for name in ("status", "failed_at", "failed_component", "times"):
        assert getattr(run.data, name).tobytes() == getattr(other.data, name).tobytes(), name
    for part in ("data", "final"):
        ours, theirs = getattr(run, part), getattr(other, part)
        assert list(ours) == list(theirs)
        for name in ours:
            assert ours[name].shape == theirs[name].shape
            assert ours[name][run.good].tobytes() == theirs[name][run.good].tobytes(), name
            np.testing.assert_array_equal(np.isfinite(ours[name]), np.isfinite(theirs[name]))
    assert dict(run.config) == dict(other.config)
    return run


def both(system, **options):
    """A run by both engines, found the same."""
    runs = [
        system.simulate(**{"t_end": 0.4, "dt": 0.01, "seed": 9, **options}, execution=sd.Execution(engine=e))
        for e in ("numpy", "compiled")
    ]
    return same(*runs)


@pytest.mark.parametrize(
    "method",
    [
        "heun",
        "euler-heun",
        "sdelab(0.5)",
        "implicit-midpoint",
        "euler-maruyama",
        "lie-heun",
        "lie-heun(exp)",
        "lie-midpoint",
    ],
)
def test_methods(method):
    """70 paths fill one lane block and a part of another."""
    run = both(BODY, paths=70, method=method, save="every:7")
    assert run.good.all()
    assert np.abs(run["M"][:, -1] - run["M"][:, 0]).min() > 1e-5


@pytest.mark.parametrize(
    ("system", "method"),
    [(BALL, "lie-heun"), (sd.load("rolling-disk"), "lie-heun"), (Driven(), "implicit-midpoint"), (Plane(), "heun"),
     (sd.load("chaplygin-ball", coupling="printed"), "euler-maruyama")],
    ids=["ball", "disk", "driven", "plane", "chaplygin"],
)  # fmt: skip
def test_systems(system, method):
    assert both(system, paths=3, method=method).good.all()


def test_parameters_and_states_per_path():
    rng = np.random.default_rng(1)
    system = BALL.replace(mass=sd.PerPath(rng.uniform(0.5, 2, 70)), noise=sd.PerPath(rng.normal(size=(70, 2, 3))))
    both(system, method="heun", state={"Omega": rng.normal(size=(70, 3))})


@pytest.mark.parametrize(
    "driven",
    [
        {"driver": sd.Wiener(0.0025)},
        {"driver": sd.Wiener(0.02)},
        {"driver": sd.Wiener(0.01 * (1 + 1e-15))},
        {"driver": 0},
        {"driver": ["sin(t)", "t", "exp(-t)"]},
        {"driver": np.random.default_rng(2).normal(size=(700, 3, 70)) / 10},
        {"driver": np.random.default_rng(2).normal(size=(700, 3)) / 10},
    ],
    ids=["refined", "summed", "nearly", "zero", "smooth", "increments-each", "increments-all"],
)
def test_what_drives(driven):
    """Over more steps than a kernel is given increments for at once."""
    both(BODY, paths=70, method="heun", t_end=6, save=[0.03, 1, 2.57], **driven)


@pytest.mark.parametrize("save", ["all", "final", "every:3", [0.05, 0.06, 0.33]])
def test_what_is_kept(save):
    """A pair of normals serves two steps; a kept time may fall between them."""
    both(BODY, paths=2, method="heun", save=save)


def test_chunks_and_threads(monkeypatch):
    whole = BODY.simulate(
        t_end=0.4, dt=0.01, paths=300, seed=9, method="heun", execution=sd.Execution(engine="compiled")
    )
    monkeypatch.setattr("semidirect.specification.run_spec.RunSpec.usual_chunk", lambda *given: 128)
    monkeypatch.setattr("semidirect.engines.built_in.kernel_engine.STEPS_AT_ONCE", 7)
    for threads in (1, 3):
        same(
            whole,
            BODY.simulate(
                t_end=0.4,
                dt=0.01,
                paths=300,
                seed=9,
                method="heun",
                execution=sd.Execution(engine="compiled", threads=threads),
            ),
        )


def test_threads_that_need_one_new_kernel(monkeypatch, tmp_path):
    """The first imports it, the others wait until they may use it."""
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path))
    monkeypatch.setattr("semidirect.specification.run_spec.RunSpec.usual_chunk", lambda *given: 64)
    system = Growing(rate=0.5)
    run = system.simulate(
        t_end=1, dt=0.1, paths=256, method="euler-heun", execution=sd.Execution(engine="compiled", threads=4)
    )
    assert len(list(tmp_path.rglob("*.machine"))) == 1
    same(run, system.simulate(t_end=1, dt=0.1, paths=256, method="euler-heun", execution=sd.Execution(engine="numpy")))


class Growing(sd.System):
    """z' = z² is infinite at 1/z₀; w' = −rate·w is stiff for a large rate."""

    rate = sd.parameter(1.0)
    group = sd.RealSpace(1)

    def lagrangian(self, xi):
        return xi.v**2 / 2

    def internal(self):
        return [
            sd.InternalState("z", 0.0, drift=lambda z: [z.z**2]),
            sd.InternalState("w", 1.0, drift=lambda z: [-self.rate * z.w]),
        ]


@pytest.mark.parametrize("save", ["final", "every:10", "all"])
def test_failures(save):
    """Each path's first failure: step, component and reason."""
    run = both(Growing(), t_end=2, state={"z": np.linspace(0.1, 2, 70)}, method="heun", save=save)
    assert run.good.sum() == 15  # 1/z₀ > 2
    assert {f.component for f in run.failures()} == {"z"}
    system = Growing(rate=sd.PerPath(np.linspace(1, 400, 70)))
    run = both(system, t_end=0.1, method="implicit-midpoint", save=save)
    assert run.good.sum() == 35  # where iterations contract, rate·dt/2 < 1
    assert {f.reason for f in run.failures()} == {TOO_LONG}


def test_engines_by_name():
    with pytest.raises(UnknownNameError, match=r"unknown engine 'fortran'.*auto, compiled, numpy"):
        BODY.simulate(t_end=1, dt=0.1, execution=sd.Execution(engine="fortran"))


def test_a_long_run_is_compiled_without_being_asked(monkeypatch):
    from semidirect.engines.built_in.kernel_engine import KernelEngine

    used = []
    run = KernelEngine.run
    monkeypatch.setattr(KernelEngine, "run", lambda *a: (used.append(1), run(*a))[1])
    BODY.simulate(t_end=1, dt=0.01, method="heun", save="final")
    assert not used
    BODY.simulate(t_end=100, dt=0.01, paths=200, method="heun", save="final")
    assert used


def test_a_failure_in_a_long_run_is_found_soon():
    """The path is stepped again from the last 4096 steps only, although nothing was kept between."""
    run = Growing().simulate(
        t_end=600,
        dt=0.005,
        state={"z": [0.002, -1.0]},
        method="heun",
        save="final",
        execution=sd.Execution(engine="compiled"),
    )
    (failure,) = run.failures()
    assert failure.component == "z"
    assert 500 < failure.time < 500.2  # measured 500.025


def test_one_kernel_whatever_is_saved(monkeypatch):
    """What is saved, kept, reduced or looked at is no part of a kernel."""
    from semidirect.compile.kernels import KERNELS
    from semidirect.machine.cache.compiled_function import CompiledFunction

    BODY.simulate(t_end=0.1, dt=0.05, paths=9, execution=sd.Execution(engine="compiled"), save="final")
    before = KERNELS.all(), dict(CompiledFunction._known)
    for how in (
        {"save": "all"}, {"save": "every:2"}, {"save": [0.05]}, {"save": sd.Save(names=[])},
        {"save": sd.Save(names=["Omega"]), "paths": 70},
        {"reduce": "moments", "save": sd.Save(names=[])}, {"stop": sd.Stop("energy", above=1e9)},
        {"checks": sd.Checks({"energy": 1e9})},
    ):  # fmt: skip
        BODY.simulate(**{"t_end": 0.1, "dt": 0.05, "paths": 9, "execution": sd.Execution(engine="compiled"), **how})
    assert (KERNELS.all(), CompiledFunction._known) == before


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no affinity of processes")
def test_threads_are_as_many_as_the_process_may_use(monkeypatch):
    from semidirect.engines.stepping.tasks import usable_cores

    for cores in ({0}, {0, 3, 5}):
        if hasattr(os, "process_cpu_count"):
            monkeypatch.setattr(os, "process_cpu_count", lambda cores=cores: len(cores))
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: cores)
        monkeypatch.setattr(os, "cpu_count", lambda: 64)
        assert usable_cores() == len(cores)
        run = BODY.simulate(t_end=0.05, dt=0.05, paths=64 * 12, execution=sd.Execution(engine="compiled"), save="final")
        assert 1 <= len(run.data.work.chunks) <= len(cores)


def test_one_worker_takes_larger_chunks_and_leaves_the_same_bits():
    how = {
        "t_end": 0.1,
        "dt": 0.05,
        "paths": 3000,
        "reduce": "moments",
        "save": "final",
    }
    one, two = (BODY.simulate(**how, execution=sd.Execution(n, engine="compiled")) for n in (1, 2))
    assert one.data.work.chunks.total() < two.data.work.chunks.total()
    for name in two:
        assert one[name].tobytes() == two[name].tobytes()
    for name, values in two.reductions["moments"].taken.partial.items():
        assert one.reductions["moments"].taken.partial[name].tobytes() == values.tobytes()


@settings(max_examples=60, deadline=None)
@given(d=st.integers(0, 4), paths=st.integers(1, 200), lanes=st.sampled_from([1, 8, 64]), same=st.booleans())
def test_lane_blocks_hold_copies_of_the_paths(d, paths, lanes, same):
    """What is kept to run a block again does not change while a kernel steps the blocks in place."""
    rows = np.arange(d * paths, dtype=float).reshape(d, paths)
    rows = np.broadcast_to(rows[:, :1], (d, paths)) if same else rows
    blocks = kernel_call.as_lanes(rows, lanes)
    back = kernel_call.as_paths(blocks, paths)
    assert blocks.shape == (-(-paths // lanes), d, lanes)
    assert (back == rows).all()
    assert not np.shares_memory(blocks, rows)
    assert not np.shares_memory(blocks, back)
    padded = blocks.transpose(1, 0, 2).reshape(d, blocks.shape[0] * lanes)
    assert (padded[:, paths:] == rows[:, -1:]).all()
