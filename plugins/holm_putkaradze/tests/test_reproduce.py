"""The figures of the paper from short runs; ``test_full_reproduction`` makes them as the command does."""

import logging
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from semidirect_holm_putkaradze.paper_config import PaperConfig
from semidirect_holm_putkaradze.paper_figures import FIGURES
from semidirect_holm_putkaradze.reproduce import _names, reproduce

import semidirect as sd
from semidirect.analysis import Quantity, drift
from semidirect.core import errors

SHORT = """
[rolling-disk]
t_end = 0.4
[routh-sphere]
t_end = 0.4
[chaplygin-ball]
t_end = 0.5
"""
NAMES = ("disk", "routh-sphere", "routh-sphere-centre", "chaplygin-ball")
METHODS = ("sdelab(1)", "lie-midpoint")
HEIGHT = Quantity("geometric-centre", "height", 2)


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    folder = tmp_path_factory.mktemp("short")
    (folder / "short.toml").write_text(SHORT)
    return reproduce(folder / "figures", folder / "short.toml")


def lines(result, figure):
    with np.load(result.data[figure]) as data:
        return dict(data)


def load(result, name):
    return sd.Run.load(result.runs[name])


def check_data(result, realisations=10):
    """Facts at any horizon; every tolerance has the value measured over the full run beside it."""
    count = 0
    for figure in NAMES:
        data = lines(result, figure)
        for key in data:
            if key.endswith("/realisations"):
                stem = key.removesuffix("/realisations")
                count += 1
                assert len(data[key]) == realisations
                assert len(np.unique(data[key][:, -1], axis=0)) == realisations or "gamma" in key
                np.testing.assert_array_equal(data[f"{stem}/mean"], data[key].mean(axis=0))
                assert data[f"{stem}/mean"].shape == data[f"deterministic/{stem.rpartition('/')[2]}"].shape
                assert data[f"{stem}/mean"].shape == data[f"{stem}/no-noise"].shape
                assert len(data["times"]) == len(data[f"{stem}/mean"])
    assert count == len(METHODS) * (1 + 4 + 1 + 2)

    routh, ball = lines(result, "routh-sphere"), lines(result, "chaplygin-ball")
    for data, names in ((routh, ("energy", "jellett", "routh", "gamma-norm")), (ball, ("energy", "momentum-gamma"))):
        for name in names:
            red = data[f"deterministic/{name}"]
            assert np.abs(red - red[0]).max() < 1e-8  # 1e-12
    assert np.abs(routh["lie-midpoint/gamma-norm/realisations"] - 1).max() < 1e-13  # 5e-15

    disk = {m: load(result, f"rolling-disk_{m}_realisations") for m in ("sdelab-1", "lie-midpoint")}
    for run in disk.values():
        for name in ("omega", "nu", "energy"):
            assert drift(run, Quantity(name, name)) == 0
    np.testing.assert_allclose(disk["sdelab-1"]["phi"], disk["lie-midpoint"]["phi"], rtol=0, atol=1e-12)  # 2e-14

    for system in ("routh-sphere", "chaplygin-ball"):
        assert drift(load(result, f"{system}_dop853_reference"), HEIGHT) < 1e-13  # 1.3e-15
        assert drift(load(result, f"{system}_lie-midpoint_realisations"), HEIGHT) < 5e-4  # 4.6e-5, of order dt²


def check_pictures(result):
    assert set(result.figures) == set(NAMES)
    for png, pdf in result.figures.values():
        with Image.open(png) as image:
            pixels = np.asarray(image.convert("RGB"))
        assert pixels.shape[0] > 800
        assert pixels.shape[1] > 800
        pixels = pixels[::3, ::3]
        assert len(np.unique(pixels @ (2**16, 2**8, 1))) > 100  # a number for each colour
        blue, red = (np.all(np.abs(pixels.astype(int) - c) < 30, axis=2) for c in ((23, 70, 200), (211, 18, 43)))
        assert blue.mean() > 2e-4
        assert red.mean() > 2e-4
        assert pdf.read_bytes().startswith(b"%PDF-1.")
        assert pdf.stat().st_size > 10_000  # an empty one has 2 kB


def test_data(short):
    check_data(short)


def test_pictures(short):
    check_pictures(short)


def test_the_realisations_are_those_of_a_plain_run(short):
    """A batch holds the realisations and one path without noise; the saved parts are what ``simulate`` gives."""
    experiment = short.config.experiments["routh-sphere"]
    ball = sd.load("routh-sphere", **experiment.choices)
    settings = {"t_end": 0.4, "dt": 0.02, "method": "lie-midpoint", "state": experiment.state}
    saved = load(short, "routh-sphere_lie-midpoint_realisations")
    run = ball.simulate(paths=10, seed=1, save=sd.Save(names=experiment.quantities), **settings)
    assert dict(saved.config) == dict(run.config)
    for name in run:
        np.testing.assert_array_equal(saved[name], run[name])
    for name, value in run.final.items():
        np.testing.assert_array_equal(saved.final[name], value)

    quiet, still = load(short, "routh-sphere_lie-midpoint_no-noise"), ball.simulate(driver=0, **settings)
    assert quiet.config["parameters"]["noise"] == [[0.0, 0.0, 0.0]]
    assert quiet.paths == 1
    for name in quiet:
        np.testing.assert_array_equal(quiet[name], still[name])


def test_both_methods_follow_one_brownian_path(short):
    """The ball's two columns come together as dt does; with other noise they would not."""
    apart = []
    for dt in (0.02, 0.0025):
        ball = replace(short.config.experiments["routh-sphere"], dt=dt)
        runs = ball.run(METHODS, "dop853", seed=1, realisations=4).realisations
        first, second = (runs[m]["energy"] for m in METHODS)
        apart.append(np.abs(first - second).max() / np.ptp(second[:, -1]))
    assert apart[1] < 0.2 * apart[0] < 0.1  # 0.06, 0.007


def test_table(short):
    text = short.table()
    for title in (
        "rolling-disk (variant printed)",
        "routh-sphere (coupling printed)",
        "chaplygin-ball (coupling printed)",
    ):
        assert title in text
    table = short.tables[1]
    assert table.columns == ("dop853, no noise", *(f"{m}, {n}" for m in METHODS for n in ("no noise", "noise")))
    run = load(short, "routh-sphere_sdelab-1_realisations")
    assert table.rows["energy E [J]"][3] == drift(run, Quantity("energy", ""))
    assert table.rows["height of the centre [m]"][3] == drift(run, HEIGHT)
    assert (short.directory / "table.txt").read_text().startswith(text)
    assert table.markdown() in (short.directory / "table.md").read_text()
    assert table.markdown() in (short.directory / "README.md").read_text()


def test_resolved_configuration_is_saved_and_can_be_given_back(short):
    path = short.directory / "parameters.toml"
    saved = tomllib.loads(path.read_text())
    assert saved["routh-sphere"]["t_end"] == 0.4
    assert saved["routh-sphere"]["system"]["inertia"] == [0.5, 0.5, 0.3]
    assert PaperConfig.read(path).values == short.config.values == saved
    notes = (short.directory / "README.md").read_text()
    assert "changed from what comes with the package: `rolling-disk.t_end = 0.4`, `routh-sphere.t_end = 0.4`" in notes


def test_what_is_written_was_announced(short):
    files = {p.relative_to(short.directory).as_posix() for p in short.directory.rglob("*") if p.is_file()}
    files = {f.partition(".zarr/")[0] + ".zarr" if ".zarr/" in f else f for f in files}
    assert files == set(_names(short.config))
    assert {"disk.png", "disk.pdf", "data/disk.npz", "data/runs/rolling-disk_sdelab-1_realisations.zarr"} <= files


def test_values_have_effect_and_a_second_run_replaces_the_first_if_asked(tmp_path, short, caplog):
    caplog.set_level(logging.INFO, "semidirect")
    config, folder = tmp_path / "c.toml", tmp_path / "out"
    shutil.copytree(short.directory, folder)
    (folder / "mine.txt").write_text("mine")
    before = lines(short, "routh-sphere")["lie-midpoint/energy/realisations"]

    config.write_text(
        'seed = 2\nrealisations = 3\nmethods = ["heun"]\n' + SHORT + "[routh-sphere.system]\noffset = 0.2\n"
    )
    with pytest.raises(errors.StoreError, match=r"holds 'parameters.toml' already"):
        reproduce(folder, config)
    second = reproduce(folder, config, force=True)
    assert "routh-sphere by heun: 3 realisations to t = 0.4 s" in caplog.messages
    data = lines(second, "routh-sphere")
    assert data["heun/energy/realisations"].shape == (3, before.shape[1])
    assert data["heun/energy/mean"][0] != before[0, 0]
    assert (
        folder / "data/runs/routh-sphere_lie-midpoint_realisations.zarr"
    ).exists()  # what is not written again stays
    assert (folder / "mine.txt").read_text() == "mine"
    check_pictures(second)


def test_seed_and_coupling_have_effect(tmp_path, short):
    config = tmp_path / "c.toml"
    base = lines(short, "chaplygin-ball")["lie-midpoint/energy/realisations"]
    for change in ("seed = 7\n" + SHORT, SHORT + '[chaplygin-ball.system]\ncoupling = "variational"\n'):
        config.write_text(change)
        settings = PaperConfig.read(config)
        ensemble = settings.experiments["chaplygin-ball"].run(
            ["lie-midpoint"], "dop853", seed=settings.values["seed"], realisations=10
        )
        assert np.abs(ensemble.realisations["lie-midpoint"]["energy"] - base).max() > 1e-4


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("sed = 1", errors.UnknownNameError, "unknown key 'sed'. Did you mean 'seed'"),
        ("[routh]\nt_end = 1.0", errors.UnknownNameError, "Known: .*rolling-disk, routh-sphere, chaplygin-ball"),
        (
            "[routh-sphere]\nT = 1.0",
            errors.UnknownNameError,
            "unknown key of routh-sphere 'T'. Known: t_end, dt, system, state",
        ),
        ("[routh-sphere.system]\nmas = 1.0", errors.UnknownNameError, "Did you mean 'mass'"),
        ("[routh-sphere.state]\nOmga = [0, 0, 1]", errors.UnknownNameError, "Did you mean 'Omega'"),
        ("routh-sphere = 3", errors.InputError, "routh-sphere: expected a table, got 3"),
        ("[seed]\na = 1", errors.InputError, "seed: expected a value"),
        ("seed = -1", errors.InputError, "seed"),
        ("seed = true", errors.InputError, "seed"),
        ("realisations = 0", errors.InputError, "realisations"),
        ("realisations = 2.5", errors.InputError, "realisations"),
        ("methods = []", errors.InputError, "a list of names"),
        ('methods = "heun"', errors.InputError, "a list of names"),
        ('methods = ["heun", "heun"]', errors.InputError, "different ones"),
        ('methods = ["hein"]', errors.UnknownNameError, "Did you mean 'heun'"),
        ('methods = ["euler-maruyama"]', errors.InputError, "Stratonovich methods"),
        ('methods = ["dop853"]', errors.InputError, "Stratonovich methods"),
        ('reference = "euler-maruyama"', errors.InputError, "reference"),
        ("reference = 3", errors.InputError, "reference"),
        ("[routh-sphere]\ndt = 0.3", errors.InputError, "multiple"),
        ('[routh-sphere]\ndt = "0.02"', errors.InputError, "dt"),
        ("[routh-sphere.system]\nmass = -1.0", errors.InputError, "mass"),
        ("[routh-sphere.system]\ninertia = [0.5, 0.4, 0.3]", errors.InputError, "has no routh"),
        ("[routh-sphere.state]\nGamma = [1.0, 1.0, 1.0]", errors.InputError, "Gamma"),
        ("[routh-sphere.state]\nOmega = [[1.0, 0, 0], [0, 1.0, 0]]", errors.InputError, "the same for all paths"),
        ("seed = ", errors.InputError, "is not TOML"),
    ],
)
def test_bad_configuration_is_refused_before_anything_is_written(tmp_path, text, error, message):
    config = tmp_path / "c.toml"
    config.write_text(text)
    with pytest.raises(error, match=message):
        reproduce(tmp_path / "out", config)
    assert not (tmp_path / "out").exists()


def test_missing_configuration(tmp_path):
    with pytest.raises(errors.InputError, match="cannot read"):
        reproduce(tmp_path / "out", tmp_path / "none.toml")


def test_a_place_that_cannot_be_used_is_found_before_computing(tmp_path, monkeypatch):
    monkeypatch.setattr("semidirect_holm_putkaradze.experiment.Experiment.run", lambda *a, **k: pytest.fail("computed"))
    (tmp_path / "file").write_text("")
    with pytest.raises(errors.StoreError, match="is not a folder"):
        reproduce(tmp_path / "file")
    with pytest.raises(errors.StoreError, match="cannot write"):
        reproduce(tmp_path / "file" / "out")
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(errors.StoreError, match=r"holds 'README.md' already"):
        reproduce(tmp_path)
    assert (tmp_path / "README.md").read_text() == "mine"


def test_full_reproduction(tmp_path, record_property):
    """The command's default, about 25 s: what the paper's method and a geometric one keep over the whole horizon."""
    result = reproduce(tmp_path / "figures")
    check_data(result)
    check_pictures(result)
    record_property("conservation", "\n" + result.table())
    _, routh, ball = (table.rows for table in result.tables)
    exact, paper, paper_noisy, geometric, geometric_noisy = range(1, 6)

    for rows, names in ((routh, ("energy E [J]", "Jellett J [kg m³/s]", "Routh R [kg m²/s]")),
                       (ball, ("energy E [J]", "M·Gamma [kg m²/s]", "|M|² [kg² m⁴/s²]"))):  # fmt: skip
        for name in names:
            assert rows[name][exact] < 1e-11  # 1e-12
            assert rows[name][geometric] < 2e-5  # 7e-6, of order dt²
            assert rows[name][paper] > 0.1  # 0.19: implicit Euler
        assert rows["|Gamma|"][geometric] < 1e-13  # 2e-15
        assert rows["|Gamma|"][geometric_noisy] < 1e-13  # 5e-15
        assert rows["|Gamma|"][paper_noisy] > 0.1  # 0.13 and 0.44
    for name in ("energy E [J]", "Jellett J [kg m³/s]", "Routh R [kg m²/s]"):
        assert routh[name][geometric_noisy] > 0.05  # 0.086: random
    assert ball["energy E [J]"][geometric_noisy] > 0.05  # 0.064: random
    assert ball["M·Gamma [kg m²/s]"][geometric_noisy] < 5e-5  # 8e-6: kept by the equations


@pytest.mark.parametrize(
    ("noise", "vertical", "title"),
    [
        ([[0, 0, 0.1]], [], r"Routh sphere, $\xi = 0.1\,\chi$"),
        ([[0, 0.2, 0.1]], [], r"Routh sphere, $\xi = (0, 0.2, 0.1)$"),
        ([[0, 0, -0.1]], [0.3], r"Routh sphere, $\xi_{1} = -0.1\,\chi$, $\xi_{2} = 0.3\,\Gamma$"),
        ([], [], "Routh sphere, no noise"),
    ],
)
def test_titles_state_the_noise(noise, vertical, title):
    ball = sd.load("routh-sphere", noise=noise, vertical_noise=vertical)
    assert FIGURES[1].title(ball.values) == title


def test_default_configuration_states_the_paper():
    values = PaperConfig.read().values
    assert values["realisations"] == 10
    assert values["methods"] == list(METHODS)
    assert values["rolling-disk"]["system"]["noise"] == [0.1, 0.1]
    assert (values["rolling-disk"]["state"]["omega"], values["rolling-disk"]["state"]["nu"]) == (1, 1)
    assert values["routh-sphere"]["dt"] == 0.02
    assert values["routh-sphere"]["system"]["noise"] == [[0, 0, 0.1]]
    assert values["chaplygin-ball"]["dt"] == 0.025
    assert values["chaplygin-ball"]["system"]["vertical_noise"] == [0.1]
    assert [values[b]["system"]["coupling"] for b in ("routh-sphere", "chaplygin-ball")] == ["printed", "printed"]


def test_picture_of_the_readme(tmp_path, monkeypatch):
    root = Path(__file__).parents[3]
    script = root / "examples" / "readme_picture.py"
    output = tmp_path / "picture.png"
    monkeypatch.setattr("sys.argv", [str(script), str(output)])
    exec(compile(script.read_text(), str(script), "exec"), {"__file__": str(script), "__name__": "__main__"})
    with Image.open(output) as picture, Image.open(root / "docs" / "_static" / "routh_sphere.png") as reference:
        assert picture.size == reference.size
    for path in (output, root / "docs" / "_static" / "routh_sphere.png"):
        assert path.stat().st_size < 300_000
