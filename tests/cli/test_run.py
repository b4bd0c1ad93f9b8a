"""``semidirect run``: its numbers are those of ``Run.statistics``, its file is the run."""

import time

import numpy as np
import pytest

import semidirect as sd
from semidirect import plugins
from semidirect.ensemble.store import local_folder
from semidirect.run import Run

SYSTEMS = sorted(plugins.available())
SHORT = ("--t-end", "0.2", "--dt", "0.02")


def ten_steps(name):
    """A short run of any system; a top that spins at 155 rad/s needs short steps."""
    return (0.02, 0.002) if name == "tippe-top" else (0.2, 0.02)


def at_the_end(run):
    return {k: {"mean": s["mean"][-1].tolist(), "se": s["se"][-1].tolist()} for k, s in run.statistics().items()}


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_runs(semidirect, name):
    t_end, dt = ten_steps(name)
    done = semidirect("run", name, "--t-end", t_end, "--dt", dt, "--paths", "3", "--format", "json")
    assert (done.code, done.err) == (0, "")
    result = done.json
    assert list(result) == ["paths", "steps", "seed", "failures", "final"]
    assert (result["paths"], result["steps"], result["failures"]) == (3, 10, 0)
    system = sd.load(name)
    run = system.simulate(t_end=t_end, dt=dt, paths=3)
    assert result["final"] == at_the_end(run)
    wanted = {v.name for v in system.sde().variables} | set(system.observables()) | set(system.evaluate()["state"])
    assert wanted <= set(result["final"])


@pytest.mark.parametrize("name", SYSTEMS)
def test_for_people(semidirect, name):
    t_end, dt = ten_steps(name)
    done = semidirect("run", name, "--t-end", t_end, "--dt", dt, "--paths", "2")
    assert (done.code, done.err) == (0, "")
    assert f"2 paths to t = {t_end} s" in done.out
    assert "; 0 paths failed" in done.out
    rows = {line.split()[0]: line.split() for line in done.out.splitlines() if line}
    energy = sd.load(name).simulate(t_end=t_end, dt=dt, paths=2).statistics()["energy"]
    assert rows["energy"] == ["energy", f"{energy['mean'][-1]:.6g}", f"{energy['se'][-1]:.6g}", "J"]


def test_all_options(semidirect, tmp_path):
    target = tmp_path / "run.zarr"
    done = semidirect(
        "run", "routh-sphere", "--set", "offset=0.2", "--set", "coupling=printed", "--state", "Omega=[1, 0, 2]",
        "--paths", "4", "--dt", "0.02", "--t-end", "0.4", "--method", "sdelab(0.5)", "--seed", "7", "--threads", "1",
        "--save", "every:5", "--noise-dt", "0.01", "--keep", "energy,Omega", "--keep", "jellett", "-o", target,
        "--format", "json",
    )  # fmt: skip
    assert (done.code, done.err) == (0, "")
    run = sd.load("routh-sphere", offset=0.2, coupling="printed").simulate(
        t_end=0.4, dt=0.02, paths=4, seed=7, method="sdelab(0.5)", state={"Omega": [1, 0, 2]},
        save=sd.Save("every:5", names=["energy", "Omega", "jellett"]),
        driver=sd.Wiener(0.01), )  # fmt: skip
    assert done.json["final"] == at_the_end(run)
    assert set(done.json["final"]) == {"energy", "Omega", "jellett"}
    stored = Run.load(target)
    assert dict(stored.config) == dict(run.config)
    assert stored.config["parameters"]["offset"] == 0.2
    assert (stored.config["seed"], stored.config["method"], stored.config["save"]) == (7, "sdelab(0.5)", "every:5")
    assert np.array_equal(stored.times, run.times)
    for key in run:
        assert np.array_equal(stored[key], run[key])


def test_what_is_kept_by_default(semidirect, tmp_path):
    target = tmp_path / "run.zarr"
    done = semidirect("run", "heavy-top", *SHORT, "-o", target)
    assert done.code == 0
    assert done.out.endswith(f"saved in {target}\n")
    assert Run.load(target)["energy"].shape == (1, 11)
    again = tmp_path / "final.zarr"
    assert semidirect("run", "heavy-top", *SHORT, "--save", "final", "-o", again).code == 0
    assert Run.load(again)["energy"].shape == (1, 1)
    assert not (tmp_path / "run.zarr").samefile(again)


def test_one_path_has_no_standard_error(semidirect):
    final = semidirect("run", "heavy-top", *SHORT, "--format", "json").json["final"]
    assert {of["se"] for of in final.values()} == {None}
    assert isinstance(final["energy"]["mean"], float)
    assert len(final["Gamma"]["mean"]) == 3


def test_a_driving_path_and_none(semidirect):
    options = (*SHORT, "--method", "dop853", "--format", "json")
    top = sd.load("heavy-top")
    driven = semidirect("run", "heavy-top", *options, "--driver", "sin(t)").json["final"]
    still = semidirect("run", "heavy-top", *options, "--driver", "0").json["final"]
    reference = top.simulate(t_end=0.2, dt=0.02, method="dop853", driver="sin(t)")
    assert driven["Omega"]["mean"] == reference["Omega"][0, -1].tolist()
    assert driven["Omega"]["mean"] != still["Omega"]["mean"]
    body = semidirect("run", "rigid-body", *options, "--driver", "[sin(t), t**2, 0]").json["final"]
    expected = sd.load("rigid-body").simulate(t_end=0.2, dt=0.02, method="dop853", driver=["sin(t)", "t**2", "0"])
    assert body["M"]["mean"] == expected["M"][0, -1].tolist()
    assert semidirect("run", "rigid-body", *options, "--driver", "0.0").code == 0  # for any number of noises


def test_states_per_path(semidirect):
    done = semidirect("run", "heavy-top", *SHORT, "--state", "Omega=[[0, 0, 1], [0, 0, 2]]", "--format", "json")
    run = sd.load("heavy-top").simulate(t_end=0.2, dt=0.02, state={"Omega": [[0, 0, 1], [0, 0, 2]]})
    assert done.json["paths"] == 2
    assert done.json["final"] == at_the_end(run)


def test_paths_that_fail_are_counted_and_named(semidirect):
    explosive = "Omega=[[0.1, 0, 3], [0, 0, 1], [1e200, 0, 1e200]]"
    done = semidirect("run", "heavy-top", *SHORT, "--method", "heun", "--state", explosive, "--format", "json")
    assert done.code == 1
    assert done.json["failures"] == 1
    good = sd.load("heavy-top").simulate(t_end=0.2, dt=0.02, method="heun", state={"Omega": [[0.1, 0, 3], [0, 0, 1]]})
    assert done.json["final"]["energy"]["mean"] == pytest.approx(good["energy"][:, -1].mean(), rel=1e-14)
    assert done.err.splitlines() == [  # once each, and no warning beside them
        "semidirect: 1 of 3 paths failed: a value is not finite; the first is path 2, at t = 0.02 in M1",
        "semidirect: failed: path 2, t = 0.02 in M1: a value is not finite",
    ]
    assert "; 1 path failed" in semidirect("run", "heavy-top", *SHORT, "--method", "heun", "--state", explosive).out


def test_all_paths_fail(semidirect):
    options = (*SHORT, "--method", "heun", "--state", "Omega=[1e200, 0, 1e200]", "--paths", "15")
    done = semidirect("run", "heavy-top", *options, "--format", "json")
    assert (done.code, done.json["failures"]) == (1, 15)
    assert done.json["final"]["Omega"] == {"mean": None, "se": None}
    first, *lines = done.err.splitlines()
    assert first.startswith("semidirect: 15 of 15 paths failed: a value is not finite; the first is path 0, at t = ")
    assert [line.split(",")[0] for line in lines[:10]] == [f"semidirect: failed: path {i}" for i in range(10)]
    assert lines[10:] == ["semidirect: failed: 5 more paths"]
    assert semidirect("run", "heavy-top", *options).code == 1


def test_a_driving_path_that_starts_with_infinite_speed(semidirect):
    options = (*SHORT, "--driver", "sqrt(t)", "--format", "json")
    assert semidirect("run", "heavy-top", *options, "--method", "heun").code == 0  # only needs its increments
    done = semidirect("run", "heavy-top", *options, "--method", "dop853")
    assert (done.code, done.json["failures"]) == (1, 1)
    assert "a value is not finite" in done.err


def test_places_that_cannot_be_written_raise_errors(semidirect, tmp_path, monkeypatch):
    taken = tmp_path / "taken.zarr"
    taken.mkdir()
    file = tmp_path / "file"
    file.write_text("mine")

    def simulate(*args, **options):
        raise AssertionError("the run began")

    monkeypatch.setattr(sd.System, "simulate", simulate)
    for target, reason in [
        (taken, "exists already"),
        (file, "exists already"),
        (tmp_path / "none" / "run.zarr", "there is no folder"),
        (file / "run.zarr", "cannot write"),
        (tmp_path / ("x" * 300), "a path that the file system accepts"),
    ]:
        done = semidirect("run", "heavy-top", *SHORT, "-o", target)
        assert (done.code, done.out) == (2, "")
        assert reason in done.err
        assert done.err.startswith("semidirect: error: ")
    assert file.read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "taken.zarr"]


def test_a_disk_that_is_full(semidirect, tmp_path, monkeypatch):
    def write(path, content):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(local_folder, "write_whole", write)
    done = semidirect("run", "heavy-top", *SHORT, "-o", tmp_path / "run.zarr", "--format", "json")
    assert (done.code, done.out) == (2, "")
    assert (
        "run.zarr: No space left on device: 0 of 1 chunks are complete. These chunks are kept: free disk space"
        in done.err
    )


def test_resume_and_extend(semidirect, tmp_path):
    target = tmp_path / "run.zarr"
    call = ("run", "heavy-top", *SHORT, "--paths", "3", "-o", target)
    assert semidirect(*call, "--resume").code == 0  # nothing is there yet
    mark = target / "record" / "checksums" / "c.0.0.0"
    before = mark.read_bytes()
    mark.unlink()
    refused = semidirect(*call)
    assert refused.code == 2
    assert "An unfinished run continues with Save(resume=True) or --resume" in refused.err
    assert semidirect(*call, "--resume").code == 0
    assert mark.read_bytes() == before
    refused = semidirect(*call, "--resume", "--seed", "1")
    assert refused.code == 2
    assert "holds another run: seed: 0 in the store, 1 requested. Resume with" in refused.err
    assert semidirect("run", "heavy-top", "--extend", "--t-end", "0.4", "-o", target).code == 0
    longer = sd.load("heavy-top").simulate(t_end=0.4, dt=0.02, paths=3)
    assert Run.load(target)["energy"].tobytes() == longer["energy"].tobytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume"], "--resume: expected -o RUN.zarr, got none"),
        (["--extend"], "--extend: expected -o RUN.zarr, got none"),
        (["--extend", "-o", "x.zarr", "--seed", "1"], "--seed with --extend. It stays as it was"),
        (["--extend", "-o", "x.zarr"], "there is no x.zarr"),
    ],
)
def test_resume_and_extend_need_a_run(semidirect, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    done = semidirect("run", "heavy-top", *arguments)
    assert done.code == 2
    assert message in done.err


def test_only_a_run_of_the_same_system_is_extended(semidirect, tmp_path):
    target = tmp_path / "run.zarr"
    assert semidirect("run", "heavy-top", *SHORT, "-o", target).code == 0
    done = semidirect("run", "rigid-body", "--extend", "--t-end", "1", "-o", target)
    assert done.code == 2
    assert "is a run of another system" in done.err


def test_an_interruption_says_how_to_go_on(semidirect, tmp_path, monkeypatch):
    def write(path, content):
        raise KeyboardInterrupt

    monkeypatch.setattr(local_folder, "write_whole", write)
    done = semidirect("run", "heavy-top", *SHORT, "-o", tmp_path / "run.zarr")
    assert done.code == 130
    assert "interrupted with 0 of 1 chunks done; Save(resume=True) or --resume finishes it" in done.err


def test_the_run_of_the_readme(semidirect, record_property):
    started = time.perf_counter()
    done = semidirect("run", "routh-sphere", "--paths", "100", "--t-end", "20", "--dt", "0.02", "--format", "json")
    record_property("semidirect run routh-sphere, 100 paths, 1000 steps", f"{time.perf_counter() - started:.2f} s")
    assert (done.code, done.err) == (0, "")
    assert (done.json["paths"], done.json["steps"], done.json["failures"]) == (100, 1000, 0)
    assert done.json["final"]["gamma-norm"]["mean"] == pytest.approx(1, abs=1e-13)


def test_coordinates_of_s_have_the_names_that_they_have_everywhere(semidirect):
    lines = [line.split() for line in semidirect("run", "heavy-top", "--t-end", "0.1", "--dt", "0.05").out.splitlines()]
    labels = [line[0] for line in lines if line]
    assert [x for x in labels if x.startswith("g") and x[1:].isdigit()] == list(sd.load("heavy-top").group.stored_names)
