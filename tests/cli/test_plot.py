"""``semidirect plot``: which function it calls with what, and where the result goes."""

import re
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    import semidirect as sd

    run = sd.load("routh-sphere").simulate(t_end=0.4, dt=0.02, paths=3)
    return run.save(tmp_path_factory.mktemp("runs") / "ball.zarr")


def test_a_picture_beside_the_run(semidirect, stored):
    done = semidirect("plot", stored)
    assert (done.code, done.err) == (0, "")
    picture = stored.with_suffix(".png")
    assert done.out == f"{picture}\n"
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", ["png", "PDF", "svg"])
def test_kinds_of_pictures(semidirect, stored, tmp_path, kind):
    target = tmp_path / f"ball.{kind}"
    for more in ((), ("--force",)):
        done = semidirect("plot", stored, "-o", target, "--quantity", "energy", "--quantity", "Gamma", *more)
        assert (done.code, done.err, done.out) == (0, "", f"{target}\n")
    assert target.stat().st_size > 1000


def test_panels_are_the_pictures_of_a_run_in_the_order_of_the_command(semidirect, tmp_path, monkeypatch):
    import semidirect as sd

    ball = sd.load("routh-sphere")
    passage = sd.FirstPassage("jellett", level=0.0, direction="up")
    place = ball.simulate(t_end=0.4, dt=0.02, paths=3, reduce=[passage]).save(tmp_path / "ball.zarr")
    figures = []
    monkeypatch.setattr("semidirect.cli.plot.write_picture", lambda figure, *_, **__: figures.append(figure))
    done = semidirect(
        "plot", place, "--phase", "Omega[0]", "energy", "--quantity", "Gamma", "--sphere", "--sphere", "M", "--plane",
        "--histogram", "energy", "--quantiles", "M[0]", "--survival", "first-passage:jellett",
    )  # fmt: skip
    assert (done.code, done.err) == (0, "")
    labels = [(ax.get_xlabel(), ax.get_ylabel()) for ax in figures[0].axes]
    assert [tuple(re.sub(r"(\$) \[.*", r"\1", text) for text in both) for both in labels] == [
        (r"$\Omega_{1}$", "energy [J]"), ("$t$", r"$\Gamma$"), ("", ""), ("", ""), ("$x$", "$y$"),
        ("energy [J]", "density [1/J]"), ("$t$", "$M_{1}$"), ("$t$", "probability, not passed yet"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["-o", "a.png", "--quantity", "enrgy"], "unknown quantity of the run 'enrgy'. Did you mean 'energy'?"),
        (["-o", "a.png", "--sphere", "energy"], "expected a vector of R³"),
        (["-o", "a.png", "--survival"], "reduce=sd.FirstPassage"),
        (["-o", "ball.xyz"], "expected a name that ends in one of .eps"),
        (["-o", "ball"], "expected a name that ends in one of"),
        (["-o", "none/ball.png"], "there is no folder none"),
        (["-o", "folder.png"], "cannot write folder.png: it is a folder"),
    ],
)
def test_impossible_pictures_raise_errors(semidirect, stored, tmp_path, monkeypatch, arguments, reason):
    monkeypatch.chdir(tmp_path)
    Path("folder.png").mkdir()
    done = semidirect("plot", stored, *arguments)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert [p.name for p in tmp_path.iterdir()] == ["folder.png"]


def test_what_is_not_a_run(semidirect, tmp_path):
    done = semidirect("plot", tmp_path / "none.zarr")
    assert done.code == 2
    assert "there is no" in done.err
    (tmp_path / "text").write_text("text")
    for path in (tmp_path, tmp_path / "text"):
        done = semidirect("plot", path)
        assert (done.code, done.out) == (2, "")
        assert "cannot be read as a run" in done.err
