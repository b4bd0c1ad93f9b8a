"""Statistics, stops, bounds and kinds of noise on the command line are those of ``simulate``."""

import numpy as np
import pytest

import semidirect as sd
from semidirect.statistics.choice.by_name import STATISTICS
from semidirect.statistics.choice.by_text import from_text

SHORT = ("run", "routh-sphere", "--t-end", "0.4", "--dt", "0.02", "--paths", "70")
BALL = sd.load("routh-sphere")
WANTED = [
    "moments:energy,jellett", "covariance:energy,jellett", "extremes:Gamma", "histogram:energy,low=0,high=3,bins=30",
    "first-passage:Gamma,level=-0.5,component=2,direction=down",
]  # fmt: skip
REDUCTIONS = [
    sd.Moments(["energy", "jellett"]), sd.Covariance(["energy", "jellett"]), sd.Extremes(["Gamma"]),
    sd.Histogram("energy", 0, 3, bins=30), sd.FirstPassage("Gamma", -0.5, component=2, direction="down"),
]  # fmt: skip


def flags(entries):
    return [part for entry in entries for part in ("--reduce", entry)]


def test_texts_are_reductions():
    assert [r.described() for r in map(from_text, WANTED)] == [r.described() for r in REDUCTIONS]
    assert [r.kind for r in map(from_text, ["mean", "extremes"])] == ["moments", "extremes"]
    shown = [kind.example or name for name, kind in STATISTICS.built_in.items()]
    assert [r.kind for r in map(from_text, shown)] == list(STATISTICS.built_in)


def test_help_shows_every_statistic(semidirect):
    told = " ".join(semidirect("run", "--help").out.split()).replace("- ", "-")
    assert [k for k in STATISTICS.built_in.values() if (k.example or k.kind) not in told] == []


def test_the_numbers_are_those_of_the_run(semidirect):
    done = semidirect(*SHORT, *flags(WANTED), "--reduce-at", "every:10", "--format", "json")
    assert (done.code, done.err) == (0, "")
    run = BALL.simulate(t_end=0.4, dt=0.02, paths=70, save="final", reduce=sd.Reduce(REDUCTIONS, at="every:10"))
    assert list(done.json["reductions"]) == list(run.reductions)
    for key, tables in done.json["reductions"].items():
        assert tables["times"] == run.reductions[key].times.tolist()
        for name, (_, values) in run.reductions[key].tables().items():
            np.testing.assert_array_equal(np.array(tables[name], dtype=values.dtype), values)


def test_for_people(semidirect):
    done = semidirect(*SHORT, *flags(WANTED))
    assert (done.code, done.err) == (0, "")
    run = BALL.simulate(t_end=0.4, dt=0.02, paths=70, save="final", reduce=REDUCTIONS)
    moments, histogram = run.reductions["moments"], run.reductions["histogram:energy"]
    assert f"{moments.variance['jellett'][-1]:.6g}" in done.out
    assert "to 0.05, half a bin" in done.out
    medians = [line.split() for line in done.out.splitlines() if line.startswith("energy ")]
    assert f"{histogram.quantiles(0.5)[-1]:.6g}" in [row[3] for row in medians if len(row) == 6]


def test_stops_bounds_and_failures(semidirect):
    stop = ("--stop", "Gamma[2]>=-0.8", "--stop-every", "2")
    done = semidirect(*SHORT, *stop, "--bound", "energy=2.243", "--on-failure", "mask", "--format", "json")
    run = BALL.simulate(t_end=0.4, dt=0.02, paths=70, save="final", stop=sd.Stop("Gamma", above=-0.8, component=2, every=2),
                        checks=sd.Checks(bounds={"energy": 2.243}, on_failure="mask"))  # fmt: skip
    assert 0 < len(run.failures()) < 70
    assert (done.code, done.json["failures"]) == (1, len(run.failures()))
    assert "a value is beyond its bound" in done.err
    done = semidirect(*SHORT, "--bound", "energy=2.243", "--on-failure", "raise")
    assert done.code == 1
    assert "beyond its bound" in done.err


def test_located_stops_and_crossings(semidirect, tmp_path):
    place = tmp_path / "run.zarr"
    events = ("--stop", "Gamma[2]>=-0.8", "--stop", "energy=2.242,rising", "--locate", "--crossing", "Gamma[0] = 0")
    done = semidirect(*SHORT, *events, "-o", place, "--save", "final", "--format", "json")
    crossing = sd.Crossing("Gamma", component=0)
    stops = [sd.Stop("Gamma", above=-0.8, component=2, locate=True), sd.Crossing("energy", 2.242, "rising")]
    run = BALL.simulate(t_end=0.4, dt=0.02, paths=70, save=sd.Save("final", crossings=crossing), stop=stops)
    stored = sd.Run.load(place)
    assert stored.crossings[0].crossing == sd.Crossing("Gamma1")  # by its own name
    assert stored.crossings[0].times.tobytes() == run.crossings[0].times.tobytes()
    assert stored.stopped.time.tobytes() == run.stopped.time.tobytes()
    assert {k: v["paths"] for k, v in done.json["stopped"].items()} == run.stopped.counts
    assert min(run.stopped.counts.values()) > 0
    assert done.json["crossings"] == {"Gamma1 = 0": int(run.crossings[0].count.sum())}
    shown = semidirect(*SHORT, *events).out
    assert f"stopped by Gamma3 ≥ -0.8: {run.stopped.counts['Gamma3 ≥ -0.8']}, at t = " in shown
    assert "crossings of Gamma1 = 0: " in shown


def test_kinds_of_noise_and_of_runs(semidirect):
    more = (
        "--set",
        "noise=[[0, 0, 0.1], [0.1, 0, 0]]",
        "--noise-covariance",
        "[[1, 0.5], [0.5, 1]]",
        "--no-reconstruction",
    )
    done = semidirect(*SHORT, *more, "--method", "heun", "--format", "json")
    ball = sd.load("routh-sphere", noise=[[0, 0, 0.1], [0.1, 0, 0]])
    noise = sd.Wiener(covariance=[[1, 0.5], [0.5, 1]])
    run = ball.simulate(
        t_end=0.4,
        dt=0.02,
        paths=70,
        method="heun",
        save="final",
        driver=noise,
        formulation=sd.Formulation(reconstruct=False),
    )
    assert done.json["final"]["Gamma"]["mean"] == run.statistics()["Gamma"]["mean"][-1].tolist()
    assert "x" not in done.json["final"]
    weak = semidirect(*SHORT, "--increment-law", "three-point", "--method", "heun", "--format", "json")
    run = BALL.simulate(
        t_end=0.4, dt=0.02, paths=70, method="heun", save="final", driver=sd.Wiener(increment_law="three-point")
    )
    assert weak.json["final"]["energy"]["mean"] == run.statistics()["energy"]["mean"][-1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--reduce", "histogram"], "one quantity, histogram:NAME"),
        (["--reduce", "histogram:energy"], "with low=, high="),
        (["--reduce", "histogram:energy,low=0,hihg=1"], "hihg="),
        (["--reduce", "moments:energy,foo=1"], "options quantities, label, got foo="),
        (["--reduce", "moments:enrgy"], "unknown quantity to reduce 'enrgy'"),
        (["--reduce", "means"], "unknown statistic 'means'"),
        (["--reduce", "histogram:energy,low=a,high=1"], "low < high"),
        (["--stop", "energy==3"], "NAME>=LEVEL"),
        (["--stop", "energy>=3,rising"], "NAME>=LEVEL"),
        (["--crossing", "energy>=3"], "NAME=LEVEL"),
        (["--crossing", "energy=3,up"], "NAME=LEVEL"),
        (["--crossing", "Gamma=1"], "component"),
        (["--stop", "energy>=3", "--locate", "--stop-every", "2"], "located"),
        (["--locate"], "--stop NAME>=LEVEL with it"),
        (["--stop", "energy>=three"], "NAME>=LEVEL"),
        (["--stop", "Gamma>=1"], "component"),
        (["--stop-every", "3"], "--stop NAME>=LEVEL with it"),
        (["--bound", "energy"], "KEY=JSON"),
        (["--bound", "energy=-1"], "a positive number"),
        (["--noise-covariance", "x"], "'[[1, 0.5], [0.5, 1]]'"),
        (["--noise-covariance", "[[1, 2], [2, 1]]"], "covariance"),
        (["--keep", "x", "--no-reconstruction"], "depends on the configuration"),
    ],
)
def test_bad_input_is_named(semidirect, arguments, words):
    done = semidirect(*SHORT, *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
