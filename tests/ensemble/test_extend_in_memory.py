"""Runs in memory that are extended: identical to the last bit to runs that were as long from the start."""

import pickle

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError

BALL = sd.load("rolling-ball", noise=[[0.3, -0.2, 0.5]])
CALL = {"t_end": 0.2, "dt": 0.02, "paths": 70, "seed": 5, "method": "lie-heun"}


def same(run, other):
    for part in ("data", "final"):
        ours, theirs = getattr(run, part), getattr(other, part)
        assert list(ours) == list(theirs)
        for name in ours:
            assert ours[name].tobytes() == theirs[name].tobytes(), name
    for name in ("times", "status", "failed_at", "failed_component"):
        assert getattr(run.data, name).tobytes() == getattr(other.data, name).tobytes(), name
    for key, one in run.reductions.items():
        for name, (_, table) in one.tables().items():
            assert np.array_equal(table, other.reductions[key].tables()[name][1], equal_nan=True), (key, name)
    for one, two in zip(run.crossings, other.crossings, strict=True):
        assert one.times.tobytes() == two.times.tobytes()
        assert all(one[k].tobytes() == two[k].tobytes() for k in one)
    assert {**run.config} == {**other.config}


OPTIONS = {
    "all times": {},
    "the end": {"save": "final"},
    "some times": {"save": sd.Save("every:5", names=["energy", "M"])},
    "statistics": {"reduce": sd.Moments(["energy"]), "save": "final"},
    "a stop": {"stop": sd.Stop("Omega1", above=0.4, locate=True)},
    "crossings": {"save": sd.Save("every:5", crossings=sd.Crossing("Omega1", 0.1, most=3, keep=["M"]))},
    "a bound": {"checks": sd.Checks(bounds={"M": 0.02})},
    "derivatives": {"formulation": sd.Formulation(sensitivity="mass"), "save": "every:5"},
    "a smooth path": {"driver": "sin(9*t)", "method": "rk4"},
    "steps of the method": {"driver": "sin(9*t)", "method": "dop853", "paths": 2},
    "a half-step": {"checks": sd.Checks(error_check=True)},
}


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("more", [{"t_end": 0.4}, {"paths": 140, "t_end": 0.3}])
def test_a_longer_run_is_the_one_from_the_start(name, more, recwarn):
    call = CALL | OPTIONS[name]
    short, whole = BALL.simulate(**call), BALL.simulate(**call | more)
    before = {k: v.copy() for k, v in short.items()}
    longer = sd.extend(short, **more)
    same(longer, whole)
    assert all(np.array_equal(short[k], v, equal_nan=True) for k, v in before.items())
    assert (longer.error_check is None) == (whole.error_check is None)
    same(sd.extend(sd.extend(short, paths=more.get("paths", call["paths"])), **more), whole)


def test_runs_of_both_engines_executors_and_pickles_are_extended():
    whole = BALL.simulate(**CALL | {"t_end": 0.4})
    for engine, other in (("numpy", "compiled"), ("compiled", "numpy")):
        short = BALL.simulate(**CALL, execution=sd.Execution(engine=engine))
        same(sd.extend(short, t_end=0.4, execution=sd.Execution(engine=other, threads=2)), whole)
    same(sd.extend(pickle.loads(pickle.dumps(short)), t_end=0.4), whole)
    rest = BALL.simulate(**CALL | {"state": short.final, "t_end": 0.3, "seed": 5})
    same(sd.extend(rest, t_end=0.4), BALL.simulate(**CALL | {"state": short.final, "t_end": 0.4, "seed": 5}))


def test_values_by_path_keep_their_paths():
    ball = BALL.replace(mass=sd.PerPath([1.0, 2.0]))
    call = CALL | {"paths": None, "state": {"Omega": [[1.0, 0, 0], [0, 1.0, 0]]}}
    short = ball.simulate(**call)
    same(sd.extend(short, t_end=0.4), ball.simulate(**call | {"t_end": 0.4}))
    with pytest.raises(InputError, match="paths: expected 2"):
        sd.extend(short, paths=3)


def test_a_run_of_a_store_is_extended_there(tmp_path):
    stored = BALL.simulate(**CALL, save=sd.Save(store=tmp_path / "run"))
    longer = sd.extend(stored, t_end=0.4, system=BALL)
    same(sd.Run.load(tmp_path / "run"), BALL.simulate(**CALL | {"t_end": 0.4}))
    assert longer.times[-1] == pytest.approx(0.4)


def test_a_path_of_increments_is_given_again():
    drive = np.full((20, 1), 0.01)
    drive[:, 0] += 0.001 * np.arange(20)
    short = BALL.simulate(**CALL | {"driver": drive[:10]})
    same(sd.extend(short, t_end=0.4, driver=drive), BALL.simulate(**CALL | {"t_end": 0.4, "driver": drive}))
    with pytest.raises(InputError, match="expected the one that it had"):
        sd.extend(short, t_end=0.4, driver=drive[::-1].copy())
    with pytest.raises(InputError):
        sd.extend(short, t_end=0.4)


def test_what_cannot_be_extended_is_refused():
    short = BALL.simulate(**CALL)
    for arguments, message in [
        ({}, "nothing to extend"), ({"paths": 3}, "at least 70 paths"), ({"t_end": 0.1}, "t_end 0.2"),
        ({"t_end": 0.4, "system": BALL}, "system of a run in memory"), ({"t_end": 0.4, "method": "heun"}, "method of a run in"),
    ]:  # fmt: skip
        with pytest.raises(InputError, match=message):
            sd.extend(short, **arguments)
    with pytest.raises(InputError, match=r"a store|a run"):
        sd.extend(7, t_end=0.4)
