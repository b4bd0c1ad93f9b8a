"""A run of a hybrid system is a run: its end, statistics, stores, pictures, tables, longer runs."""

import copy
import pickle
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError, StoreError, UnknownNameError

sys.path.insert(0, str(Path(__file__).parents[1] / "facts"))  # the systems of the tests of facts
from hopping_hoops import START, hopping_hoop
from hybrid_systems import PinnedRod, falling_point, landing_rod

LANDS = sd.Crossing("height", 0, "falling")
HOOPS = {"dt": 0.01, "seed": 11, "method": "lie-heun"}


@pytest.fixture(scope="module")
def hoop():
    return hopping_hoop(friction=0.8, noise=[2.0])


@pytest.fixture(scope="module")
def run(hoop):
    """Four hoops under noise."""
    reduce = [sd.Moments(["slip", "omega"]), sd.FirstPassage("omega", 7.0, "down")]
    return hoop.simulate(mode="rolling", t_end=0.6, paths=4, state=START, save="every:5", reduce=reduce, **HOOPS)


@pytest.fixture(scope="module")
def first(hoop):
    """The first half, which ends where paths are in different modes."""
    found = hoop.simulate(mode="rolling", t_end=0.4, paths=4, state=START, save="every:5", **HOOPS)
    assert len(np.unique(found.mode[:, -1])) > 1
    return found


def assert_same(one, other):
    assert list(one) == list(other)
    for name in one:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
    for name in ("mode", "status", "ended_at"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name, column in vars(one.transitions).items():
        np.testing.assert_array_equal(column, getattr(other.transitions, name), err_msg=name)


def test_it_is_a_run(run, hoop):
    assert isinstance(run, sd.Run)
    assert (run.seed, run.paths, run.failures(), run.good.all()) == (11, 4, [], True)
    assert run.config["hybrid"]["modes"] == list(hoop.modes)
    assert run.data.unit("omega") == "rad/s"
    np.testing.assert_array_equal(run["2*omega - omega"], run["omega"])
    assert "flight" in run._repr_html_()
    assert {"path", "time", "omega"} <= set(run.to_pandas().columns)
    for again in (copy.deepcopy(run), pickle.loads(pickle.dumps(run))):
        assert_same(again, run)


def test_both_parts_of_a_run_are_the_whole_to_the_bit(hoop, run, first):
    """Modes, tolerances and noise go on, also from a store; an end has the values that were saved last."""
    rest = hoop.simulate(state=first.final, t_end=0.6, save="every:5", **HOOPS)
    assert rest.times[0] == 0.4
    for name in run:
        np.testing.assert_array_equal(np.concatenate([first[name], rest[name][:, 1:]], axis=1), run[name], err_msg=name)
    order = np.argsort(np.concatenate([first.transitions.path, rest.transitions.path]), kind="stable")
    for name, column in vars(run.transitions).items():
        both = np.concatenate([getattr(part.transitions, name) for part in (first, rest)])
        np.testing.assert_array_equal(both[order], column, err_msg=name)
    for name in ("omega", "b"):
        np.testing.assert_array_equal(run.final[name], run[name][:, -1])


def test_a_longer_run_and_one_of_more_paths(hoop, run, first):
    longer = sd.runs.extend(first, t_end=0.6)
    assert type(longer) is sd.runs.HybridRun
    assert_same(longer, run)
    more = sd.runs.extend(first, paths=5)
    np.testing.assert_array_equal(more["omega"][:4], first["omega"])
    for wrong in ({"t_end": 0.2}, {"paths": 2}, {}, {"t_end": 1.0, "driver": 0}):
        with pytest.raises(InputError):
            sd.runs.extend(first, **wrong)


def test_statistics_are_over_the_paths_that_have_a_quantity(run):
    """The slip is that of two modes; a mean over none is nan."""
    found, slip = run.reductions["moments"], run["slip"]
    known = ~np.isnan(slip)
    assert 0 < known.any(axis=0).sum() < len(run.times)
    with np.errstate(all="ignore"):
        mean = np.where(known, slip, 0).sum(axis=0) / known.sum(axis=0)
    np.testing.assert_allclose(found.mean["slip"], mean, rtol=1e-13)
    np.testing.assert_allclose(run.statistics()["slip"]["mean"], mean, rtol=1e-13)
    np.testing.assert_allclose(found.mean["omega"], run["omega"].mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(run.statistics()["omega"]["se"], run["omega"].std(axis=0, ddof=1) / 2, rtol=1e-12)
    passage = next(r for key, r in run.reductions.items() if key != "moments")
    assert passage.passed.sum() == np.count_nonzero((run["omega"] <= 7).any(axis=1))


def test_statistics_do_not_depend_on_what_is_saved_or_how_paths_are_divided(hoop, run):
    how = {"mode": "rolling", "t_end": 0.6, "state": START, **HOOPS}
    other = hoop.simulate(paths=4, save="final", reduce=sd.Reduce(sd.Moments(["slip", "omega"]), at="every:5"), **how,
                          execution=sd.Execution(engine="compiled"))  # fmt: skip
    for name, (_, table) in run.reductions["moments"].tables().items():
        np.testing.assert_array_equal(other.reductions["moments"].tables()[name][1], table, err_msg=name)
    with pytest.raises(UnknownNameError, match="no such thing"):
        hoop.simulate(paths=1, reduce=sd.Moments("no such thing"), **how)


def test_a_store(hoop, run, first, tmp_path):
    """Saved, written by the run itself, read, continued."""
    run.save(tmp_path / "a.zarr")
    read = sd.runs.HybridRun.load(tmp_path / "a.zarr")
    assert_same(read, run)
    assert (read.modes, read.switches, read.start, read.seed) == (run.modes, run.switches, run.start, run.seed)
    for name, (_, table) in run.reductions["moments"].tables().items():
        np.testing.assert_array_equal(read.reductions["moments"].tables()[name][1], table, err_msg=name)
    stored = {"mode": "rolling", "t_end": 0.4, "paths": 4, "state": START, **HOOPS}
    hoop.simulate(save=sd.Save("every:5", store=tmp_path / "b.zarr"), **stored)
    half = sd.runs.HybridRun.load(tmp_path / "b.zarr")
    assert_same(half, first)
    again = sd.Save("every:5", store=tmp_path / "b.zarr", resume=True)
    assert_same(hoop.simulate(save=again, **stored), first)
    with pytest.raises(StoreError, match="another run"):
        hoop.simulate(save=again, **{**stored, "seed": 12})
    rest = hoop.simulate(state=half.final, t_end=0.6, save="every:5", **HOOPS)
    np.testing.assert_array_equal(rest["omega"][:, -1], run["omega"][:, -1])
    with pytest.raises(StoreError, match="exists already"):
        run.save(tmp_path / "a.zarr")
    with pytest.raises(InputError, match=r"state=HybridRun\.load"):
        sd.runs.extend(tmp_path / "b.zarr", t_end=1.0)
    one = falling_point(LANDS, 0.0).modes["flight"].simulate(t_end=0.1, dt=0.1)
    one.save(tmp_path / "c.zarr")
    with pytest.raises(InputError, match=r"sd\.Run\.load"):
        sd.runs.HybridRun.load(tmp_path / "c.zarr")


def test_pictures_mark_transitions(run):
    mpl.use("Agg")
    ax = run.plot("omega")
    ticks = [line for line in ax.lines if line.get_label() == f"{len(run.transitions)} transitions"]
    np.testing.assert_array_equal(np.sort(run.transitions.time), ticks[0].get_xdata())
    single = falling_point(LANDS, 0.4).simulate(mode="flight", t_end=1.3, dt=0.05, method="rkmk4")
    ax = single.plot("height")
    assert [c.get_label() for c in ax.collections] == ["2 transitions"]
    np.testing.assert_array_equal([s[0, 0] for s in ax.collections[0].get_segments()], single.transitions.time)
    ax.figure.canvas.draw()


def test_a_page_shows_modes_and_transitions(run):
    scene = run.view(paths=2).scene
    assert scene["modes"] == list(run.modes)
    for path, instants in enumerate(scene["instants"]):
        table = run.transitions.of_path(path)
        assert [time for time, _ in instants] == table.time.tolist()
        names = [run.modes[i] for i in table.source], [run.modes[i] for i in table.target]
        assert [words for _, words in instants] == [f"{a} → {b}" for a, b in zip(*names, strict=True)]


def test_failures_name_what_ended_a_path():
    """A switch in whose impact the ground would have to pull."""
    rod = landing_rod(PinnedRod())
    how = {"dt": 0.01, "method": "rk4"}
    with pytest.warns(sd.errors.FailedPathsWarning):
        fallen = rod.simulate(mode="flight", t_end=0.1, state={"v": (3, -0.3), "b": (0, -0.103, 1)}, **how)
    (failure,) = fallen.failures()
    assert failure.component == fallen.switches[0]
    assert failure.time == fallen.ended_at[0]
    with pytest.raises(InputError, match="cannot be continued"):
        rod.simulate(state=fallen.final, t_end=1.0, **how)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"mode": "rolling"}, "in its own"),
        ({"dt": 0.02}, "noise of another step"),
        ({"paths": 3}, "paths of a hybrid run"),
        ({"formulation": sd.Formulation(sensitivity="omega")}, "Differentiate the whole run"),
        ({"save": sd.Save(crossings=LANDS)}, "transitions"),
        ({"execution": sd.Execution(progress=True)}, "progress"),
    ],
)
def test_what_a_continued_run_cannot(hoop, first, how, words):
    with pytest.raises(InputError, match=words):
        hoop.simulate(**{"state": first.final, "t_end": 0.6, **HOOPS, **how})


def test_another_system_does_not_continue_it(first):
    with pytest.raises(InputError, match="same modes and switches"):
        hopping_hoop(friction=0.7, noise=[2.0]).simulate(state=first.final, t_end=0.6, **HOOPS)
    with pytest.raises(InputError, match="same modes and switches"):
        falling_point(LANDS, 0.5).simulate(state=first.final, t_end=0.6, dt=0.01)
    with pytest.raises(InputError, match="mode at the start"):
        falling_point(LANDS, 0.5).simulate(t_end=0.6, dt=0.01)
