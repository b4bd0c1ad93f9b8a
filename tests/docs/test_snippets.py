"""The first pages: their Python runs in the order of the page, and prints what is shown below it.

``python tests/docs/test_snippets.py`` writes what is printed into the pages.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import semidirect as sd

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
PAGES = {
    "README.md": 4,
    "docs/index.md": None,
    "docs/quickstart.md": 4,
    "docs/statistics.md": None,
    "docs/statistics_in_detail.md": None,
    "docs/define_a_system.md": None,
    "docs/multilevel.md": None,
    "docs/stepper.md": None,
    "docs/long_times.md": None,
    "docs/events.md": None,
    "docs/filtering.md": None,
    "docs/observations.md": None,
    "docs/filters_in_detail.md": None,
    "docs/fitting.md": None,
    "docs/sensitivities.md": None,
    "docs/hybrid.md": None,
    "docs/matrices.md": None,
    "docs/stores.md": None,
    "docs/lattices.md": None,
    "docs/sweeps.md": None,
    "docs/cheat_sheet.md": 4,
    "docs/troubleshooting.md": None,
    "docs/noise_and_dissipation.md": None,
}
"""Each with the paths that a run takes here, in array code, for a tenth of its time, if the output depends on neither."""
MACHINES = "docs/many_machines.md"


def text(page):
    return (ROOT / page).read_text(encoding="utf-8")


def printed(page, paths):
    """What each block of Python prints, in one namespace."""
    simulate = sd.System.simulate

    def fewer(system, **asked):
        if "paths" in asked:
            asked["paths"] = min(asked["paths"], paths)
        asked["t_end"] /= 10
        return simulate(system, **{**asked, "execution": sd.Execution(engine="numpy")})

    namespace, found, before = {"__name__": "page"}, [], Path.cwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.errors.FailedPathsWarning)
        os.chdir(folder)
        try:
            plt.show, sd.System.simulate = (lambda: plt.close("all")), fewer if paths else simulate
            for code, _ in BLOCK.findall(text(page)):
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(code, page, "exec"), namespace)
                found.append(out.getvalue())
        finally:
            sd.System.simulate = simulate
            os.chdir(before)
            plt.close("all")
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_its_code_prints(page, monkeypatch):
    monkeypatch.setattr(plt, "show", plt.show)
    shown = [output for _, output in BLOCK.findall(text(page))]
    assert printed(page, PAGES[page]) == shown
    assert any(shown) or page == "docs/cheat_sheet.md"


def test_events_passages_and_failures_happen():
    """What the page of statistics shows: each of the three happens to some paths and not to all."""
    page = text("docs/statistics.md")
    stopped, failed = map(int, re.search(r"^(\d+) paths were stopped, (\d+) failed", page, re.MULTILINE).groups())
    passed = int(re.search(r"^(\d+)% of the balls", page, re.MULTILINE)[1])
    assert 0 < stopped < 1000
    assert 0 < failed < 1000
    assert 0 < passed < 100


def test_a_local_cluster_runs(tmp_path):
    """The first block of the page on many machines, as a file, for fewer paths."""
    pytest.importorskip("distributed")
    code, shown = BLOCK.findall(text(MACHINES))[0]
    (tmp_path / "cluster.py").write_text(
        code.replace("100_000", "400").replace("n_workers=2", "n_workers=1"), encoding="utf-8"
    )
    done = subprocess.run([sys.executable, "cluster.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout == shown.replace("100000", "400"), done.stderr
    assert (tmp_path / "run.zarr" / "zarr.json").exists()


def test_the_first_study_of_convergence_shows_the_declared_order(capsys):
    from semidirect.cli.entry import main

    asked = ["convergence", "heavy-top", "--method", "heun", "--set", "noise=[[0.8, 0, 0]]"]
    command, shown = re.search(
        r"^\$ (semidirect convergence .*)\n…\n((?:.+\n)+?)```", text("docs/choose_an_integrator.md"), re.M
    ).groups()
    assert shlex.split(command)[1:] == asked
    assert main(asked) == 0
    assert capsys.readouterr().out.endswith(f"\n{shown}")


def test_the_comparison_in_the_readme_is_that_of_the_benchmarks():
    """Of the first table, that of the rigid body."""
    rows = re.search(r"(?:^\|.*\|\n)+", text("docs/benchmarks.md"), re.MULTILINE)[0].splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    column = cells[0].index("10,000 paths × 1,000 steps")
    line = text("README.md").partition("**Speed.** ")[2].partition("\n\n")[0]
    for name, said in (
        ("diffrax, Heun,", r"diffrax ([\d.]+)"),
        ("torchsde,", r"torchsde ([\d.]+)"),
        ("C by hand, 31-bit", r"hand ([\d.]+)"),
    ):
        (row,) = (row for row in cells if row[0].startswith(name))
        assert re.search(said, line)[1] == row[column]


def test_commands_are_typed_in_an_environment_that_is_activated():
    for page in ("README.md", "docs/quickstart.md"):
        assert re.search(r"(?<!/)\bsource \.venv/bin/activate", text(page))
        before = text(page).split("source .venv/bin/activate")[0]
        assert not re.search(r"^(semidirect|python) ", before, re.MULTILINE)


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.use("Agg")
    for name, few in PAGES.items():
        outputs = iter(printed(name, few))

        def filled(found, outputs=outputs):
            shown = next(outputs)
            block = f"```python\n{found[1]}```"
            return f"{block}\n\n```text\n{shown}```" if shown else block

        (ROOT / name).write_text(BLOCK.sub(filled, text(name)), encoding="utf-8")
