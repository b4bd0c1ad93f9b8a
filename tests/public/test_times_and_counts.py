"""Times, counts and lists of names, of any value, wherever one is taken: a result, or an error of ours, and soon."""

import math
from contextlib import suppress

import numpy as np
import pytest

import semidirect as sd
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from semidirect.core.errors import InputError, SemidirectError

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::semidirect.core.errors.{kind}")
    for kind in ("FilterWarning", "FailedPathsWarning", "ShortAverageWarning")
]

SHORT = {"t_end": 0.02, "dt": 0.01}
DATA = np.arange(1, 4) * 0.1, np.zeros((3, 3))
OBSERVED = sd.Observation("Omega", noise=0.1)
TIMES = [math.nan, math.inf, -math.inf, -1.0, 5e-324, 1e-320, 1e308, 10**400, True, None, "a", 1j, np.ones(2)]
COUNTS = [-1, 10**30, 2**63, 2**64, 10**39, 10**400, 1.5, math.nan, True, None, "3", np.ones(2)]
LISTS = [[], (), {}, np.zeros(0), [None], [""], ["nope"], [["energy"]], ["energy", "energy"], 3, None, b"energy"]


@pytest.fixture(scope="module")
def body():
    return sd.load("rigid-body")


@pytest.fixture(scope="module")
def run(body):
    return body.simulate(**SHORT, paths=2, seed=1)


def simulated(body, **more):
    return body.simulate(**{**SHORT, **more})


OF_A_TIME = {
    "simulate t_end": lambda body, x: simulated(body, t_end=x, save="final"),
    "simulate dt": lambda body, x: simulated(body, dt=x, save="final"),
    "simulate t_start": lambda body, x: simulated(body, t_start=x),
    "save": lambda body, x: simulated(body, save=[x]),
    "ensemble dt": lambda body, x: body.ensemble(dt=x),
    "ensemble t_start": lambda body, x: body.ensemble(dt=0.01, t_start=x),
    "advance": lambda body, x: body.ensemble(dt=0.01).advance(t=x),
    "filter dt": lambda body, x: sd.filter(body, OBSERVED, DATA, dt=x, particles=4),
    "filter t_start": lambda body, x: sd.filter(body, OBSERVED, DATA, dt=0.1, t_start=x, particles=4),
    "filter data": lambda body, x: sd.filter(body, OBSERVED, ([x], np.zeros((1, 3))), dt=0.1, particles=4),
    "fit dt": lambda body, x: sd.fit(body, OBSERVED, DATA, "inertia", dt=x, t_start=x, particles=4),
    "multilevel t_end": lambda body, x: sd.multilevel(body, "energy", t_end=x, rmse=1.0),
    "multilevel t_start": lambda body, x: sd.multilevel(body, "energy", t_end=0.1, t_start=x, rmse=1.0),
    "multilevel dt": lambda body, x: sd.multilevel(body, "energy", t_end=0.1, dt=x, rmse=1.0),
    "multilevel rmse": lambda body, x: sd.multilevel(body, "energy", t_end=0.1, rmse=x),
    "lyapunov t_end": lambda body, x: sd.lyapunov(body, t_end=x, dt=0.01, every=1),
    "lyapunov t_start": lambda body, x: sd.lyapunov(body, **SHORT, t_start=x, every=1),
    "convergence t_end": lambda body, x: convergence(body, t_end=x, levels=5, paths=2),
    "convergence t_start": lambda body, x: convergence(body, t_end=0.02, t_start=x, levels=5, paths=2),
    "compare t_end": lambda body, x: compare(body, ["heun"], t_end=x, levels=1, paths=2, timed=False),
    "compare t_start": lambda body, x: compare(body, ["heun"], t_end=0.02, t_start=x, levels=1, paths=2, timed=False),
    "recommend dt": lambda body, x: body.recommend(dt=x),
}  # fmt: skip
SLOW = {
    ("advance", 1e308), ("convergence t_start", None), ("compare t_start", None), ("recommend dt", None),
    ("compare t_end", None), ("convergence t_end", None), ("multilevel t_end", 1e308),
}  # fmt: skip
"""Calls that are right, and long."""


@pytest.mark.parametrize("name", OF_A_TIME)
def test_a_time_is_used_or_refused_by_an_error_of_ours(name, body):
    for value in TIMES:
        if isinstance(value, np.ndarray) or (name, value) not in SLOW:
            with suppress(SemidirectError):
                OF_A_TIME[name](body, value)


OF_A_COUNT = {
    "paths": lambda body, run, n: simulated(body, paths=n),
    "paths that save nothing": lambda body, run, n: simulated(body, paths=n, save=sd.Save("final", names=[])),
    "paths of an ensemble": lambda body, run, n: body.ensemble(dt=0.01, paths=n),
    "threads": lambda body, run, n: simulated(body, execution=sd.Execution(threads=n)),
    "steps": lambda body, run, n: body.ensemble(dt=0.01).advance(steps=n),
    "most": lambda body, run, n: simulated(body, save=sd.Save(crossings=sd.Crossing("energy", 1.0, most=n))),
    "every": lambda body, run, n: simulated(body, stop=sd.Stop("energy", above=9.0, every=n)),
    "component": lambda body, run, n: simulated(body, stop=sd.Stop("Omega", above=9.0, component=n)),
    "bins": lambda body, run, n: simulated(body, reduce=sd.Histogram("energy", 0.0, 1.0, n)),
    "batches": lambda body, run, n: simulated(body, reduce=sd.TimeAverage(batches=n)),
    "batches of exponents": lambda body, run, n: sd.lyapunov(body, **SHORT, every=1, batches=n),
    "exponents": lambda body, run, n: sd.lyapunov(body, **SHORT, every=1, exponents=n, paths=n),
    "particles": lambda body, run, n: sd.filter(body, OBSERVED, DATA, dt=0.1, particles=n),
    "lag": lambda body, run, n: sd.filter(body, OBSERVED, DATA, dt=0.1, particles=4, lag=n),
    "moves": lambda body, run, n: sd.filter(body, OBSERVED, DATA, dt=0.1, particles=4,
        update=sd.inference.ParticleUpdate(moves=n)),
    "reach": lambda body, run, n: sd.filter(body, OBSERVED, DATA, dt=0.1, particles=4,
        update=sd.inference.ParticleUpdate(reach=n)),
    "levels": lambda body, run, n: sd.multilevel(body, "energy", t_end=0.1, rmse=1.0, levels=n),
    "seed": lambda body, run, n: simulated(body, seed=n),
    "noise": lambda body, run, n: sd.noise.WienerNoise(n, 1, 0.1).increments([0], 0, 0.1),
    "components": lambda body, run, n: sd.noise.WienerNoise(0, n, 0.1),
    "step of the noise": lambda body, run, n: sd.noise.WienerNoise(0, 1, 0.1).increments([0], n, 0.1),
    "path of the noise": lambda body, run, n: sd.noise.WienerNoise(0, 1, 0.1).increments([n], 0, 0.1),
    "paths of a rotation": lambda body, run, n: run.rotation(paths=n),
    "frames": lambda body, run, n: run.view(frames=n),
    "realisations": lambda body, run, n: run.plot("energy", realisations=n),
    "levels of quantiles": lambda body, run, n: run.plot.quantiles("energy", levels=[0.1, n]),
    "degree": lambda body, run, n: sd.groups.Torus(n),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_A_COUNT)
def test_a_count_is_used_or_refused_by_an_error_of_ours(name, body, run):
    for value in COUNTS:
        with suppress(SemidirectError):
            OF_A_COUNT[name](body, run, value)


def test_a_range_of_more_paths_than_can_be_counted_is_refused():
    with pytest.raises(InputError, match="the number of paths"):
        sd.noise.WienerNoise(0, 1, 0.1).increments(range(2**63), 0, 0.1)


OF_NAMES = {
    "save": lambda body, run, x: simulated(body, save=sd.Save(names=x)),
    "moments": lambda body, run, x: simulated(body, reduce=sd.Moments(x)),
    "covariance": lambda body, run, x: simulated(body, reduce=sd.Covariance(x)),
    "extremes": lambda body, run, x: simulated(body, reduce=sd.Extremes(x)),
    "averages": lambda body, run, x: simulated(body, reduce=sd.TimeAverage(x)),
    "reduce": lambda body, run, x: simulated(body, reduce=x),
    "crossings": lambda body, run, x: simulated(body, save=sd.Save(crossings=x)),
    "keep": lambda body, run, x: simulated(body, save=sd.Save(crossings=sd.Crossing("energy", 1.0, keep=x))),
    "stop": lambda body, run, x: simulated(body, stop=x),
    "bounds": lambda body, run, x: simulated(body, checks=sd.Checks(bounds=x)),
    "sensitivity": lambda body, run, x: simulated(body, formulation=sd.Formulation(sensitivity=x)),
    "filter": lambda body, run, x: sd.filter(body, OBSERVED, DATA, dt=0.1, particles=4, quantities=x),
    "observed": lambda body, run, x: sd.filter(body, sd.Observation(x, noise=0.1), DATA, dt=0.1, particles=4),
    "fit": lambda body, run, x: sd.fit(body, OBSERVED, DATA, x, dt=0.1, particles=4),
    "monitor": lambda body, run, x: run.monitor(names=x),
    "methods": lambda body, run, x: compare(body, x, **SHORT, levels=1, paths=2, timed=False),
    "restrict": lambda body, run, x: body.invariants(1, restrict=x),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_NAMES)
def test_a_list_of_names_is_used_or_refused_by_an_error_of_ours(name, body, run):
    for value in LISTS:
        with suppress(SemidirectError):
            OF_NAMES[name](body, run, value)


@pytest.mark.parametrize("kind", [sd.Moments, sd.Covariance, sd.Extremes, sd.TimeAverage])
def test_a_statistic_of_nothing_is_refused(kind):
    with pytest.raises(InputError, match="expected at least one name, got none"):
        kind([])


RUNS_PATHS = {
    "multilevel": lambda body, **k: sd.multilevel(body, "energy", t_end=0.1, rmse=1.0, **k),
    "lyapunov": lambda body, **k: sd.lyapunov(body, **SHORT, every=1, **k),
    "filter": lambda body, **k: sd.filter(body, OBSERVED, DATA, dt=0.1, particles=4, **k),
    "fit": lambda body, **k: sd.fit(body, OBSERVED, DATA, "inertia", dt=0.1, **k),
    "convergence": lambda body, **k: convergence(body, **SHORT, **k),
    "compare": lambda body, **k: compare(body, ["heun"], **SHORT, **k),
    "ensemble": lambda body, **k: body.ensemble(dt=0.1, **k),
    "recommend": lambda body, **k: body.recommend(**k),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS_PATHS)
def test_an_argument_of_a_run_that_a_function_does_not_take_is_an_error_of_ours(name, body):
    for more in ({"stop": sd.Stop("energy", above=1.0)}, {"save": "all"}, {"reduce": "moments"}):
        with pytest.raises(InputError, match=f"{next(iter(more))} of {name}: expected what it takes"):
            RUNS_PATHS[name](body, **more)


def test_rmse_beyond_the_range_of_squares_is_used(body):
    estimates = [sd.multilevel(body, "energy", t_end=0.1, rmse=rmse) for rmse in (1e100, 1e200, 1e308)]
    assert len({(one.estimate, one.plain_paths) for one in estimates}) == 1
