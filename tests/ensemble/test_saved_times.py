"""Times of a run are those that a person writes, wherever they are saved, selected and matched; the equations keep n·dt."""

import shutil

import numpy as np
import pytest

import semidirect as sd

BODY = sd.load("rigid-body")


def written(numerator, denominator, count):
    return [n * numerator / denominator for n in range(count + 1)]


@pytest.mark.parametrize(("p", "q"), [(1, 10), (1, 100), (1, 30), (1, 3), (3, 8), (7, 100)])
def test_saved_times_are_those_that_a_person_writes(p, q, tmp_path):
    times = written(p, q, 40)
    run = BODY.simulate(t_end=times[-1], dt=p / q, paths=2, seed=1, reduce=sd.Reduce([sd.Moments(["energy"])], at="all"),
                        save=sd.Save(store=tmp_path / "run.zarr"))  # fmt: skip
    assert run.times.tolist() == times
    assert run.reductions["moments"].times.tolist() == times
    assert (run.final.t, run.config["t_end"]) == (times[-1], times[-1])
    data = run.to_xarray()
    for at, t in enumerate(times):
        assert data.sel(time=t)["energy"].values.tolist() == run["energy"][:, at].tolist()
    assert run.to_pandas()["time"].unique().tolist() == times
    chosen = BODY.simulate(t_end=times[-1], dt=p / q, paths=2, seed=1, save=times[3:7])
    assert chosen.times.tolist() == [*times[3:7], times[-1]]
    assert np.array_equal(chosen["M"], run["M"][:, [3, 4, 5, 6, 40]])
    longer = sd.extend(tmp_path / "run.zarr", t_end=times[-1] + 2 * p / q)
    assert longer.times.tolist() == written(p, q, 42)


def test_runs_in_parts_begin_at_the_label_at_which_they_ended():
    whole = BODY.simulate(t_end=0.7, dt=0.1, paths=2, seed=3)
    first = BODY.simulate(t_end=0.3, dt=0.1, paths=2, seed=3)
    rest = BODY.simulate(t_end=0.7, dt=0.1, state=first.final)
    assert (first.times[-1], rest.times[0], rest.data.t_start) == (0.3, 0.3, 0.3)
    assert rest.times.tolist() == whole.times[3:].tolist()
    assert np.array_equal(rest["M"], whole["M"][:, 3:])


def test_stepper_failure_and_located_times_are_on_the_same_grid():
    ensemble = BODY.ensemble(dt=0.1, paths=2, seed=3)
    assert [ensemble.advance(steps=1).t for _ in range(7)] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    line = sd.Kinematics(sd.RealSpace(1), velocity=lambda t: (1.0,))
    stopped = line.simulate(t_end=1.0, dt=0.1, stop=sd.Stop("x1", above=0.3, locate=False), method="rk4")
    assert stopped.stopped.time[0] in (0.3, 0.4)
    assert stopped.stopped.time[0] in stopped.times


def test_equations_and_expressions_keep_the_time_of_the_step():
    line = sd.Kinematics(sd.RealSpace(1), velocity=lambda t: (1.0,))
    arguments, name = {"t_end": 3.0, "dt": 0.1, "method": "rk4"}, "sin(1000*t)"
    run = line.simulate(**arguments, save=sd.Save(names=[name]))
    steps = np.arange(31)
    assert run.times.tolist() == written(1, 10, 30)
    whole = line.simulate(**arguments)
    assert np.array_equal(whole["1*t"][0], steps * 0.1)
    assert not np.array_equal(run.times, steps * 0.1)
    assert np.array_equal(whole[name], run[name])
    assert np.array_equal(line.simulate(**arguments, save=sd.Save("final", names=[name]))[name][0], run[name][0, -1:])


def old_version(monkeypatch):
    """The times of earlier versions, n·dt."""
    from semidirect.engines import record
    from semidirect.ensemble.store import manifest
    from semidirect.results import assembly
    from semidirect.specification import run_spec as spec

    for module in (assembly, record, spec, manifest):
        for name in ("label", "labels"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, lambda steps, dt: steps * dt)


@pytest.mark.parametrize("damage", [False, True], ids=["whole", "a chunk is missing"])
def test_runs_that_earlier_versions_stored_are_read_resumed_and_extended(tmp_path, monkeypatch, damage):
    arguments = {"t_end": 0.3, "dt": 0.1, "paths": 3, "seed": 5}
    place = tmp_path / "old.zarr"
    with monkeypatch.context() as earlier:
        old_version(earlier)
        old = BODY.simulate(**arguments, save=sd.Save(store=place))
    assert old.config["t_end"] == old.times[-1] == 3 * 0.1 != 0.3
    if damage:
        shutil.rmtree(place / "record" / "checksums" / "c", ignore_errors=True)
        for mark in (place / "record" / "checksums").glob("c*"):
            mark.unlink()
    again = BODY.simulate(**arguments, save=sd.Save(store=place, resume=True))
    assert np.array_equal(again["M"], BODY.simulate(**arguments)["M"])
    assert np.array_equal(sd.Run.load(place)["M"], again["M"])
    rest = BODY.simulate(t_end=0.7, dt=0.1, state=again.final)
    longer = sd.extend(place, t_end=0.7, system=BODY)
    assert longer.times.tolist() == written(1, 10, 7)
    assert np.array_equal(longer["M"][:, 3:], rest["M"])
