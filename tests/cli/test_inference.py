"""``semidirect filter`` and ``semidirect fit``: data from files, observations, output, and input that cannot be used."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray

import semidirect as sd

HOW = ["--dt", "0.1", "--particles", "200", "--engine", "numpy", "--format", "json"]
DISK = sd.load("rolling-disk", noise=(0.1, 0.1))
TIMES = 0.1 * np.arange(1, 6)


@pytest.fixture(scope="module")
def run():
    return DISK.simulate(t_end=0.5, dt=0.05, save="every:2", seed=3, paths=2)


@pytest.fixture
def folder(tmp_path, monkeypatch, run):
    """Data of a disk: a table, netCDF, a run; a camera."""
    monkeypatch.chdir(tmp_path)
    values = np.stack([run["x"][1, 1:], run["y"][1, 1:]], axis=1)
    rows = ["time, x, y", *(f"{t:.1f}, {x!r}, {y!r}" for t, (x, y) in zip(TIMES, values.tolist(), strict=True))]
    Path("disk.csv").write_text("\n".join(rows) + "\n")
    sd.inference.position(["x", "y"], noise=1e-9).of(run, seed=1)[1, 1:].to_netcdf("disk.nc", engine="scipy")
    run.to_xarray().isel(time=slice(1, None))[["x", "y"]].to_netcdf("named.nc", engine="scipy")
    run.save("disk.zarr")
    Path("where.toml").write_text('kind = "position"\ncoordinates = ["x", "y"]\nnoise = 0.1\n')
    return tmp_path


@pytest.mark.parametrize("update", ["particles", "ensemble-kalman", "extended-kalman"])
def test_each_update_is_summarised(semidirect, folder, update):
    """For people and in JSON; an effective number of particles belongs to the updates that have particles."""
    call = ["filter", "rolling-disk", "disk.csv", "--observe", "x,y", "--noise", "0.1", "--update", update, *HOW]
    found, shown = semidirect(*call), semidirect(*call[:-2])
    assert (found.code, shown.code) == (0, 0)
    assert ("smallest_effective_size" in found.json) == (update != "extended-kalman")
    assert ("effective number" in shown.out) == (update != "extended-kalman")
    assert f"log-likelihood {found.json['log_likelihood']:.2f}" in shown.out


def test_data_of_all_kinds_of_files_are_the_same(semidirect, folder):
    """A table, netCDF of one and of several variables, a run whose first time is left out by the default start."""
    observe = ["--observe", "x,y", "--noise", "0.1"]
    table = semidirect("filter", "rolling-disk", "disk.csv", *observe, *HOW)
    assert (table.code, table.err) == (0, "")
    found = table.json
    values = np.loadtxt("disk.csv", delimiter=",", skiprows=1)
    same = sd.filter(
        sd.load("rolling-disk"),
        sd.Observation(["x", "y"], noise=0.1),
        (values[:, 0], values[:, 1:]),
        dt=0.1,
        particles=200,
    )
    assert found["log_likelihood"] == same.log_likelihood
    assert found["final"]["omega"]["mean"] == pytest.approx(float(same.data["omega_mean"][-1]), rel=1e-12)
    assert found["levels"] == [0.05, 0.5, 0.95]
    for file, more in (("disk.nc", []), ("named.nc", ["--path", "1"])):
        other = semidirect("filter", "rolling-disk", file, *observe, *more, *HOW)
        assert other.json["log_likelihood"] == pytest.approx(found["log_likelihood"], abs=1e-6), file
    assert semidirect("filter", "rolling-disk", "disk.csv", "--observation", "where.toml", *HOW).out == table.out
    whole = semidirect("filter", "rolling-disk", "disk.zarr", "--path", "1", *observe, *HOW).json
    assert whole["times"] == 6
    assert semidirect("filter", "rolling-disk", "disk.zarr", "--every", "5", *observe, *HOW).json["times"] == 2


def test_several_observations_have_files_noises_and_rates_of_their_own(semidirect, folder):
    """The same likelihood as that of lists in Python, by names, by files, by both, and by a file of arguments."""
    values = np.loadtxt("disk.csv", delimiter=",", skiprows=1)
    Path("slow.csv").write_text("time,y\n" + "".join(f"{t:.1f},{y!r}\n" for t, _, y in values[::2].tolist()))
    Path("turn.toml").write_text('kind = "values"\nvalues = ["y"]\nnoise = 0.2\n')
    observed = [sd.Observation("x", noise=0.1), sd.Observation("y", noise=0.2)]
    data = [(values[:, 0], values[:, 1]), (values[::2, 0], values[::2, 2])]
    same = sd.filter(sd.load("rolling-disk"), observed, data, dt=0.1, particles=200)
    named = ["--observe", "x", "--noise", "0.1", "--observe", "y", "--noise", "0.2"]
    both = ["--observe", "x", "--noise", "0.1", "--observation", "turn.toml"]
    start = ["filter", "rolling-disk"]
    calls = [
        [*start, "disk.csv", "slow.csv", *named, *HOW, "--write-config", "both.toml"],
        [*start, "disk.csv", "slow.csv", *both, *HOW],
        [*start, "disk.csv", *both, "--every", "1", "--every", "2", *HOW],
        ["filter", "--config", "both.toml"],
    ]
    for call in calls:
        done = semidirect(*call)
        assert (done.code, done.err) == (0, ""), call
        assert done.json["log_likelihood"] == same.log_likelihood, call
    assert 'data = ["disk.csv", "slow.csv"]' in Path("both.toml").read_text()
    lost = semidirect(*start, "disk.csv", *named, "--lost", "0.1", "--lost", "0.2", *HOW)
    expected = sd.filter(
        sd.load("rolling-disk"),
        [sd.Observation("x", noise=0.1, lost=0.1), sd.Observation("y", noise=0.2, lost=0.2)],
        [(values[:, 0], values[:, 1]), (values[:, 0], values[:, 2])], dt=0.1, particles=200,
    )  # fmt: skip
    assert lost.json["log_likelihood"] == expected.log_likelihood
    fitted = semidirect("fit", *calls[0][1:-2], "--over", "radius", "--replicates", "1", "--update", "ensemble-kalman")
    exact = sd.fit(sd.load("rolling-disk"), observed, data, "radius", dt=0.1, particles=200, replicates=1,
                   update="ensemble-kalman", execution=sd.Execution(engine="numpy"))  # fmt: skip
    assert fitted.json["estimate"] == exact.estimate.tolist()


def test_a_start_that_is_not_known(semidirect, folder):
    done = semidirect("filter", "rolling-disk", "disk.csv", "--observe", "x,y", "--noise", "0.1", "--state", "omega=1.1",
                      "--spread", "omega=0.2", "--quantity", "omega,energy", *HOW)  # fmt: skip
    final = done.json["final"]
    assert list(final) == ["omega", "energy"]
    assert 0.05 < final["omega"]["sd"] < 0.2


FIT = ["fit", "rolling-disk", "disk.csv", "--observe", "x,y", "--noise", "0.05", "--update", "ensemble-kalman"]


def test_a_fit_is_that_of_python(semidirect, folder, monkeypatch, once):
    fit = sd.fit
    fitted = once(fit)
    monkeypatch.setattr(sd, "fit", fitted, raising=False)
    asked = [*FIT, "--over", "radius", "--bounds", "radius=[0.5, 2]", "--level", "0.9", "--replicates", "2"]
    done = semidirect(*asked, "-o", "fit.nc", *HOW)
    assert (done.code, done.err) == (0, "")
    values = np.loadtxt("disk.csv", delimiter=",", skiprows=1)
    same = fit(
        sd.load("rolling-disk"), sd.Observation(["x", "y"], noise=0.05), (values[:, 0], values[:, 1:]), "radius", level=0.9,
        bounds={"radius": (0.5, 2)}, dt=0.1, particles=200, replicates=2, update="ensemble-kalman",
        execution=sd.Execution(engine="numpy"),
    )  # fmt: skip
    assert done.json["estimate"] == same.estimate.tolist()
    assert done.json["interval"] == same.interval.tolist()
    low, high = same.interval[0]
    assert low < 1 < high
    with xarray.open_dataset("fit.nc", engine="scipy") as saved:
        assert saved["estimate"].values == same.estimate
        assert saved.sizes["evaluation"] == same.evaluations
    shown = semidirect(*asked, *HOW[:-2])
    assert shown.out.rstrip() == str(same)
    assert len(fitted.known) == 1  # the same question twice


def test_a_file_of_arguments(semidirect, folder):
    typed = [*FIT, "--over", "radius", "--state", "omega=1", "--replicates", "1", *HOW]
    done = semidirect(*typed, "--write-config", "fit.toml")
    assert 'data = "disk.csv"' in Path("fit.toml").read_text()
    assert semidirect("fit", "--config", "fit.toml").out == done.out
    refused = semidirect(*typed, "--method", "nope", "--write-config", "refused.toml")
    assert refused.code == 2
    assert not Path("refused.toml").exists()
    missing = semidirect("filter", "rolling-disk", "--observe", "x", "--noise", "1")
    assert missing.code == 2
    assert "the following arguments are required: DATA" in missing.err


def test_an_interruption_writes_nothing(semidirect, folder, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(sd.runs.Stepper, "advance", interrupted)
    for command in (["filter", *FIT[1:]], [*FIT, "--over", "radius"]):
        done = semidirect(*command, "-o", "out.nc", *HOW)
        assert (done.code, done.out) == (130, "")
        assert done.err == "semidirect: interrupted\n"
        assert not Path("out.nc").exists()


def test_a_search_without_a_maximum_has_exit_code_1(semidirect, folder):
    """The mass of a disk on a plane changes nothing."""
    done = semidirect(*FIT, "--over", "mass", "--replicates", "1", *HOW)
    assert done.code == 1
    assert "warning: the data do not determine mass" in done.err
    assert json.loads(done.out)["converged"] is False


def test_columns_are_found_by_name_whatever_their_order(semidirect, folder):
    """Exchanged, with others between them, with other names; a path of a table of several."""
    call = ["--observe", "x,y", "--noise", "0.1", *HOW]
    true = semidirect("filter", "rolling-disk", "disk.csv", *call).out
    table = pd.read_csv("disk.csv", skipinitialspace=True)
    table[["time", "y", "x"]].to_csv("exchanged.csv", index=False)
    table.assign(other=1.0, note="a")[["note", "y", "other", "time", "x"]].to_csv("more.csv", index=False)
    table.rename(columns={"time": "t", "x": "X [m]", "y": "x"})[["x", "X [m]", "t"]].to_csv("renamed.csv", index=False)
    pd.concat([table.assign(path=4, x=0.0), table.assign(path=7)]).to_csv("paths.csv", index=False)
    for name in ("exchanged.csv", "more.csv"):
        assert semidirect("filter", "rolling-disk", name, *call).out == true
    assert semidirect("filter", "rolling-disk", "paths.csv", "--path", "7", *call).out == true
    assert semidirect("filter", "rolling-disk", "paths.csv", *call).out != true
    assert semidirect("filter", "rolling-disk", "renamed.csv", "--columns", "x=X [m],y=x,time=t", *call).out == true
    with xarray.load_dataset("disk.nc", engine="scipy") as one, xarray.load_dataset("named.nc", engine="scipy") as two:
        one.isel(component=[1, 0]).to_netcdf("exchanged.nc", engine="scipy")
        two.rename(x="a", y="b").to_netcdf("other.nc", engine="scipy")
    first = semidirect("filter", "rolling-disk", "disk.nc", *call).out
    assert semidirect("filter", "rolling-disk", "exchanged.nc", *call).out == first
    found = semidirect(
        "filter", "rolling-disk", "other.nc", "--columns", "x=a", "--columns", "y=b", "--path", "1", *call
    )
    assert found.out == semidirect("filter", "rolling-disk", "named.nc", "--path", "1", *call).out
    turned = semidirect("filter", "rolling-disk", "disk.zarr", "--columns", "x=y,y=x", "--path", "1", *call)
    assert (turned.code, turned.out != first) == (0, True)


FILTER = "filter rolling-disk disk.csv --observe x,y --noise 0.1 --dt 0.1"
BAD = [
    ("filter rolling-disk disk.csv", "expected --observe and --noise, or --observation, got none"),
    ("filter rolling-disk disk.csv --observe x", "got --observe. Write for example"),
    ("filter rolling-disk disk.csv --noise 1", "got --noise"),
    ("filter rolling-disk disk.csv --observe nope --noise 1", "nope"),
    ("filter rolling-disk disk.csv --observe x,y --noise a", "--noise: expected numbers"),
    ("filter rolling-disk disk.csv --observe x,y --noise -1", "expected positive numbers"),
    ("filter rolling-disk none.csv --observe x,y --noise 1", "cannot read none.csv"),
    ("filter rolling-disk none.nc --observe x,y --noise 1", "cannot read none.nc"),
    ("filter rolling-disk none.zarr --observe x,y --noise 1", "none.zarr"),
    ("filter rolling-disk text.csv --observe x,y --noise 1", "expected one with the name 'time'"),
    ("filter rolling-disk text.nc --observe x,y --noise 1", "text.nc"),
    ("filter rolling-disk words.csv --observe x,y --noise 1", "expected numbers, or nothing where a value is missing"),
    ("filter rolling-disk late.csv --observe x,y --noise 1 --dt 0.1 --clock 20", "expected ascending times from t_start = 0 s"),
    ("filter rolling-disk missing.csv --observe x,y --noise 1 --dt 0.1", "nan"),
    ("filter rolling-disk disk.csv --observation where.toml --noise 1", "The file says all of it"),
    ("filter rolling-disk disk.csv --observation none.toml", "cannot read none.toml"),
    ("filter rolling-disk disk.csv --observation text.csv", "expected TOML in UTF-8"),
    ("filter rolling-disk disk.csv --observation kind.toml", "Did you mean 'camera'?"),
    ("filter rolling-disk disk.csv --observation few.toml", "noise of camera in few.toml: expected a value"),
    ("filter rolling-disk disk.csv --observation arguments.toml", "Did you mean 'dots'?"),
    (f"{FILTER} --noise 0.2", "--noise: expected one, or one for each of 1 --observe, got 2"),
    (FILTER.replace("disk.csv", "disk.csv disk.csv"), "DATA: expected one, got 2"),
    (FILTER.replace("disk.csv", "disk.csv " * 3) + " --observe theta --noise 0.2", "one for each of 2 observations, got 3"),
    (f"{FILTER} --observe theta --noise 0.2 --lost 0.1 --lost 0.1 --lost 0.1", "--lost: expected one, or one for each of 2"),
    (f"{FILTER} --every 1 --every 2", "--every: expected one, got 2"),
    (f"{FILTER} --every 0", "--every: expected a whole number, at least 1"),
    (f"{FILTER} --spread nope=1", "unknown state variable of --spread"),
    (f"{FILTER} --spread omega=-1", "expected numbers that are not negative"),
    (f"{FILTER} --update kalman", "unknown update 'kalman'"),
    (f"{FILTER} --particles 1", "particles: expected a whole number, at least 2"),
    (f"{FILTER} --quantity nope", "nope"),
    (f"{FILTER} --lag 1 --update ensemble-kalman", "smoothing"),
    (f"{FILTER} -o out.abc", "expected a name that ends in one of"),
    (f"{FILTER} --path 1", "--path: expected data of several paths, got the table disk.csv has no column 'path'"),
    (f"{FILTER} --columns x", "--columns: expected QUANTITY=COLUMN, such as x=X,y=Y, got 'x'"),
    (f"{FILTER} --columns x=X", "expected the label 'X'"),
    (f"{FILTER} --columns z=X", "unknown observed quantity in columns 'z'"),
    (f"{FILTER} --columns x=X,x=Y", "expected each quantity once, got 'x' twice"),
    (FILTER.replace("disk.csv", "twice.csv"), "columns of twice.csv: expected each once, got 'x' twice"),
    (FILTER.replace("disk.csv", "foreign.csv"), "expected the labels 'x', 'y', got foo, bar. Say which they are"),
    (FILTER.replace("disk.csv", "foreign.nc"), "expected 'x', 'y', with the coordinate time, got foo, bar. Say which they are"),
    (FILTER.replace("disk.csv", "alone.nc"), "expected 'x', 'y', with the coordinate time, got foo"),
    (FILTER.replace("disk.csv", "alone.nc") + " --path 0", "--path: expected data of several paths"),
    ("filter rolling-disk disk.zarr --path 2 --observe x --noise 1", "--path: expected a number from 0 to 1, got 2"),
    ("filter rolling-disk disk.zarr --observe nope --noise 1", "nope"),
    (f"{FILTER.replace('filter', 'fit')}", "--over: expected parameters to fit"),
    (f"{FILTER.replace('filter', 'fit')} --over raduis", "Did you mean 'radius'?"),
    (f"{FILTER.replace('filter', 'fit')} --over radius --bounds radius=1", "expected two numbers (low, high)"),
    (f"{FILTER.replace('filter', 'fit')} --over radius --level 95", "level: expected a number between 0 and 1"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "reason"), BAD, ids=[c for c, _ in BAD])
def test_one_line_says_what_to_do(semidirect, folder, command, reason):
    Path("text.csv").write_text("what is this\n")
    Path("text.nc").write_text("what is this\n")
    Path("words.csv").write_text("time,x,y\n0.1,a,1\n")
    Path("late.csv").write_text("time,x,y\n12.34,1,1\n")
    Path("missing.csv").write_text("time,x,y\n0.1,,\n")
    Path("twice.csv").write_text("time,x,y,x\n0.1,1,1,1\n")
    Path("foreign.csv").write_text("time,foo,bar\n0.1,1,1\n")
    one = xarray.DataArray([1.0], dims="time", coords={"time": [0.1]})
    xarray.Dataset({"foo": one, "bar": one}).to_netcdf("foreign.nc", engine="scipy")
    xarray.Dataset({"foo": one}).to_netcdf("alone.nc", engine="scipy")
    Path("kind.toml").write_text('kind = "camrea"\n')
    Path("arguments.toml").write_text('kind = "camera"\ndoots = [[1, 0, 0]]\n')
    Path("few.toml").write_text('kind = "camera"\ndots = [[1, 0, 0]]\n')
    done = semidirect(*command.split())
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("semidirect: error: ")
    assert done.err.count("\n") == 1
    assert reason in done.err
    assert len(done.err) < 500
    assert "unexpected" not in done.err
