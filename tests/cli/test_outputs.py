"""Every command that writes by ``-o``: nothing that exists is overwritten, nothing is written through a link."""

import argparse
import os
from importlib import import_module

import pytest

import semidirect as sd
from semidirect.cli.entry import make_parser
from semidirect.run import Run

SHORT = "[rolling-disk]\nt_end = 0.1\n[routh-sphere]\nt_end = 0.1\n[chaplygin-ball]\nt_end = 0.1\n"
QUICK = ["--t-end", "0.125", "--dt", "0.125", "--levels", "5", "--paths", "4"]
DISK = [
    "rolling-disk",
    "disk.csv",
    "--observe",
    "x",
    "--noise",
    "0.01",
    "--dt",
    "0.1",
    "--particles",
    "50",
    "--engine",
    "numpy",
]
COMMANDS = {
    "run": (["run", "rigid-body", "--t-end", "0.1", "--dt", "0.1"], "out.zarr"),
    "plot": (["plot", "run.zarr"], "out.png"),
    "convergence": (["convergence", "rigid-body", *QUICK], "out.png"),
    "compare": (["compare", "rigid-body", "--methods", "heun", *QUICK], "out.png"),
    "multilevel": (
        ["multilevel", "suslov", "energy", "--t-end", "0.1", "--dt", "0.1", "--rmse", "1", "--engine", "numpy"],
        "out.png",
    ),
    "lyapunov": (
        ["lyapunov", "rigid-body", "--t-end", "8", "--dt", "0.1", "--paths", "2", "--engine", "numpy"],
        "out.png",
    ),
    "filter": (["filter", *DISK], "out.nc"),
    "fit": (["fit", *DISK, "--over", "radius", "--update", "ensemble-kalman", "--replicates", "1"], "out.nc"),
    "view": (["view", "run.zarr"], "out.html"),
    "animate": (["animate", "run.zarr", "--fps", "2"], "out.gif"),
    "export": (["export", "suslov", "--to", "c"], "out.c"),
    "new": (["new", "my-top"], "out"),
    "reproduce": (["reproduce", "--config", "short.toml"], "out"),
}
"""Command → its arguments, and a name that it writes."""
REPLACES = {"filter", "fit", "plot", "view", "animate", "convergence", "compare", "multilevel", "lyapunov"}
ALIKE = {"fit", "convergence", "compare", "multilevel", "lyapunov"}
"""Those that write by the functions by which ``filter`` and ``plot`` write: fewer kinds are tried."""
BEGINS = {"png": b"\x89PNG", "html": b"<!doctype html>", "gif": b"GIF89a", "nc": b"CDF"}
comparison, convergence, multilevel = (
    import_module(f"semidirect.analysis.{name}") for name in ("comparison", "convergence", "multilevel")
)
STUDIES = (
    (convergence, "convergence"),
    (comparison, "compare"),
    (multilevel, "multilevel"),
    (import_module("semidirect.inference.filter"), "filter"),
    (import_module("semidirect.inference.fit"), "fit"),
    (import_module("semidirect.analysis.lyapunov.estimate"), "lyapunov"),
)
KINDS = ("file", "folder", "link to a file", "link to a folder", "link to nothing", "pipe")


def with_output():
    """The commands that have ``-o``."""
    commands = next(a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    for parser in commands.choices.values():
        parser.format_help()  # options that classes declare are added when a parser is used
    return {name for name, parser in commands.choices.items() if any("-o" in a.option_strings for a in parser._actions)}


def test_all_are_here():
    assert with_output() == set(COMMANDS)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a run, beside something precious; studies and figures are not computed."""
    monkeypatch.chdir(tmp_path)
    sd.load("rigid-body").simulate(t_end=0.1, dt=0.1).save("run.zarr")
    (tmp_path / "short.toml").write_text(SHORT)
    (tmp_path / "disk.csv").write_text("time,x\n0.1,0.098\n0.2,0.203\n")
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/mine").write_text("mine")
    return tmp_path


def put(target, kind):
    """Something in the way."""
    outside = target.parent / "precious"
    if kind == "file":
        target.write_text("mine")
    elif kind == "folder":
        target.mkdir()
        (target / "mine").write_text("mine")
    elif kind == "pipe":
        os.mkfifo(target)
    else:
        target.symlink_to(
            {"file": outside / "mine", "folder": outside}.get(kind.rpartition(" ")[2], outside / "nothing")
        )


def tree(folder):
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() if p.is_file() else p.readlink() if p.is_symlink() else None
        for p in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_exists_is_not_overwritten(semidirect, place, monkeypatch, command, kind):
    """It is refused before anything is computed, and everything is as it was. (``reproduce`` writes into folders.)"""
    from semidirect_holm_putkaradze import experiment

    def computed(*given, **more):
        pytest.fail("computed")

    monkeypatch.setattr(convergence, "convergence", computed)
    monkeypatch.setattr(comparison, "compare", computed)
    monkeypatch.setattr(import_module("semidirect.inference.filter"), "started", computed)
    monkeypatch.setattr(experiment.Experiment, "run", computed)
    arguments, name = COMMANDS[command]
    put(place / name, kind)
    if command == "reproduce" and "folder" in kind:
        (place / name / "README.md").write_text("mine")
    before = tree(place)
    done = semidirect(*arguments, "-o", name)
    assert (done.code, done.out) == (2, "")
    assert name in done.err
    assert any(
        said in done.err
        for said in ("exists already", "is a folder", "is not a folder", "already. Choose", "File exists")
    )
    assert tree(place) == before


@pytest.fixture(scope="module")
def studies(once):
    """What these commands compute, each once; what is written of it is made anew."""
    return [(module, name, once(getattr(module, name))) for module, name in STUDIES]


@pytest.mark.parametrize(
    ("kind", "command"),
    [(kind, command) for kind in KINDS for command in sorted(REPLACES) if kind in KINDS[:2] or command not in ALIKE],
)
def test_force_replaces_a_file_or_a_link_itself(semidirect, place, studies, monkeypatch, command, kind):
    for module, function, remembered in studies:
        monkeypatch.setattr(module, function, remembered)
    arguments, name = COMMANDS[command]
    put(place / name, kind)
    before = tree(place)
    done = semidirect(*arguments, "-o", name, "--force")
    after = tree(place)
    if kind == "folder":
        assert done.code == 2
        assert "it is a folder" in done.err or "Is a directory" in done.err
    else:
        assert done.err == ""
        assert after.pop(name).startswith(BEGINS[name.partition(".")[2]])
        assert not (place / name).is_symlink()
        before.pop(name)
    assert after == before


def test_a_picture_with_no_name_given(semidirect, place):
    assert semidirect("plot", "run.zarr").code == 0
    (place / "run.png").write_text("mine")
    done = semidirect("plot", "run.zarr")
    assert done.code == 2
    assert "run.png exists already. Choose another name, or replace it with --force." in done.err
    assert (place / "run.png").read_text() == "mine"
    assert semidirect("plot", "run.zarr", "--force").code == 0
    assert (place / "run.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("option", [["--resume"], ["--extend", "--t-end", "0.2"]])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_run_is_not_resumed_or_extended(semidirect, place, option, kind):
    put(place / "out.zarr", kind)
    before = tree(place)
    system = ["run", "rigid-body"] if option[0] == "--extend" else COMMANDS["run"][0]
    done = semidirect(*system, "-o", "out.zarr", *option)
    assert (done.code, done.out) == (2, "")
    assert "out.zarr" in done.err or ("link to a" in kind and "precious" in done.err)
    assert "unexpected" not in done.err
    assert tree(place) == before


def test_what_was_written_is_not_written_again(semidirect, place):
    """Twice the same call: the second is refused, and --resume finds nothing to do."""
    arguments, name = COMMANDS["run"]
    assert semidirect(*arguments, "-o", name).code == 0
    before = tree(place)
    assert "exists already" in semidirect(*arguments, "-o", name).err
    assert semidirect(*arguments, "-o", name, "--resume").code == 0
    assert tree(place) == before
    assert Run.load(place / name).paths == 1
