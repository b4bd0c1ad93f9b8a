"""Data in the forms that people have: files, tables, dates, units, angles that wrap, orientations, inputs, several recordings."""

import itertools

import numpy as np
import pandas as pd
import pytest
import xarray
from scipy.spatial.transform import Rotation
from scipy.stats import multivariate_normal, multivariate_t, norm

import semidirect as sd
from semidirect.core.errors import InputError, MethodError, UnknownNameError
from semidirect.inference.data import with_data

DISK = sd.load("rolling-disk", noise=(0.1, 0.2))
STATE = {"omega": 1.2, "nu": 0.5}
TRACK = sd.Observation(["x", "y"], noise=0.05)
UNIX = 1767607200.0  # 2026-01-05T10:00:00Z
TIMES = np.array([0.0, 0.033, 0.067, 0.1, 0.25, 0.305])
VALUES = np.column_stack([0.3 * TIMES, 0.2 * TIMES**2])


def table(times=TIMES, label="time"):
    return pd.DataFrame({label: times, "x": VALUES[:, 0], "y": VALUES[:, 1]})


def dates(zone):
    return pd.to_datetime(np.round(TIMES * 1e9).astype(np.int64) + int(UNIX) * 10**9, utc=zone)


def used(data, observation=TRACK, **how):
    sightings = with_data(DISK, observation, data, 0.05, 0.0, **how).sightings
    return np.array([one.t for one in sightings]), np.array([one.data() for one in sightings])


def files(folder):
    here = folder / "a.csv"
    table().to_csv(here, index=False)
    for name, separator, decimal in (
        ("b.csv", ";", ","),
        ("c.tsv", "\t", "."),
        ("d.txt", "|", "."),
        ("e.txt", " ", "."),
    ):
        table().to_csv(folder / name, index=False, sep=separator, decimal=decimal)
    table(dates(True)).to_csv(folder / "f.csv", index=False)
    table(dates(False), "Timestamp").to_csv(folder / "g.csv", index=False, sep=";")
    table(TIMES + UNIX, "t").to_csv(folder / "h.csv", index=False)
    return [folder / f"{x}" for x in ("a.csv", "b.csv", "c.tsv", "d.txt", "e.txt", "f.csv", "g.csv", "h.csv")]


def forms():
    """The same data, in memory."""
    array = xarray.DataArray(VALUES, dims=("time", "c"), coords={"time": TIMES, "c": ["x", "y"]})
    several = xarray.Dataset({"x": ("time", VALUES[:, 0]), "y": ("time", VALUES[:, 1])}, {"time": TIMES})
    ms = several.assign_coords(time=("time", TIMES * 1000, {"units": "ms"}))
    yield from (
        table(),
        table(label="t"),
        table(label="Timestamp"),
        table().set_index("time"),
        table(label="t").set_index("t"),
    )
    yield from (
        table(dates(True)),
        table(dates(False)),
        table(dates(True), "when").set_index("when"),
        table(TIMES + UNIX),
    )
    yield table(dates(True).tz_convert("Europe/Zurich"), "t")
    yield table([one.isoformat() for one in dates(True).tz_convert("America/New_York")])
    yield table(pd.to_timedelta(TIMES, unit="s"))
    yield table(TIMES * 1000, "time [ms]")
    yield from (array, array.assign_coords(time=dates(False)), array.rename(time="t"), several, ms)
    yield (TIMES, VALUES)
    yield (dates(False), VALUES)
    yield table().astype({"x": "Float64"})


@pytest.mark.parametrize("number", range(len(list(forms()))))
def test_the_same_data_in_another_form_are_the_same(number):
    """Times to 3e-7 s, the resolution of Unix times as floats (measured 2e-7)."""
    times, values = used(list(forms())[number])
    assert np.abs(times - TIMES).max() < 3e-7
    assert np.array_equal(values, VALUES)


def test_files_with_any_separator_are_the_same(tmp_path):
    for path in files(tmp_path):
        for data in (path, str(path)):
            times, values = used(data)
            assert np.abs(times - TIMES).max() < 3e-7, path
            assert np.abs(values - VALUES).max() < 1e-15, path


def test_a_file_of_parquet_needs_a_package_that_reads_it(tmp_path, monkeypatch):
    place = tmp_path / "a.parquet"
    place.write_bytes(b"PAR1")

    def absent(*_):
        raise ImportError("no engine")

    monkeypatch.setattr(pd, "read_parquet", absent)
    with pytest.raises(InputError, match="pip install pyarrow"):
        used(place)
    monkeypatch.setattr(pd, "read_parquet", lambda _: table())
    assert np.array_equal(used(place)[1], VALUES)


def test_the_clock_of_data_begins_where_one_says():
    start = dates(True)[0] - pd.Timedelta(seconds=2)
    for clock in (start, start.isoformat(), start.to_pydatetime(), start.timestamp()):
        assert np.allclose(used(table(dates(True)), clock=clock)[0], TIMES + 2, rtol=0, atol=1e-9)
    assert np.allclose(used(table(TIMES + UNIX), clock=start)[0], TIMES + 2, rtol=0, atol=1e-6)
    assert np.allclose(used(table(TIMES + 7), clock="first")[0], TIMES, rtol=0, atol=1e-12)
    assert np.allclose(used(table(TIMES + 7), clock=6.5)[0], TIMES + 0.5, rtol=0, atol=1e-12)
    found = sd.filter(
        DISK, TRACK, table(dates(True), "t"), dt=0.05, state=STATE, update="ensemble-kalman", particles=50
    )
    assert found.data["time"].attrs["clock"] == "2026-01-05T10:00:00Z"


@pytest.mark.parametrize(("data", "how", "message"), [
    (lambda: table(label="t").assign(timestamp=1.0).rename(columns={"t": "T (s)"}).assign(t=1.0), {}, "Say which it is: time="),
    (lambda: table(label="when"), {}, "Say which it is: time="),
    (lambda: table(), {"time": "when"}, "one with the name 'when'"),
    (lambda: table(), {"time": 3}, "the label of the times"),
    (lambda: table(), {"time": "t", "columns": {"time": "u"}}, "as columns= says"),
    (lambda: table(["5.1.2026"] * 6), {}, "pandas.to_datetime"),
    (lambda: table(["2026-01-05T10:00:00Z"] * 3 + ["2026-01-05T11:00:00"] * 3), {}, "a time zone, or none, got both"),
    (lambda: table(dates(True)).iloc[::-1], {}, "ascending times"),
    (lambda: table([dates(True)[0], pd.NaT, *dates(True)[2:]]), {}, "missing"),
    (lambda: table(dates(True)), {"clock": "2026-01-05T09:00:00"}, "a date with a time zone"),
    (lambda: table(dates(True)), {"clock": "now"}, "a number of seconds, or a date"),
    (lambda: table(dates(True)), {"clock": dates(True)[3]}, "ascending times from t_start"),
    (lambda: table(TIMES + 1e7), {}, "at most 1000000 steps.*clock='first'"),
    (lambda: table((TIMES + UNIX) * 1000), {}, "clock='first'"),
    (lambda: "track.xlsx", {}, "the name of a .csv"),
    (lambda: table(TIMES, "time [kg]"), {}, "another unit of time"),
])  # fmt: skip
def test_times_that_cannot_be_understood_raise_an_error(data, how, message):
    with pytest.raises(InputError, match=message):
        used(data(), **how)


def test_observations_of_one_filter_have_one_clock():
    two = [TRACK, sd.Observation("theta", noise=0.1)]
    angle = pd.DataFrame({"t": dates(True), "theta": 0.1})
    found = with_data(DISK, two, [table(dates(True)), angle.iloc[2:]], 0.05, 0.0)
    assert [len(one.pairs) for one in found.sightings] == [1, 1, 2, 2, 2, 2]
    near = angle.assign(t=dates(True) + pd.Timedelta(20, "ns"))  # nearer than 1e-6 of a step
    assert all(len(one.pairs) == 2 for one in with_data(DISK, two, [table(dates(True)), near], 0.05, 0.0).sightings)
    with pytest.raises(InputError, match="times of observation 1: expected dates with a time zone, got numbers"):
        with_data(DISK, two, [table(dates(True)), angle.assign(t=TIMES)], 0.05, 0.0)


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_times_are_used_as_they_are(engine):
    """Steps of an interval off the grid are equal, at most dt long, and have the noise of their running number."""
    how = {"dt": 0.1, "paths": 3, "seed": 4, "state": STATE, "execution": sd.Execution(engine=engine)}
    paths = DISK.ensemble(**how)
    places = [0.1, 0.35, 0.4, 0.6]
    for t in places:
        paths.advance(t=t, between=True)
        assert paths.t == t
    normals = DISK.ensemble(**how).increments(steps=7) / np.sqrt(0.1)  # 1 + 3 + 1 + 2 steps
    lengths = [0.1, *[0.25 / 3] * 3, 0.05, 0.1, 0.1]
    omega, nu = np.zeros((2, 3)), np.zeros((2, 3))
    turn = np.array(
        [np.sum([h * STATE["omega"] + 0.1 * np.sqrt(h) * z[0] for h, z in zip(lengths, normals, strict=True)], axis=0)]
    )
    assert np.allclose(paths["theta"], turn[0], rtol=0, atol=1e-12), (omega, nu)
    grid, whole = DISK.ensemble(**how), DISK.ensemble(**how)
    for t in (0.1, 0.3, 0.4):
        grid.advance(t=t, between=True)
        whole.advance(t=t)
    assert np.array_equal(grid["x"], whole["x"])
    again = DISK.ensemble(**how).advance(t=0.1)
    given = again.copy().increments(t=0.25, between=True)
    assert np.array_equal(
        again.copy().advance(t=0.25, between=True)["x"],
        again.copy().advance(t=0.25, between=True, increments=given)["x"],
    )
    with pytest.raises(InputError, match=r"a time after 0\.1"):
        again.advance(t=0.05, between=True)
    replaced = again.advance(t=0.25, between=True).replace(omega=2.0)
    assert replaced.t == 0.25
    assert np.array_equal(replaced["omega"], [2.0] * 3)
    assert replaced.advance(steps=1).t == pytest.approx(0.35, abs=1e-15)


class Pushed(sd.System):
    """v′ = 6 t."""

    group = sd.RealSpace(1)

    def lagrangian(self, xi):
        return 0.5 * xi.v**2

    def force(self, t):
        return [6 * t]


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_explicit_time_is_that_of_the_data(engine):
    """The equations take the time at which they are, whatever the lengths of the steps: v = 3t² (measured 2e-15)."""
    path = Pushed().ensemble(dt=0.01, state={"v": 0.0}, execution=sd.Execution(engine=engine), method="rk4")
    for t in (0.013, 0.5, 0.7071, 1.0):
        path.advance(t=t, between=True)
        assert np.abs(path["v"] - 3 * t**2).max() < 1e-13, t


def test_a_resolution_of_the_noise_needs_the_grid():
    for driver in (sd.Wiener(0.2), sd.Wiener(0.05)):
        with pytest.raises(MethodError, match="Leave the resolution out"):
            DISK.ensemble(dt=0.1, driver=driver, state=STATE).advance(t=0.15, between=True)
    with pytest.raises(MethodError, match="multiples of dt"):
        DISK.ensemble(dt=0.1, driver=["sin(t)", "t"], state=STATE).advance(t=0.15, between=True)


def evidence(observation, data, system=DISK, **how):
    """log p of data at a known state: one time, no noise before."""
    return sd.filter(system, observation, data, dt=0.05, particles=2, **{"state": STATE, **how}).log_likelihood


def test_units_hold_for_data_and_noise():
    """Millimetres and degrees: the same as metres and radians, up to rounding of the factors (measured 3e-13)."""
    plain = sd.Observation(["x", "y", "theta"], noise=[0.1, 0.2, 0.3])
    values = np.array([[0.11, 0.02, 0.4]])
    for unit in (("mm", "cm", "deg"), {"x": "mm", "y": "cm", "theta": "deg"}):
        other = sd.Observation(["x", "y", "theta"], noise=[100, 20, np.degrees(0.3)], unit=unit)
        scaled = values * [1000, 100, 180 / np.pi]
        assert evidence(other, ([0.0], scaled)) == pytest.approx(evidence(plain, ([0.0], values)), rel=1e-12)
    track = sd.Observation(["x", "y"], noise=50, unit="mm")
    millimetres, how = table().assign(x=VALUES[:, 0] * 1000, y=VALUES[:, 1] * 1000), {"update": "ensemble-kalman"}
    assert evidence(track, millimetres, **how) == pytest.approx(evidence(TRACK, table(), **how), rel=1e-9)
    cov = np.array([[1, 0.5], [0.5, 2]])
    one, two = sd.Observation(["x", "y"], covariance=cov), sd.Observation(["x", "y"], covariance=cov * 1e6, unit="mm")
    assert evidence(two, ([0.0], values[:, :2] * 1000)) == pytest.approx(
        evidence(one, ([0.0], values[:, :2])), rel=1e-12
    )
    run = DISK.simulate(t_end=0.2, dt=0.1, state=STATE, seed=1)
    made = track.of(run, seed=3)
    assert np.allclose(made.values, 1000 * TRACK.of(run, seed=3).values, rtol=1e-12)
    assert made.attrs["units"] == "mm"


@pytest.mark.parametrize(("observation", "units", "wrong"), [
    (TRACK, "mm", True), (TRACK, "m", False), (TRACK, "", False), (TRACK, "metre", True),
    (sd.Observation(["x", "y"], noise=1, unit="mm"), "mm", False), (sd.Observation(["x", "y"], noise=1, unit="mm"), "m", True),
])  # fmt: skip
def test_data_with_another_unit_than_the_observation_raise_an_error(observation, units, wrong):
    array = xarray.DataArray(
        VALUES, dims=("time", "c"), coords={"time": TIMES, "c": ["x", "y"]}, attrs={"units": units}
    )
    several = xarray.Dataset({"x": array[:, 0].drop_vars("c"), "y": array[:, 1].drop_vars("c")})
    bracket = table().rename(columns={"x": f"x [{units}]", "y": f"y ({units})"} if units and units != "metre" else {})
    for data in (array, several, *([bracket] if units and units != "metre" else [])):
        if wrong:
            with pytest.raises(
                InputError, match=rf"unit of the data of the observation.*got '{units}'.*unit='{units}'"
            ):
                used(data, observation)
        else:
            used(data, observation)


@pytest.mark.parametrize("unit", ["kg", "", 3, [], ["mm"] * 3, {"z": "mm"}, "mm or cm", {"x": "kg"}])
def test_units_that_cannot_be(unit):
    with pytest.raises((InputError, UnknownNameError)):
        used(table(), sd.Observation(["x", "y"], noise=1, unit=unit))


def test_a_law_without_a_scale_has_no_unit():
    with pytest.raises(MethodError, match="convert the data"):
        used(table(), sd.Observation(["x", "y"], noise=lambda d, p: p[..., 0], unit="mm"))


def test_a_missing_component_leaves_the_marginal_of_the_others():
    """By SciPy: normal, correlated, Student; one of the marks whole, one with holes, one missing."""
    cov = np.array([[0.04, 0.03, 0.0], [0.03, 0.09, 0.02], [0.0, 0.02, 0.01]])
    names, full = ["x", "y", "theta"], np.array([0.1, -0.2, 0.05])
    for here in itertools.product([True, False], repeat=3):
        at = np.flatnonzero(here)
        if not len(at):
            continue
        data = np.where(here, full, np.nan)[None]
        sub = cov[np.ix_(at, at)]
        assert evidence(sd.Observation(names, covariance=cov), ([0.0], data)) == pytest.approx(
            multivariate_normal.logpdf(full[at], np.zeros(len(at)), sub), rel=1e-12
        )
        assert evidence(sd.Observation(names, noise=[0.1, 0.2, 0.3]), ([0.0], data)) == pytest.approx(
            norm.logpdf(full[at], 0, np.array([0.1, 0.2, 0.3])[at]).sum(), rel=1e-12
        )
        scale = np.diag([0.01, 0.04, 0.09])[np.ix_(at, at)]
        assert evidence(
            sd.Observation(names, noise=sd.inference.StudentNoise([0.1, 0.2, 0.3], 4)), ([0.0], data)
        ) == pytest.approx(multivariate_t.logpdf(full[at], np.zeros(len(at)), scale, 4), rel=1e-12)
        for update in ("extended-kalman", "ensemble-kalman"):
            found = evidence(sd.Observation(names, covariance=cov), ([0.0], data), update=update)
            assert found == pytest.approx(multivariate_normal.logpdf(full[at], np.zeros(len(at)), sub), rel=1e-10)
    rows = sd.Observation(lambda s: [[s.x, s.y], [s.y, s.x], [s.x, s.x]], noise=0.1, lost=0.2)
    data = np.array([[[0.1, np.nan], [np.nan, np.nan], [0.05, -0.1]]])
    expected = norm.logpdf([0.1, 0.05, -0.1], 0, 0.1).sum() + 2 * np.log(0.8) + np.log(0.2)
    assert evidence(rows, ([0.0], data)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("update", ["particles", "extended-kalman", "ensemble-kalman"])
def test_angles_that_wrap(update):
    """The data of a compass differ from counted turns by whole turns, and say the same."""
    spinning = DISK
    start = {"omega": 4.0, "nu": 0.5}
    run = spinning.simulate(t_end=1.2, dt=0.1, seed=2, state=start)
    counted = sd.Observation(["x", "theta"], noise=[0.05, 0.1])
    data = counted.of(run, seed=1).isel(time=slice(1, None), mark=0)
    how = {"dt": 0.1, "state": start, "particles": 300, "update": update}
    true = sd.filter(spinning, counted, data, **how).log_likelihood
    wrapped = data.copy()
    wrapped[:, 1] = np.angle(np.exp(1j * wrapped[:, 1]))
    assert np.abs(wrapped[:, 1]).max() <= np.pi
    for wraps in ("theta", ["theta"], {"theta": 2 * np.pi}):
        compass = sd.Observation(["x", "theta"], noise=[0.05, 0.1], wraps=wraps)
        for turns in (0, -3):
            moved = wrapped.copy()
            moved[:, 1] += turns * 2 * np.pi
            assert sd.filter(spinning, compass, moved, **how).log_likelihood == pytest.approx(true, rel=1e-9)
    degrees = sd.Observation(["x", "theta"], noise=[0.05, np.degrees(0.1)], unit=["m", "deg"], wraps="theta")
    assert sd.filter(spinning, degrees, wrapped * [1, 180 / np.pi], **how).log_likelihood == pytest.approx(
        true, rel=1e-9
    )
    with pytest.raises(InputError, match=r"theta jumps by more than half a turn.*wraps='theta'"):
        sd.filter(spinning, counted, wrapped, **how)
    made = compass.of(run, seed=1)
    assert np.abs(made.sel(component="theta")).max() <= np.pi
    assert np.allclose(
        np.exp(1j * made.sel(component="theta")), np.exp(1j * counted.of(run, seed=1).sel(component="theta"))
    )


BALL = sd.load("routh-sphere", noise=0.1 * np.eye(3))


def test_orientations_are_data_with_an_error_on_the_group():
    rng = np.random.default_rng(3)
    for _ in range(2):
        g, error = Rotation.random(random_state=rng), 0.3 * rng.standard_normal(3)
        seen = g * Rotation.from_rotvec(error)
        xyzw = seen.as_quat()
        forms = {"xyzw": -xyzw, "wxyz": xyzw[[3, 0, 1, 2]], "matrix": seen.as_matrix()}
        expected = norm.logpdf(error, 0, [0.2, 0.3, 0.4]).sum()
        for form, data in forms.items():
            observation = sd.inference.orientation(form, noise=[0.2, 0.3, 0.4])
            for update in ("particles", "extended-kalman", "ensemble-kalman"):
                found = evidence(observation, ([0.0], data[None]), BALL, state={"g": g.as_matrix()}, update=update)
                assert found == pytest.approx(expected, rel=1e-9), (form, update)
        degrees = sd.inference.orientation("xyzw", noise=np.degrees([0.2, 0.3, 0.4]), unit="deg")
        frame = pd.DataFrame([[0.0, *xyzw]], columns=["t", "qx", "qy", "qz", "qw"])
        assert evidence(degrees, frame, BALL, state={"g": g.as_matrix()}) == pytest.approx(expected, rel=1e-9)


def test_a_filter_follows_orientations():
    """The extended Kalman filter and particles agree on the angular velocity, to a tenth of its standard deviation."""
    run = BALL.simulate(t_end=0.6, dt=0.01, seed=4, save="every:10")
    sensor = sd.inference.orientation(noise=0.02)
    data = sensor.of(run, seed=1).isel(time=slice(1, None))
    assert np.allclose(np.linalg.norm(data.values, axis=-1), 1)
    start = {"Omega": run["Omega"][0, 0]}
    kalman = sd.filter(BALL, sensor, data, dt=0.01, update=sd.ExtendedKalman({"Omega": 0.2}), state=start)

    def prior(rng, count):
        return {"Omega": start["Omega"] + 0.2 * rng.standard_normal((count, 3))}

    many = sd.filter(BALL, sensor, data, dt=0.01, particles=2000, state=prior, update="ensemble-kalman")
    away = (kalman.data["Omega_mean"] - many.data["Omega_mean"]) / many.data["Omega_sd"]
    assert np.abs(away).max() < 0.3, away  # measured 0.12
    assert kalman.log_likelihood == pytest.approx(many.log_likelihood, abs=1.0)


@pytest.mark.parametrize(("form", "values", "message"), [
    ("wxyz", [1, 0, 0, 0.5], "quaternions of the norm 1"), ("matrix", 2 * np.eye(3), "rotation matrices"),
    ("matrix", -np.eye(3), "rotation matrices"), ("wxyz", [1, 0, 0, np.nan], "all components of a mark"),
    ("wxyz", [1, 0, 0], "expected shape"),
])  # fmt: skip
def test_values_that_are_no_orientations(form, values, message):
    with pytest.raises(InputError, match=message):
        evidence(sd.inference.orientation(form, noise=0.1), ([0.0], np.array([values])), BALL, state=None)


def test_orientations_need_a_rotation_of_space():
    with pytest.raises(InputError, match=r"a rotation of space.*wraps=True"):
        used(([0.0], [[1.0, 0, 0, 0]]), sd.inference.orientation(noise=0.1))
    with pytest.raises(UnknownNameError):
        sd.inference.orientation("euler", noise=0.1)


class Driven(sd.System):
    """A point that is pushed by a recorded force: v′ = f(t), with v observed."""

    group = sd.RealSpace(1)
    nodes: sd.Parameter = sd.table([0.0, 10.0])
    forces: sd.Parameter = sd.table([0.0, 0.0])
    scale: sd.Parameter = sd.parameter(1.0)

    def lagrangian(self, xi):
        return 0.5 * xi.v**2

    def force(self, t):
        return [self.scale * sd.ops.interpolate(t, self.nodes, self.forces, kind="linear")]


SPEED = sd.Observation("v", noise=0.1)
PUSHED = {"dt": 0.05, "state": {"v": 0.0}, "method": "rk4", "update": "extended-kalman"}


def recorded(rate, rows=21):
    """A force that grows linearly, whose integral is the data, on a clock of 2026."""
    t = np.linspace(0, 1, rows)
    frame = pd.DataFrame({"timestamp": t + UNIX, "push [N]": rate * t, "v": rate * t**2 / 2})
    frame.loc[frame.index[3:-1:4], "push [N]"] = np.nan  # a slower sensor
    return frame


def test_inputs_are_tables_on_the_clock_of_the_data():
    """v is the integral of the recorded force: the largest log-likelihood that data can have, to rounding."""
    best, names = 21 * norm.logpdf(0, 0, 0.1), {"nodes": "time", "forces": "push"}
    data = recorded(2.0)
    for inputs in (names, (recorded(2.0, 33), names), (data, {**names, "forces": "push [N]"})):
        found = sd.filter(Driven(), SPEED, data, inputs=inputs, **PUSHED)
        assert found.log_likelihood == pytest.approx(best, abs=1e-6)  # Unix times are known to 2e-7 s
    for wrong in (
        {"nodes": "time", "forces": "pull"},
        {"force": "push"},
        {"scale": "push"},
        {},
        3,
        {"nodes": "time", "forces": "v", "x": "v"},
    ):
        with pytest.raises((InputError, UnknownNameError)):
            sd.filter(Driven(), SPEED, data, inputs=wrong, **PUSHED)


def test_several_recordings_of_one_system():
    """The log-likelihood is the sum, the information too: linear in the parameter, so exact to 1e-6."""
    one, two = recorded(2.0), recorded(-1.0)
    names = {"nodes": "time", "forces": "push"}
    found = sd.fit(Driven(scale=0.8), SPEED, [one, two], "scale", inputs=names, replicates=1, **PUSHED)
    parts = [sd.filter(found.system, SPEED, each, inputs=names, **PUSHED).log_likelihood for each in (one, two)]
    assert found.log_likelihood == pytest.approx(sum(parts), rel=1e-12)
    information = sum(((each["v"] - each["v"].iloc[0]) ** 2).sum() for each in (one, two)) / 0.1**2
    assert found["scale"] == pytest.approx(1.0, abs=1e-4)
    assert found.standard_error[0] == pytest.approx(1 / np.sqrt(information), rel=1e-3)
    assert len(found.recordings) == 2
    assert "filters of each of 2 recordings: " in str(found)
    with pytest.raises(InputError, match="a list of 2, one for each recording"):
        sd.fit(Driven(), SPEED, [one, two], "scale", inputs=[names] * 3, **PUSHED)


def test_outliers_are_left_out_of_a_fit():
    """The fit without three outliers is that of data without these times; one outlier spoils predictions after it."""
    data, names = recorded(2.0), {"nodes": "time", "forces": "push"}
    spoilt = data.copy()
    spoilt.loc[spoilt.index[[6, 7, 15]], "v"] += [3.0, -2.0, 5.0]
    loose = Driven(scale=0.8)
    how = {"inputs": names, "replicates": 1, **PUSHED, "update": sd.ExtendedKalman({"v": 0.3})}
    found = sd.fit(loose, SPEED, spoilt, "scale", reject=5, **how)
    assert found.rejected == 3
    assert "3 times are left out" in str(found)
    there = np.delete(np.arange(21), [6, 7, 15])
    inputs = {**how, "inputs": (data, names)}
    assert found.estimate.tolist() == pytest.approx(
        sd.fit(loose, SPEED, data.iloc[there], "scale", **inputs).estimate.tolist(), rel=1e-6
    )
    with pytest.raises(InputError, match="reject"):
        sd.fit(loose, SPEED, spoilt, "scale", reject=0, **how)
    with pytest.raises(InputError, match="without: a time"):
        sd.filter(loose, SPEED, data, without=[9.0], inputs=names, **PUSHED)
    with pytest.raises(InputError, match="all of them"):
        sd.filter(loose, SPEED, data.iloc[:1], without=[0.0], inputs=(data, names), **PUSHED)


@pytest.mark.parametrize("size", [10.0, 1e9])
@pytest.mark.parametrize("update", ["particles", sd.ExtendedKalman({"v": 0.3}), "ensemble-kalman"], ids=str)
@pytest.mark.filterwarnings("ignore::semidirect.errors.FilterWarning")
def test_a_filter_does_not_use_outliers_however_large(update, size):
    """A million deviations made the mean path fail, which ended the search; all that follows is as if they were not there."""
    data, names = recorded(2.0), {"nodes": "time", "forces": "push"}
    spoilt = data.copy()
    spoilt.loc[spoilt.index[[6, 7, 15]], "v"] += [size, -size, size]
    state = {"v": 0.1 * np.random.default_rng(1).standard_normal(50)}
    how = {**PUSHED, "inputs": (data, names), "update": update, "state": state, "particles": 50}
    found = sd.filter(Driven(), SPEED, spoilt, reject=5, **how)
    assert np.flatnonzero(found.innovations.beyond(5).any(axis=1)).tolist() == [6, 7, 15]
    assert (found.data["log_likelihood"].values[[6, 7, 15]] == 0).all()
    if not isinstance(update, str):  # others draw numbers at each time
        clean = sd.filter(Driven(), SPEED, data.iloc[np.delete(np.arange(21), [6, 7, 15])], **how)
        assert found.log_likelihood == pytest.approx(clean.log_likelihood, rel=1e-9)
    assert abs(found.data["v_mean"].values[-1] - 1.0) < 0.2
    if not isinstance(update, str) and size > 100:
        fit = sd.fit(Driven(scale=0.8), SPEED, spoilt, "scale", reject=5, **{**how, "inputs": names})
        assert fit.rejected == 3


def test_rotations_are_compared_with_rotations():
    with pytest.raises(InputError, match="such as SO\\(3\\)"):
        sd.filter(Driven(), sd.inference.orientation(noise=0.1), ([0.0], [[1.0, 0, 0, 0]]), **PUSHED)
