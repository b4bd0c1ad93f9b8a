"""Statistics on the fly: those of the saved paths, the same however paths are grouped, with failed paths left out."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.statistics import moments, tree
from semidirect.statistics.choice.by_name import from_description
from semidirect.statistics.reduction import StatisticRequest

BODY = sd.load("rigid-body", advect_gamma=True)
EVERYTHING = ["mean", "variance", sd.Covariance(["energy", "M"]), sd.Histogram("energy", 0.5, 1.0, 50),
              sd.Histogram("M", -2, 2, 40), sd.Extremes(), sd.FirstPassage("energy", 0.95)]  # fmt: skip


class Growing(sd.System):
    """z' = z², which is at infinity at t = 1/z(0)."""

    group = sd.SO2()

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def internal(self):
        return [sd.InternalState("z", 0.0, drift=lambda z: [z.z**2])]

    @sd.observable()
    def inverse(self, state):
        """1/(z − 0.125), not finite where z = 0.125."""
        return 1 / (state.z - 0.125)


@pytest.fixture(scope="module")
def run():
    return BODY.simulate(t_end=1, dt=0.01, paths=1000, seed=2, save="every:20", reduce=EVERYTHING)


def test_moments_are_those_of_two_passes(run):
    """To round-off: measured 1.2e-16 of the largest value for means, 6e-16 of the variance."""
    taken = run.reductions["moments"]
    np.testing.assert_array_equal(taken.times, run.times)
    for name in run:
        exact = run[name].astype(np.longdouble)
        mean, variance = exact.mean(axis=0), exact.var(axis=0, ddof=1)
        scale = np.abs(run[name]).max()
        np.testing.assert_allclose(taken.mean[name], mean, rtol=0, atol=1e-15 * scale)
        np.testing.assert_allclose(taken.variance[name], variance, rtol=1e-14, atol=1e-28)
        np.testing.assert_allclose(taken.standard_error[name], np.sqrt(variance / 1000), rtol=1e-12, atol=1e-16)
        assert (taken.count[name] == 1000).all()
        assert taken.mean[name].shape == run[name].shape[1:]


def test_covariance(run):
    taken = run.reductions["covariance"]
    assert taken.components == ("energy", "M1", "M2", "M3")
    rows = np.concatenate([run["energy"][:, :, None], run["M"]], axis=2)
    for i in range(len(run.times)):
        np.testing.assert_allclose(taken.matrix[i], np.cov(rows[:, i].T), rtol=1e-11, atol=1e-15)
    np.testing.assert_allclose(taken.mean, rows.mean(axis=0), rtol=1e-13)
    assert (taken.count == 1000).all()
    np.testing.assert_array_equal(taken.matrix, np.swapaxes(taken.matrix, 1, 2))


def test_histogram(run):
    taken = run.reductions["histogram:energy"]
    for i in range(len(run.times)):
        counts, edges = np.histogram(run["energy"][:, i], taken.edges)
        np.testing.assert_array_equal(taken.counts[i], counts)
    np.testing.assert_array_equal(taken.edges, edges)
    np.testing.assert_array_equal(taken.below, (run["energy"] < 0.5).sum(axis=0))
    np.testing.assert_array_equal(taken.above, (run["energy"] >= 1).sum(axis=0))
    assert (taken.count == 1000).all()
    vector = run.reductions["histogram:M"]
    assert vector.counts.shape == (6, 3, 40)
    np.testing.assert_array_equal(vector.counts[-1, 1], np.histogram(run["M"][:, -1, 1], vector.edges)[0])


def test_quantiles_are_within_half_a_bin(run):
    taken = run.reductions["histogram:energy"]
    q = [0.0, 0.1, 0.5, 0.9, 1.0]
    exact = np.quantile(run["energy"], q, axis=0, method="inverted_cdf").T
    found = taken.quantiles(q)
    assert found.shape == exact.shape
    inside = (exact >= 0.5) & (exact < 1)
    assert inside.sum() > 20
    assert np.abs(found - exact)[inside].max() <= taken.resolution / 2 * (1 + 1e-12)
    assert (found[exact >= 1] == np.inf).all()
    assert taken.quantiles(0.5).shape == (6,)
    assert run.reductions["histogram:M"].quantiles([0.1, 0.9]).shape == (6, 3, 2)
    with pytest.raises(InputError, match="from 0 to 1"):
        taken.quantiles(1.5)


def test_extremes(run):
    taken = run.reductions["extremes"]
    for name in ("energy", "M", "g"):
        np.testing.assert_array_equal(taken.smallest[name], run[name].min(axis=0))
        np.testing.assert_array_equal(taken.largest[name], run[name].max(axis=0))
        np.testing.assert_array_equal(taken.smallest_path[name], run[name].argmin(axis=0))
        np.testing.assert_array_equal(taken.largest_path[name], run[name].argmax(axis=0))


def test_first_passage(run):
    taken = run.reductions["first-passage:energy"]
    beyond = run["energy"] >= 0.95
    first = np.where(beyond.any(axis=1), beyond.argmax(axis=1), -1)
    np.testing.assert_array_equal(taken.passed, [(first == i).sum() for i in range(6)])
    assert taken.passed.sum() > 50
    assert taken.remaining == (first < 0).sum() > 50
    assert taken.lost.sum() == 0
    np.testing.assert_allclose(taken.survival, 1 - np.cumsum(taken.passed) / 1000)
    assert taken.mean_time == pytest.approx(run.times[first[first >= 0]].mean())


def test_statistics_may_have_other_times_than_saved_ones():
    all_times = BODY.simulate(t_end=0.2, dt=0.01, paths=70, reduce="moments")
    options = {"t_end": 0.2, "dt": 0.01, "paths": 70}
    for reduce_at, part in (("all", slice(None)), ("every:4", slice(None, None, 4)), ([0.1, 0.2], [10, 20])):
        for engine in ("numpy", "compiled"):
            run = BODY.simulate(
                **options,
                save=sd.Save("final", names=["energy"]),
                reduce=sd.Reduce("moments", at=reduce_at),
                execution=sd.Execution(engine=engine),
            )
            assert len(run.times) == 1
            np.testing.assert_array_equal(
                run.reductions["moments"].mean["energy"], all_times.reductions["moments"].mean["energy"][part]
            )
            assert list(run.reductions["moments"].mean) == ["energy"]
    nothing = BODY.simulate(**options, save=sd.Save("final", names=[]), reduce="moments")
    assert "Omega" in nothing.reductions["moments"].mean
    assert len(nothing) == 0


def test_runs_of_other_paths_are_merged():
    """The bits are those of all paths in one run."""
    from semidirect.engines.stepping.chunk import run_chunk
    from semidirect.ensemble.simulation import specify
    from semidirect.statistics.reduction import StatisticRequest

    spec = specify(BODY, t_end=0.1, dt=0.01, paths=300, reduce=EVERYTHING)
    parts = [run_chunk(spec, r) for r in (range(100), range(100, 300))]
    whole = run_chunk(spec, range(300))
    for r in spec.reductions:

        def result(of, paths, r=r):
            sizes = spec.contents.sizes
            return r.reduced(
                StatisticRequest(of.partials[r.key], spec.reduced * spec.dt, paths, sizes, spec.contents.units)
            )

        merged = result(parts[1], 200).with_paths(result(parts[0], 100))
        one = result(whole, 300).tables()
        assert merged.taken.paths == 300
        for name, (_, values) in merged.tables().items():
            assert values.tobytes() == one[name][1].tobytes(), (r.key, name)
    with pytest.raises(InputError, match="counted twice"):
        spec.reductions[0].merged(parts[0].partials["moments"], whole.partials["moments"])
    with pytest.raises(InputError, match="cannot be merged"):
        result(whole, 300).with_paths(
            BODY.simulate(t_end=0.1, dt=0.01, reduce="extremes").reductions["extremes"]
        )  # fmt: skip


def test_statistics_are_read_only_and_labelled(run):
    with pytest.raises(ValueError, match="read-only"):
        run.reductions["moments"].mean["energy"][0] = 1
    with pytest.raises(TypeError):
        run.reductions["moments"] = None
    dataset = run.reductions["moments"].to_xarray()
    assert dataset["energy_mean"].dims == ("time",)
    assert dataset["M_variance"].dims == ("time", "M_component")
    for reduced in run.reductions.values():
        np.testing.assert_array_equal(reduced.to_xarray()["time"], run.times)
        again = from_description(reduced.reduction.described())
        assert again.described() == reduced.reduction.described()
        assert again.key == reduced.reduction.key
    assert run.config["reduce"][0]["kind"] == "moments"
    assert repr(run.reductions["histogram:energy"]) == "HistogramReduced(energy; 6 times)"


@pytest.mark.parametrize(
    ("reduce", "error", "message"),
    [
        ("median", UnknownNameError, "unknown statistic 'median'"),
        (["moments", sd.Moments(["enrgy"])], InputError, "two statistics have the same label"),
        (sd.Moments(["enrgy"]), UnknownNameError, "Did you mean 'energy'"),
        ([sd.Histogram("energy", 0, 1), sd.Histogram("energy", 0, 2)], InputError, "Give one of them label="),
        (sd.FirstPassage("M", 1), InputError, "component="),
        (sd.FirstPassage("M", 1, component=3), InputError, "from 0 to 2"),
        ([3], InputError, "such as sd.Moments"),
    ],
)
def test_impossible_statistics_raise_errors(reduce, error, message):
    with pytest.raises(error, match=message):
        BODY.simulate(t_end=0.1, dt=0.01, reduce=reduce)


@pytest.mark.parametrize("bad", [(1, 0, 10), (0, np.inf, 10), (0, 1, 0), (0, 1, 1.5), ("a", 1, 10)])
def test_invalid_histograms_raise_errors(bad):
    with pytest.raises(InputError):
        sd.Histogram("energy", *bad)


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_failed_paths_are_left_out_from_their_failure_on(engine):
    """z(0) = 2.5 fails near t = 0.4: before, all count; then the statistics are those of the others."""
    z = np.array([0.1, 0.2, 2.5, 0.3, 0.15])
    options = {"t_end": 1, "dt": 0.01, "execution": sd.Execution(engine=engine)}
    reduce = ["moments", "extremes", sd.Histogram("z", 0, 1, 10), sd.FirstPassage("z", 100.0), sd.Covariance(["z"])]
    run = Growing().simulate(**options, state={"z": z}, reduce=reduce, save=sd.Save("every:10", names=["z"]))
    others = Growing().simulate(**options, state={"z": np.delete(z, 2)}, save=sd.Save("every:10", names=["z"]))
    failed_at = run.failures()[0].time
    assert [f.path for f in run.failures()] == [2]
    assert 0.4 < failed_at < 0.6
    late = run.times >= failed_at
    taken = run.reductions["moments"]
    np.testing.assert_array_equal(taken.count["z"], np.where(late, 4, 5))
    np.testing.assert_allclose(taken.mean["z"][late], others["z"][:, late].mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(taken.variance["z"][late], others["z"][:, late].var(axis=0, ddof=1), rtol=1e-12)
    np.testing.assert_array_equal(run.reductions["extremes"].largest["z"][late], others["z"][:, late].max(axis=0))
    np.testing.assert_array_equal(run.reductions["histogram:z"].count, np.where(late, 4, 5))
    np.testing.assert_array_equal(run.reductions["covariance"].count, np.where(late, 4, 5))
    passage = run.reductions["first-passage:z"]
    assert passage.passed.sum() + passage.lost.sum() == 1
    assert passage.remaining == 4


def test_bits_do_not_depend_on_the_grouping_where_paths_fail():
    from semidirect.engines.stepping.chunk import run_chunk
    from semidirect.ensemble.simulation import specify

    z = np.random.default_rng(1).uniform(-0.5, 0.5, 200)
    z[[3, 130]] = 3.0, 2.0
    reduce = ["moments", "extremes", sd.Covariance(["z", "omega"])]
    spec = specify(Growing(), t_end=0.6, dt=0.02, state={"z": z}, reduce=reduce, save="every:5")
    whole = run_chunk(spec, range(200))
    assert np.count_nonzero(whole.status) == 2
    for cuts in ([0, 3, 4, 200], [0, 64, 130, 131, 200], [0, 128, 200]):
        merged = None
        for first, last in pairwise(cuts):
            part = run_chunk(spec, range(first, last)).partials
            merged = part if merged is None else {r.key: r.merged(merged[r.key], part[r.key]) for r in spec.reductions}
        for r in spec.reductions:
            for name, values in whole.partials[r.key].items():
                assert merged[r.key][name].tobytes() == values.tobytes(), (cuts, r.key, name)


def test_a_value_that_is_not_finite_is_not_counted():
    run = Growing().simulate(t_end=0.1, dt=0.1, state={"z": [0.1, 0.125, 0.2]}, reduce=["moments", "extremes"])
    assert run.good.all()
    taken = run.reductions["moments"]
    assert taken.count["inverse"][0] == 2
    assert taken.count["z"][0] == 3
    assert taken.mean["inverse"][0] == pytest.approx(-40 / 2 + 1 / 0.075 / 2)
    assert run.reductions["extremes"].largest_path["inverse"][0] == 2


def test_no_path_counted_is_nan():
    run = Growing().simulate(
        t_end=1, dt=0.01, state={"z": 50.0}, save="final", reduce=["moments", sd.Histogram("z", 0, 1)]
    )
    assert not run.good.any()
    assert run.reductions["moments"].count["z"][0] == 0
    assert np.isnan(run.reductions["moments"].mean["z"][0])
    assert np.isnan(run.reductions["moments"].variance["z"][0])
    assert np.isnan(run.reductions["histogram:z"].quantiles(0.5)[0])


# -- the tree --------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**12), st.integers(1, 10**6))
def test_nodes_make_up_a_range(first, count):
    nodes = tree.nodes_of(range(first, first + count))
    assert nodes[0][1] << nodes[0][0] == first
    for (level, index), (other, next_index) in pairwise(nodes):
        assert (index + 1) << level == next_index << other
    assert (nodes[-1][1] + 1) << nodes[-1][0] == first + count
    assert len(nodes) <= 2 * count.bit_length()


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.data())
def test_moments_do_not_depend_on_the_grouping(values, data):
    """Any order and grouping of single paths gives the bits of one path after the other."""
    leaves = [({(0, i): (np.array(1.0), np.array(v + 0.0), np.array(0.0))}) for i, v in enumerate(values)]
    straight = {}
    for leaf in leaves:
        straight = tree.united(straight, leaf, moments.joined)
    pool = list(leaves)
    while len(pool) > 1:
        a = pool.pop(data.draw(st.integers(0, len(pool) - 1)))
        b = pool.pop(data.draw(st.integers(0, len(pool) - 1)))
        pool.append(tree.united(a, b, moments.joined))
    assert set(pool[0]) == set(straight) == set(tree.nodes_of(range(len(values))))
    ours, theirs = tree.root(pool[0], moments.joined), tree.root(straight, moments.joined)
    assert [x.tobytes() for x in ours] == [x.tobytes() for x in theirs]
    exact = np.mean(values)
    assert abs(ours[1] - exact) <= 1e-13 * (1 + np.abs(values).max())
    assert (
        abs(ours[2] - np.sum((np.array(values) - exact) ** 2)) <= 1e-12 * len(values) * (1 + np.abs(values).max()) ** 2
    )


# -- memory ----------------------------------------------------------------------------------------------------------


def test_memory_grows_with_what_is_saved_only():
    """80,000 more paths leave their final states, 15 numbers and what became of them, 10 MB; their statistics nothing."""
    reduce = ["mean", "variance", *(sd.Histogram(name, -5, 5, 200) for name in BODY.observables())]

    def most(paths):
        """The most bytes that Python and NumPy held at once; those of a process would be at least those of who began it."""
        tracemalloc.start()
        BODY.simulate(
            t_end=0.1, dt=0.01, paths=paths, save=sd.Save("final", names=[]), reduce=sd.Reduce(reduce, at="every:5"),
            execution=sd.Execution(threads=2, engine="compiled"),
        )  # fmt: skip
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak / 1e6

    most(1000)
    small, large = most(20_000), most(100_000)
    final = 80_000 * (15 * 8 + 1 + 8 + 2) / 1e6
    assert large - small < final + 30, f"{small:.0f} MB, {large:.0f} MB"  # measured 26


@pytest.mark.parametrize("law", ["normal", "exponential"])
def test_intervals_of_quantiles_cover_them(law):
    """By their construction, for any law: 200 histograms of 100 values each; quantiles beyond the data have no bound."""
    rng, asked = np.random.default_rng(0), sd.Histogram("x", -8, 8, bins=4000)
    truth = {
        "normal": [-0.6744897501960817, 0.0, 1.6448536269514722],
        "exponential": [0.2876820724517809, np.log(2), np.log(20)],
    }
    hits, q = np.zeros(3), [0.25, 0.5, 0.95]
    for _ in range(200):
        taker = asked.accumulator(range(100), 1, {"x": 1})
        values = rng.normal(size=(1, 100)) if law == "normal" else rng.exponential(size=(1, 100))
        taker.add(0, {"x": values}, np.ones(100, bool), np.full(100, np.nan))
        found = asked.reduced(StatisticRequest(taker.partial(), np.zeros(1), 100, {"x": 1}, {}))
        low, high = found.quantile_intervals(q)[0].T
        hits += (low <= truth[law]) & (truth[law] <= high)
        assert found.quantile_intervals(0.99)[0, 1] == np.inf
    assert (hits >= 0.91 * 200).all()  # measured .94 to .97
    with pytest.raises(sd.errors.InputError, match="level"):
        found.quantile_intervals(0.5, level=1.0)
    shared = asked.reduced(StatisticRequest(taker.partial(), np.zeros(1), 100, {"x": 1}, {}, True))
    with pytest.raises(sd.errors.InputError, match="one noise"):
        shared.quantile_intervals(0.5)
