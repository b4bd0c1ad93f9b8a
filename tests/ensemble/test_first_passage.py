"""First passages: counts, the share of all paths and the product-limit estimate, where paths fail and are stopped."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.engines.stepping.chunk import run_chunk
from semidirect.ensemble.simulation import specify
from semidirect.statistics.reduction import StatisticRequest

DISK = sd.load("rolling-disk", noise=(1, 1))
"""θ and φ are independent Wiener processes where the disk is at rest."""
REST = {"omega": 0.0, "nu": 0.0}
STEP = 0.2


def product_limit(passage, censored, steps):
    """The textbook's estimate at each step and Greenwood's sum, exact; both None where nobody is left.

    ``passage``: the step at which each path passes, or None; ``censored``: the step until which it is seen, or None; half a
    step more where it is stopped between two.
    """
    survival, greenwood, out = Fraction(1), Fraction(0), []
    ends = list(zip(passage, censored, strict=True))

    def at_risk_at(k):
        there = [(p is None or p >= k) and (c is None or c > k - 1) for p, c in ends]
        return sum(Fraction(1, 2) if is_there and c == k - Fraction(1, 2) else is_there
                   for is_there, (_, c) in zip(there, ends, strict=True))  # fmt: skip

    for k in range(steps):
        at_risk, died = at_risk_at(k), passage.count(k)
        if at_risk:
            survival *= 1 - died / Fraction(at_risk)
            greenwood += died / (Fraction(at_risk) * (at_risk - died)) if at_risk > died else 0
        known = survival == 0 or any(at_risk_at(later) for later in range(k, steps))
        out.append((survival, greenwood) if known else (None, None))
    return out


@st.composite
def ends(draw):
    """For each path of some, at each of some times: beyond the level or not; where it fails or is stopped, in half steps."""
    steps, paths = draw(st.integers(1, 6)), draw(st.integers(1, 12))
    beyond = draw(st.lists(st.lists(st.booleans(), min_size=steps, max_size=steps), min_size=paths, max_size=paths))
    half = st.one_of(st.none(), st.integers(0, 2 * steps))
    end = draw(st.lists(st.tuples(half, st.sampled_from(["fails", "stops"])), min_size=paths, max_size=paths))
    at_stop = draw(st.lists(st.booleans(), min_size=paths, max_size=paths))
    return np.array(beyond), end, at_stop, draw(st.integers(0, paths))


@given(ends())
def test_it_is_the_product_limit_under_any_ends(case):
    """Time k is half step 2k; a path that ends at an odd half step ends between two times."""
    beyond, end, at_stop, cut = case
    paths, steps = beyond.shape
    passage, censored = [None] * paths, [None] * paths
    values, counted, since = np.zeros((steps, paths)), np.ones((steps, paths), bool), np.full((steps, paths), np.nan)
    for i, (half, how) in enumerate(end):
        seen = beyond[i].copy()
        for k in range(steps):
            if half is not None and how == "fails" and 2 * k >= half:
                counted[k, i] = seen[k] = False
                values[k, i] = np.nan
                continue
            if half is not None and how == "stops" and 2 * k >= half:
                since[k, i] = k - half / 2
                seen[k] = at_stop[i] if half % 2 else seen[half // 2]
            values[k, i] = 2.0 if seen[k] else 0.0
        if seen.any():
            passage[i] = int(np.argmax(seen))
        elif half is not None:
            censored[i] = math.ceil(half / 2) - 1 if how == "fails" else Fraction(half, 2)
    asked = sd.FirstPassage("x", 1.0)
    parts = []
    for part in (range(cut), range(cut, paths)):
        taker = asked.accumulator(part, steps, {"x": 1})
        for k in range(steps):
            rows = slice(part.start, part.stop)
            taker.add(k, {"x": values[k : k + 1, rows]}, counted[k, rows], since[k, rows])
        parts.append(taker.partial())
    found = asked.reduced(StatisticRequest(asked.merged(*parts), np.arange(steps) * 1.0, paths, {"x": 1}, {}))
    exact = product_limit(passage, censored, steps)
    for k, (survival, greenwood) in enumerate(exact):
        if survival is None:
            assert np.isnan([found.survival[k], found.survival_error[k]]).all()
            continue
        assert found.survival[k] == pytest.approx(float(survival), rel=1e-14, abs=1e-15)
        if survival == 0:
            assert np.isnan(found.survival_error[k])
        else:
            s = float(survival)  # as many paths without censoring as have Greenwood's error, and four more
            n = max(1.0, (1 - s) / (s * greenwood) if s < 1 else float(found.at_risk[k]))
            more = (n * s + 2) / (n + 4)
            assert found.survival_error[k] == pytest.approx(math.sqrt(more * (1 - more) / n), rel=1e-9)
        by_then = sum(p is not None and p <= k for p in passage)
        assert found.share[k] == pytest.approx(1 - by_then / paths, abs=1e-15)
    np.testing.assert_array_equal(found.passed, [passage.count(k) for k in range(steps)])
    assert found.passed.sum() + found.lost.sum() + found.remaining == paths


def observed(free, run, level, times):
    """Step of passage and last step seen of each path, from the paths as they would have gone on."""
    passage, censored = [], []
    for path in range(run.paths):
        ended = run.data.failed_at[path] if not run.good[path] else run.stopped.time[path]
        seen = times < ended if not run.good[path] else times <= ended
        seen = np.ones(len(times), bool) if np.isnan(ended) else seen
        beyond = np.flatnonzero((free["theta"][path] >= level) & seen)
        passage.append(int(beyond[0]) if len(beyond) else None)
        censored.append(int(seen.sum()) - 1 if not len(beyond) and not seen.all() else None)
    return passage, censored


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize("bounds", [{}, {"phi": 1.5}])
@pytest.mark.parametrize("stop", [None, sd.Stop("phi", below=-0.8), sd.Stop("theta", below=-1.0)])
def test_counts_are_those_of_the_free_paths(engine, bounds, stop):
    asked = {"t_end": 4, "dt": STEP, "paths": 300, "seed": 5, "method": "heun", "state": REST, "save": "all",
             "execution": sd.Execution(engine=engine)}  # fmt: skip
    free = DISK.simulate(**asked)
    run = DISK.simulate(
        **asked, reduce=sd.FirstPassage("theta", 1.0), checks=sd.Checks(bounds=bounds, on_failure="mask"), stop=stop
    )
    found = run.reductions["first-passage:theta"]
    passage, censored = observed(free, run, 1.0, run.times)
    exact = product_limit(passage, censored, len(run.times))
    np.testing.assert_allclose(found.survival, [np.nan if s is None else float(s) for s, _ in exact], rtol=1e-13)
    np.testing.assert_array_equal(found.passed, [passage.count(k) for k in range(len(run.times))])
    np.testing.assert_allclose(found.share, 1 - np.cumsum(found.passed) / 300, rtol=1e-15)
    assert found.passed.sum() > 20
    assert (found.lost.sum() > 50) == bool(bounds)
    assert (found.stopped.sum() > 20) == (stop is not None)
    assert found.remaining == 300 - found.passed.sum() - found.lost.sum()


@pytest.mark.parametrize(
    "ended",
    [{"checks": sd.Checks({"phi": 1.0})}, {"stop": sd.Stop("phi", above=1.0)}, {"stop": sd.Stop("phi", below=-0.7)},
     {"checks": sd.Checks({"phi": 2.0}), "stop": sd.Stop("phi", below=-0.7)}],
)  # fmt: skip
def test_independent_ends_do_not_change_what_is_estimated(ended):
    """20,000 paths, nearly all of which fail or stop before t = 4; .471 is found where none does."""
    asked = {"t_end": 4, "dt": STEP, "paths": 20_000, "method": "heun", "state": REST, "save": sd.Save("final", names=[]),
             "reduce": sd.Reduce(sd.FirstPassage("theta", 1.0), at="all")}  # fmt: skip
    truth = DISK.simulate(**asked).reductions["first-passage:theta"]
    assert truth.share[-1] == pytest.approx(0.471, abs=5e-4)
    np.testing.assert_allclose(truth.survival, truth.share, rtol=1e-12)
    assert truth.survival_error[-1] == pytest.approx(truth.share_error[-1], rel=1e-12)
    found = DISK.simulate(**asked, **ended).reductions["first-passage:theta"]
    error = found.survival_error
    assert 0.004 < error[-1] < 0.03
    at = found.survival < 1
    assert at.sum() > 15
    assert np.abs((found.survival - truth.survival)[at] / error[at]).max() < 3  # measured 1.3 and less
    assert found.share[-1] > 0.6


def test_a_stop_at_the_level_is_a_passage():
    """Looked at more often than statistics are taken: each path that is stopped has passed."""
    run = DISK.simulate(
        t_end=4, dt=STEP / 4, paths=500, method="heun", state=REST, save="final", stop=sd.Stop("theta", above=1.0),
        reduce=sd.Reduce(sd.FirstPassage("theta", 1.0), at="every:4"), )  # fmt: skip
    found = run.reductions["first-passage:theta"]
    assert found.passed.sum() == np.isfinite(run.stopped.time).sum() > 100
    assert found.stopped.sum() == 0
    np.testing.assert_allclose(found.survival, found.share, rtol=1e-13)


def test_greenwoods_error_is_the_spread_of_estimates():
    """400 estimates of 100 paths each, at t = 1.6, where a third of the paths is left: measured .996 of their spread."""
    spec = specify(DISK, t_end=1.6, dt=STEP, paths=40_000, method="heun", state=REST, save=sd.Save("final", names=[]),
                   checks=sd.Checks(bounds={"phi": 1.0}), reduce=sd.Reduce(sd.FirstPassage("theta", 1.0), at="all"))  # fmt: skip
    (asked,) = spec.reductions
    times, found = spec.reduced * spec.dt, []
    for first in range(0, spec.paths, 100):
        partial = run_chunk(spec, range(first, first + 100)).partials[asked.key]
        found.append(asked.reduced(StatisticRequest(partial, times, 100, spec.contents.sizes, {})))
    estimates = np.array([f.survival[-1] for f in found])
    errors = np.array([f.survival_error[-1] for f in found])
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(estimates.std(ddof=1), rel=0.12)


def test_a_value_that_is_not_finite_is_not_seen():
    """Path 0 is not seen at the second time, nor is any at the third; ∞ is not beyond the level."""
    asked = sd.FirstPassage("x", 1.0)
    taker = asked.accumulator(range(4), 5, {"x": 1})
    rows = [[0, 0, 0, 0], [np.nan, 2, 0, 0], [np.inf] * 4, [2, 0, 0, 0], [2, 2, np.nan, np.nan]]
    for k, row in enumerate(rows):
        taker.add(k, {"x": np.array([row], float)}, np.ones(4, bool), np.full(4, np.nan))
    found = asked.reduced(StatisticRequest(taker.partial(), np.arange(5.0), 4, {"x": 1}, {}))
    np.testing.assert_array_equal(found.at_risk, [4, 3, 0, 3, 0])
    np.testing.assert_array_equal(found.passed, [0, 1, 0, 1, 0])
    np.testing.assert_allclose(found.survival, [1, 2 / 3, 2 / 3, 4 / 9, np.nan])
    np.testing.assert_allclose(found.share, [1, 0.75, 0.75, 0.5, 0.5])
    assert found.remaining == 2


@pytest.mark.parametrize(("every", "most"), [(20, 0.02), (5, 0.01)])
def test_stops_between_two_times_count_half(every, most):
    """40,000 paths of which .006 are left at t = 4: measured .008 and .001 from the truth, standard error .009; counted in full
    or not at all the first is .03 and .05 from it.
    """
    asked = {"t_end": 4, "dt": 0.01, "paths": 40_000, "method": "heun", "state": REST, "save": sd.Save("final", names=[]),
             "reduce": sd.Reduce(sd.FirstPassage("theta", 1.0), at=f"every:{every}")}  # fmt: skip
    truth = DISK.simulate(**asked).reductions["first-passage:theta"]
    found = DISK.simulate(**asked, stop=sd.Stop("phi", above=1.0, below=-1.0)).reductions["first-passage:theta"]
    assert found.at_risk[-1] < 400
    assert abs(found.survival[-1] - truth.survival[-1]) < most
    np.testing.assert_allclose(found.survival, truth.survival, atol=0.02)
