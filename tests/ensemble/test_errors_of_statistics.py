"""Errors that moments and covariances state: of events that few paths or none show, and of the covariances themselves."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

import semidirect as sd
from semidirect.statistics.comoments import covariance_errors, joined, leaves
from semidirect.statistics.shares import error_of_share, mean_errors
from semidirect.statistics.tree import folded

BODY = sd.load("rigid-body", noise=[[0.3, 0.2, 0.1], [0, 0.4, 0]])
RUN = {"t_end": 0.5, "dt": 0.05, "method": "lie-heun", "seed": 1}
NEVER, ALWAYS, SOME = "where(M3 > 9, 1, 0)", "where(M3 < 9, 1, 0)", "where(M3 > -0.7, 1, 0)"


def simulated(*statistics, paths=300, **more):
    return BODY.simulate(paths=paths, reduce=sd.Reduce(statistics, at="every:5"),
                         save=sd.Save("final", names=["Omega", "M3"]), **RUN, **more)  # fmt: skip


def test_an_event_that_no_path_shows_has_an_error():
    """Of 0 in 300 the probability may be 3/300 at 95 %; the interval reaches (1.96) .0047 = .0092."""
    run = simulated(sd.Moments([NEVER, ALWAYS, SOME, "M3"]), sd.Covariance([NEVER, "M3"]))
    moments, together = run.reductions["moments"], run.reductions["covariance"]
    for name, mean in ((NEVER, 0), (ALWAYS, 1)):
        assert moments.mean[name][-1] == mean
        assert moments.standard_error[name][-1] == pytest.approx(error_of_share(0.0, 300), rel=1e-12)
    assert together.standard_error[-1, 0] == moments.standard_error[NEVER][-1]
    assert together.standard_error[-1, 1] == moments.standard_error["M3"][-1]
    assert moments.standard_error["M3"][0] == 0  # all paths begin with it
    share = moments.mean[SOME][-1]
    assert 0 < share < 1
    assert moments.standard_error[SOME][-1] == pytest.approx(np.sqrt(share * (1 - share) / 300), rel=0.1)


@pytest.mark.parametrize("probability", [1e-4, 1e-3, 0.004, 0.01, 0.03, 0.2, 0.97, 0.999])
@pytest.mark.parametrize("count", [50, 400])
def test_intervals_of_events_contain_their_probability(probability, count):
    """By the binomial law itself, not by trials: none covers less than 93 % (measured .9351 to 1)."""
    hits = np.arange(count + 1.0)
    mean = hits / count
    error = mean_errors([NEVER], np.full((count + 1, 1), count), mean[:, None], (hits * (1 - mean))[:, None])[:, 0]
    covered = np.abs(mean - probability) <= 1.96 * error
    assert binom.pmf(hits, count, probability)[covered].sum() > 0.93


def test_other_quantities_that_agree_on_all_paths_have_no_error():
    count, mean, none = np.full((1, 3), 40.0), np.array([[1.0, 0.0, 2.5]]), np.zeros((1, 3))
    assert mean_errors(["gamma-norm", "M1", "where(M3 > 9, 1.5, 2.5)"], count, mean, none).tolist() == [[0, 0, 0]]


def test_covariances_have_the_errors_of_their_fourth_moments():
    run = simulated(sd.Covariance(["Omega", "M3"]))
    found = run.reductions["covariance"]
    x = np.concatenate([run["Omega"][:, -1], run["M3"][:, -1:]], axis=1)
    n, d = len(x), x - x.mean(axis=0)
    s = d.T @ d / (n - 1)
    own = np.outer(np.diag(s), np.diag(s))
    variance = ((d**2).T @ (d**2) / n - s**2) / n + (own + s**2) / (n * (n - 1))
    assert found.matrix_error[-1] == pytest.approx(np.sqrt(variance), rel=1e-11)
    assert np.array_equal(found.matrix_error[-1], found.matrix_error[-1].T)
    assert found.to_xarray()["covariance_error"].dims == ("time", "row", "column")


def test_errors_of_covariances_scatter_as_stated():
    """Of a skewed law with known moments: χ² of one degree, and a normal value."""
    rng = np.random.default_rng(0)
    scores = []
    for _ in range(400):
        z = rng.standard_normal((2, 500))
        x = np.stack([z[0], z[0] + z[1] ** 2])
        d = x - x.mean(axis=1, keepdims=True)
        error = covariance_errors(np.array([500.0]), (d @ d.T)[None], (d**2 @ (d**2).T)[None])[0]
        scores.append((np.cov(x) - [[1, 1], [1, 3]]) / error)
    assert np.sqrt(np.mean(np.square(scores), axis=0)) == pytest.approx(1, abs=0.2)  # measured .97 to 1.13


def test_sums_of_a_union_are_those_of_all():
    rng = np.random.default_rng(1)
    x, counted = rng.gamma(0.5, size=(3, 64)) + 7.0, rng.random(64) < 0.8
    x[:, ~counted] = 0.0
    n, mean, products, thirds, fourths = (y[0] for y in folded(leaves(counted.astype(float), x), joined))
    d = x[:, counted] - x[:, counted].mean(axis=1, keepdims=True)
    assert n == counted.sum()
    assert mean == pytest.approx(x[:, counted].mean(axis=1), rel=1e-14)
    assert products == pytest.approx(d @ d.T, rel=1e-12)
    assert thirds == pytest.approx(d**2 @ d.T, rel=1e-11, abs=1e-11)
    assert fourths == pytest.approx(d**2 @ (d**2).T, rel=1e-11)


def test_errors_of_covariances_do_not_depend_on_the_engine_and_are_refused_for_one_noise():
    statistic = sd.Covariance(["Omega"])
    whole = simulated(statistic, paths=150).reductions["covariance"].matrix_error
    for engine in ("compiled", "numpy"):
        again = simulated(statistic, paths=150, execution=sd.Execution(engine=engine)).reductions["covariance"]
        assert np.array_equal(again.matrix_error, whole)
    shared = simulated(statistic, paths=8, driver=sd.Wiener(path=0)).reductions["covariance"]
    with pytest.raises(sd.errors.InputError, match="one noise for all"):
        shared.matrix_error  # noqa: B018
    assert "covariance_error" not in shared.to_xarray()
    shared.text()


def test_a_statistic_of_an_earlier_version_has_no_error_of_covariances():
    found = simulated(sd.Covariance(["Omega"]), paths=8).reductions["covariance"]
    kept = {k: v for k, v in found.taken.partial.items() if k not in found.reduction.later_arrays}
    earlier = found.reduction.reduced(replace(found.taken, partial=kept))
    assert np.isnan(earlier.matrix_error).all()
    assert np.array_equal(earlier.matrix, found.matrix)
    with np.errstate(all="ignore"):
        partial = found.reduction.merged(kept, _elsewhere(found.taken.partial))
    both = found.reduction.reduced(replace(found.taken, partial=partial))
    assert both.count[-1] == 16
    assert np.isnan(both.matrix_error).all()
    assert "covariance_error" not in both.to_xarray()


def _elsewhere(partial):
    """The same values on the next paths."""
    nodes = partial["nodes"] + [0, 1]
    return {**partial, "nodes": nodes}


@pytest.mark.parametrize("driver", [None, sd.Wiener(path=0)])
@pytest.mark.parametrize("paths", [5, 30])
def test_an_average_over_time_of_an_event_that_never_happens_has_no_error_of_0(paths, driver):
    found = simulated(sd.TimeAverage([NEVER, "M3"], batches=2), paths=paths, driver=driver).reductions["time-average"]
    assert found.mean[NEVER] == 0
    assert "an event has one value" in found.text()
    with pytest.warns(sd.errors.ShortAverageWarning, match="an event has one value"):
        assert np.isnan(found.standard_error[NEVER])
    assert found.batch_means.plain_error[1] > 0
