"""Noise of Sobol points: its law, its bits, the errors from replications, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import stdtrit

import semidirect as sd
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from semidirect.core import errors
from semidirect.random.sobol_noise import SobolNoise
from semidirect.statistics import OfQuantities

R, PATHS = 4, 256
NUMPY, COMPILED = sd.Execution(engine="numpy"), sd.Execution(engine="compiled")
STATISTICS = (
    sd.Moments(["M", "where(M2 > 0, 1, 0)"]), sd.Covariance(["M"]), sd.Histogram("energy", 0.0, 2.0), sd.Extremes(["energy"]),
    sd.FirstPassage("energy", 0.9), sd.TimeAverage(["energy"]),
)  # fmt: skip


@pytest.fixture(scope="module")
def body():
    return sd.load("rigid-body", noise=[[0.35, 0, 0], [0, 0.25, 0], [0, 0, 0.2]])


def simulated(body, **more):
    call = {
        "t_end": 0.5,
        "dt": 1 / 32,
        "paths": PATHS,
        "seed": 3,
        "method": "lie-heun",
        "driver": sd.noise.Sobol(R),
    } | more
    return body.simulate(**call)


@pytest.fixture(scope="module")
def run(body):
    return simulated(body, reduce=list(STATISTICS), execution=NUMPY)


def noise(components=2, steps=40, **more):
    return SobolNoise(5, components, 0.25, None, "normal", None, None, R, 0, steps, **more)


def same(a, b):
    for key, one in a.reductions.items():
        for name, array in one.taken.partial.items():
            np.testing.assert_array_equal(array, b.reductions[key].taken.partial[name])
    np.testing.assert_array_equal(a["M"], b["M"])


def test_each_path_is_a_wiener_process():
    """Increments within intervals of several steps, over their ends, and at half the step: all independent."""
    process, paths = noise(components=90), range(1024)
    assert np.diff(process.bounds).max() == 20
    steps = process.block(paths, 0, 40, 0.25)[[0, 1, 19, 20, 39]][:, [0, 89]] / 0.5
    halves = process.block(paths, 4, 2, 0.125)[:, :2] / 0.125**0.5
    z = np.concatenate([steps.reshape(10, -1), halves.reshape(4, -1)])
    assert np.abs(np.cov(z) - np.eye(14)).max() < 5 / 32  # 1024 independent paths have errors of 1/32; measured 0.08
    assert np.abs(z.mean(axis=1)).max() < 3 / 32
    one = noise(components=1, steps=40)
    assert len(one.bounds) == 41
    W = one.block(paths, 0, 40, 0.25)[:, 0].cumsum(axis=0)
    assert (
        np.abs(np.cov(W[[4, 9, 20, 39]]) - np.minimum.outer(*2 * [np.array([5, 10, 21, 40]) / 4])).max() < 0.3
    )  # measured 0.04


@pytest.mark.parametrize("components", [1, 90])
def test_an_increment_depends_on_its_path_and_step_alone(components):
    process, some = noise(components), np.array([3, 7, 250, 8, 1])
    whole = process.block(range(256), 0, 40, 0.25)
    np.testing.assert_array_equal(process.block(some, 0, 40, 0.25), whole[:, :, some])
    for step in (0, 19, 20, 39):
        np.testing.assert_array_equal(process.increments(some, step, 0.25), whole[step][:, some])
    np.testing.assert_array_equal(
        process.block_from(some, np.array([0, 3, 3, 20, 37]), 3, 0.25)[:, :, 2], whole[3:6, :, 250]
    )


def test_results_do_not_depend_on_threads_engines_or_restarts(body, run, tmp_path):
    same(run, simulated(body, reduce=list(STATISTICS), execution=sd.Execution(engine="numpy", threads=2)))
    same(run, simulated(body, reduce=list(STATISTICS), execution=COMPILED))
    stored = simulated(body, reduce=list(STATISTICS), save=sd.Save("all", store=tmp_path / "run"))
    same(run, sd.Run.load(tmp_path / "run"))
    few = simulated(body, reduce=list(STATISTICS), paths=64, save=sd.Save("all", store=tmp_path / "few"))
    same(run, sd.extend(tmp_path / "few", paths=PATHS))
    same(run, sd.extend(simulated(body, reduce=list(STATISTICS), paths=64), paths=PATHS))
    assert stored.config["noise"]["kind"] == "sobol"
    assert few.reductions["moments"].freedom == R - 1


def test_errors_are_those_between_replications(run):
    """From the saved values of the paths, for each statistic."""
    M, energy = np.asarray(run["M"]), np.asarray(run["energy"])

    def between(values):
        each = np.array([values(np.arange(r, PATHS, R)) for r in range(R)])
        return each.std(axis=0, ddof=1) / np.sqrt(R)

    found = run.reductions
    moments = found["moments"]
    assert len(moments.replications) == R
    np.testing.assert_allclose(moments.mean["M"], M.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(moments.standard_error["M"], between(lambda p: M[p].mean(axis=0)), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(run.statistics()["M"]["se"], between(lambda p: M[p].mean(axis=0)), rtol=1e-9, atol=1e-15)
    event = moments.standard_error["where(M2 > 0, 1, 0)"]
    share = between(lambda p: (M[p, :, 1] > 0).mean(axis=0))
    np.testing.assert_allclose(event[share > 0], share[share > 0], rtol=1e-9)
    assert (event[share == 0] > 0).all()
    assert (share == 0).any()
    error = between(lambda p: np.stack([np.cov(x.T) for x in M[p].swapaxes(0, 1)]))
    np.testing.assert_allclose(found["covariance"].matrix_error, error, rtol=1e-8, atol=1e-15)
    np.testing.assert_allclose(found["covariance"].standard_error, moments.standard_error["M"], rtol=1e-9, atol=1e-15)
    average = found["time-average"]
    np.testing.assert_allclose(average.standard_error["energy"], between(lambda p: energy[p].mean()), rtol=1e-9)
    np.testing.assert_allclose(average.error_from_paths["energy"], average.standard_error["energy"])
    passed = found["first-passage:energy"]
    error = between(lambda p: 1 - np.maximum.accumulate(energy[p] >= 0.9, axis=1).mean(axis=0))
    assert (error > 0).any()
    np.testing.assert_allclose(passed.share_error[error > 0], error[error > 0], rtol=1e-9)
    np.testing.assert_allclose(passed.survival_error[error > 0], error[error > 0], rtol=1e-9)
    low, high = found["histogram:energy"].quantile_intervals(0.5)[-1]
    each = np.sort(energy[:, -1].reshape(-1, R), axis=0)[PATHS // R // 2 - 1]
    half = stdtrit(R - 1, 0.975) * (np.floor(each / 0.02) * 0.02).std(ddof=1) / np.sqrt(R)
    assert high - low == pytest.approx(2 * half, abs=0.04)  # two bins
    assert low < np.median(energy[:, -1]) < high


def test_variances_of_means_are_much_smaller(body):
    how = {"paths": 16 * 256, "save": sd.Save("final", []), "reduce": sd.Moments(["M"])}
    ours, plain = (simulated(body, driver=d, **how).reductions["moments"] for d in (sd.noise.Sobol(16), None))
    ratio = (plain.standard_error["M"][-1] / ours.standard_error["M"][-1]) ** 2
    assert (ratio > 30).all()  # measured 310 to 870
    assert (np.abs(ours.mean["M"][-1] - plain.mean["M"][-1]) < 4 * plain.standard_error["M"][-1]).all()


def scattered(rng, count):
    Omega = rng.normal([0.5, 0.1, -0.3], [0.1, 0.2, 0.3], size=(count, 3))
    return {"Omega": Omega + 0.01 * rng.exponential(size=(count, 1)) * rng.uniform(-1, 1, count)[:, None]}


@pytest.mark.parametrize("driver", [None, sd.noise.Sobol(R)])
def test_random_starts_belong_to_their_paths(body, driver):
    few, many = (simulated(body, paths=n, driver=driver, state=scattered) for n in (64, 512))
    np.testing.assert_array_equal(few["M"], many["M"][:64])
    start = np.asarray(many["Omega"])[:, 0]
    error = np.array([0.1, 0.2, 0.3]) / np.sqrt(512)
    assert (np.abs(start.mean(axis=0) - [0.5, 0.1, -0.3]) < 4 * error).all()
    assert np.abs(start.std(axis=0) / [0.1, 0.2, 0.3] - 1).max() < 0.15
    assert not np.array_equal(
        start, np.asarray(simulated(body, paths=512, driver=driver, state=scattered, seed=4)["Omega"])[:, 0]
    )


def test_random_starts_and_noise_are_independent_and_both_have_points(body):
    many = simulated(body, paths=4096, state=scattered)
    start, process = np.asarray(many["Omega"])[:, 0], many.data.specification.driver
    assert process.of_start == 5
    W = process.block(range(4096), 0, 16, 1 / 32).sum(axis=0)
    assert np.abs(np.corrcoef(np.concatenate([start.T, W]))[:3, 3:]).max() < 4 / 64
    each = start.reshape(-1, R, 3).mean(axis=0)
    assert (each.std(axis=0) < 0.1 * np.array([0.1, 0.2, 0.3]) / 32).all()  # measured 0.014 and less


def test_without_noise_the_points_are_those_of_the_starts():
    still = sd.load("rigid-body")
    run = still.simulate(
        t_end=0.5, dt=1 / 16, paths=4096, driver="sobol", state=scattered, reduce=sd.Moments(["M"]), method="rkmk4"
    )
    found = run.reductions["moments"]
    assert found.freedom == 15
    plain = np.asarray(run["M"])[:, -1].std(axis=0) / 64
    assert (found.standard_error["M"][-1] < 0.2 * plain).all()  # measured 0.06 and less


@dataclass(frozen=True, eq=False)
class Largest(OfQuantities):
    """A statistic of another package that does not know replications."""

    kind = "largest of a test"
    quantities: tuple[str, ...] | None = None
    label: str = "largest"

    def accumulator(self, paths, times, sizes):
        raise AssertionError

    merged = reduced = accumulator


REFUSED = {
    "paths": lambda b, r: simulated(b, paths=254),
    "replications": lambda b, r: sd.noise.Sobol(3),
    "longer": lambda b, r: sd.extend(r, t_end=1.0),
    "continued": lambda b, r: simulated(b, state=r.final, t_end=1.0),
    "stepper": lambda b, r: b.ensemble(dt=0.1, paths=16, driver="sobol"),
    "lyapunov": lambda b, r: sd.lyapunov(b, t_end=1.0, dt=0.1, paths=16, driver="sobol"),
    "monitor": lambda b, r: sd.analysis.monitor(r, b),
    "multilevel": lambda b, r: sd.multilevel(b, "M3", t_end=1.0, rmse=0.1, driver="sobol"),
    "convergence": lambda b, r: convergence(b, "heun", t_end=1.0, driver="sobol"),
    "compare": lambda b, r: compare(b, ["heun"], t_end=1.0, driver="sobol"),
    "recommend": lambda b, r: b.recommend("strong", driver="sobol"),
    "batches": lambda b, r: r.reductions["time-average"].error_from_batches,
    "another package": lambda b, r: simulated(b, reduce=Largest()),
    "argument": lambda b, r: simulated(b, driver="sobol(many)"),
    "weak method": lambda b, r: simulated(b, method="rs1"),
    "start": lambda b, r: simulated(b, state=lambda rng, count: rng.normal(size=3)),
    "law": lambda b, r: simulated(b, state=lambda rng, count: rng.choice(3, count)),
    "no mapping": lambda b, r: simulated(b, state=lambda rng, count: [1.0]),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_right_is_refused_with_a_remedy(body, run, what):
    with pytest.raises(errors.SemidirectError) as refusal:
        REFUSED[what](body, run)
    assert any(word in str(refusal.value) for word in ("expected", "Use", "Give", "Known"))


@pytest.mark.parametrize("more", [{"method": "lie-milstein"}, {"checks": sd.Checks(error_check=True)},
                                  {"driver": sd.noise.Sobol(R, covariance=[[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])},
                                  {"stop": sd.Stop("energy", above=0.9)}])  # fmt: skip
def test_what_wiener_processes_do_works_with_points(body, more):
    found, plain = (simulated(body, **{"driver": d} | more) if d or "driver" not in more else simulated(body)
                    for d in (sd.noise.Sobol(R), None))  # fmt: skip
    a, b = (np.asarray(x["energy"])[:, -1] for x in (found, plain))
    assert abs(a.mean() - b.mean()) < 5 * np.hypot(a.std(), b.std()) / 16
    assert found.good.all()
