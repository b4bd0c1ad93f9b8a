"""Extended Kalman filters of several values of parameters at once have the bits of each alone, and so have fits."""

import numpy as np
import pytest
from calibration import BALL, DOTS

import semidirect as sd
from semidirect.errors import InputError
from semidirect.inference import recordings
from semidirect.inference.likelihoods import log_likelihoods
from semidirect.inference.surface import Surface

DISK = sd.load("rolling-disk", radius=0.08, noise=(0.15, 0.35), variant="rolling-noise")
TOP = sd.load("heavy-top", noise=[[0.1, 0.05, 0.1]])
TIMES = [0.02, 0.05, 0.11, 0.15]
CASES = {
    "motions and a wheel": (DISK, sd.Observation(["x", "y"], noise=0.01), {"radius": [0.07, 0.08, 0.1]}),
    "rotations, advected": (TOP, sd.Observation("Gamma", noise=0.1, lost=0.1), {"mass": [0.8, 1.0], "gravity": [9.8, 9.0]}),
    "a pose": (TOP, sd.inference.orientation("matrix", noise=0.1), {"mass": [0.8, 1.0, 1.1]}),
    "motions of space": (BALL, sd.inference.camera(DOTS, noise=0.05), {"noise": [0.1 * np.eye(3), 0.2 * np.eye(3)]}),
}  # fmt: skip


def systems_of(system, values):
    each = zip(*([(k, v) for v in several] for k, several in values.items()), strict=True)
    return [system.replace(**dict(pairs)) for pairs in each]


def together(systems, observation, data, **options):
    given = {"seed": 0, "state": None, "t_start": 0.0, "method": None, "driver": None, "execution": None, "columns": None,
             "time": None, "clock": None, "inputs": None, "without": (), "dt": 0.05, "particles": 2}  # fmt: skip
    return log_likelihoods(systems, observation, data, **given | options)


@pytest.mark.parametrize("name", CASES)
def test_several_at_once_have_the_bits_of_each_alone(name):
    system, observation, values = CASES[name]
    update = sd.ExtendedKalman({"configuration": 0.05})
    run = system.simulate(t_end=0.2, dt=0.01, seed=2)
    seen = observation.of(run, seed=1)
    data = seen.sel(time=TIMES, method="nearest").assign_coords(time=TIMES)
    systems = systems_of(system, values)
    found = together(systems, observation, data, update=update)
    alone = [sd.filter(one, observation, data, dt=0.05, particles=2, update=update) for one in systems]
    assert found.tolist() == [one.log_likelihood for one in alone]
    assert len({*found.tolist()}) == len(found)


def test_particles_and_starts_of_particles_are_filtered_one_by_one():
    seen = sd.Observation(["x", "y"], noise=0.01)
    data, systems = ([0.05], [[0.0, 0.0]]), systems_of(DISK, {"radius": [0.07, 0.08]})
    assert together(systems, seen, data, update="particles") is None
    drawn = {"update": "extended-kalman", "state": lambda rng, count: {"omega": rng.standard_normal(count)}}
    assert together(systems, seen, data, **drawn) is None
    assert together(systems, seen, data, update="extended-kalman", state={"omega": [1.0, 2.0]}) is None
    assert together(systems, seen, data, update="extended-kalman", state={"omega": 1.0}) is not None


def robot_data():
    run = DISK.simulate(t_end=0.4, dt=0.05, seed=3, save="every:2", state={"omega": 5.0, "nu": 0.5})
    return sd.Observation(["x", "y"], noise=0.01).of(run, seed=1).isel(time=slice(1, None))


OPTIONS = {"dt": 0.1, "state": {"omega": 5.0, "nu": 0.5}, "update": "extended-kalman", "particles": 2}


@pytest.mark.filterwarnings("ignore::semidirect.errors.FilterWarning")
def test_a_system_whose_filter_fails_does_not_spoil_the_others():
    seen, data = sd.Observation(["x", "sqrt(0.1 - radius)"], noise=0.01), ([0.1, 0.2], [[0.0, 0.1], [0.0, 0.1]])
    several = recordings.Recordings.of(seen, data, OPTIONS["state"], None)
    options = {**{k: v for k, v in OPTIONS.items() if k != "state"}, "t_start": 0.0, "method": None, "driver": None,
               "execution": None, "columns": None, "time": None, "clock": None}  # fmt: skip
    systems = systems_of(DISK, {"radius": [0.05, 0.2, 0.08]})
    first, bad, last = several.log_likelihoods(systems, 0, **options)
    assert bad == -np.inf
    assert [first, last] == [several.log_likelihood(one, 0, **options) for one in (systems[0], systems[2])]


def test_a_fit_has_the_bits_of_one_that_filters_one_after_the_other(monkeypatch):
    seen, data, start = sd.Observation(["x", "y"], noise=0.01), robot_data(), DISK.replace(radius=0.07)
    calls = []

    def counted(systems, *args, **options):
        calls.append(len(systems))
        return log_likelihoods(systems, *args, **options)

    monkeypatch.setattr(recordings, "log_likelihoods", counted)
    fast = sd.fit(start, seen, data, "radius", **OPTIONS)
    assert sum(calls) > 2 * len(calls)
    monkeypatch.setattr(recordings, "log_likelihoods", lambda *args, **options: None)
    slow = sd.fit(start, seen, data, "radius", **OPTIONS)
    for name in ("estimate", "interval", "standard_error", "points", "values", "covariance"):
        np.testing.assert_array_equal(getattr(fast, name), getattr(slow, name))
    assert fast.evaluations == slow.evaluations


def test_a_fit_is_saved_and_read_again(tmp_path):
    """Of two recordings, all that it says; the system comes from the reader."""
    seen, data = sd.Observation(["x", "y"], noise=0.01), robot_data()
    fit = sd.fit(DISK, seen, [data[:2], data], "radius", level=0.9, **OPTIONS)
    fit.save(tmp_path / "fit.nc")
    again = sd.inference.load_result(tmp_path / "fit.nc", system=DISK)
    assert str(again) == str(fit)
    assert again.system.values["radius"] == fit["radius"]
    for name, value in vars(fit).items():
        if name not in ("system", "filtered", "recordings"):
            np.testing.assert_array_equal(getattr(again, name), value, err_msg=name)
    for one, other in zip(again.recordings, fit.recordings, strict=True):
        assert one.data.equals(other.data)
        assert one.data.attrs == other.data.attrs
        assert str(one.innovations) == str(other.innovations)
    alone = sd.inference.load_result(tmp_path / "fit.nc")
    assert (alone.system, alone.kind, repr(alone)) == (None, "RollingDisk", repr(fit))
    with pytest.raises(InputError, match="the one that was fitted, RollingDisk"):
        sd.inference.load_result(tmp_path / "fit.nc", system=TOP)
    with pytest.raises(InputError, match="Run the filter again"):
        again.filtered.predict(9.0)


def test_values_that_are_prepared_count_when_they_are_asked_for():
    asked = []

    def several(points, seed):
        asked.append(len(points))
        return [float(point @ point) for point in points]

    surface = Surface(lambda point, seed: -1.0, np.full(2, -np.inf), np.full(2, np.inf), several)
    points = [np.array([x, 1.0]) for x in (1.0, 2.0, 1.0, 3.0)]
    surface.prepare(points, 1)
    surface.prepare(points[:2], 1)
    assert (asked, surface.values) == ([3], [])
    inner = surface.restricted(np.array([0.0, 1.0]), np.array([True, False]))
    assert [inner(point[:1], 1) for point in (points[3], points[0])] == [10.0, 2.0]
    assert surface.values == [10.0, 2.0]
    assert surface(np.zeros(2), 1) == -1.0
