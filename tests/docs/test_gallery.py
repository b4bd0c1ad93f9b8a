"""The gallery: every script runs, draws finite numbers, and made the picture that is shown.

``python docs/extensions/pictures.py`` makes the pictures of scripts that changed, at full size. Here each script takes a few
steps of a few paths, in array code.
"""

import json
import re
import runpy
import sys
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import QuadMesh

import semidirect as sd

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "extensions"))

import gallery  # noqa: E402
import pictures  # noqa: E402

PATHS, STEPS = 3, 24
STUDY = "convergence_orders"
"""Not run here: it calls `convergence` only, which has tests of its own."""


def few(simulate):
    """``simulate`` for a few steps and paths."""

    def shorter(system, *, t_end, dt, paths=1, state=None, driver=None, save="all", reduce=None, **how):
        if not any(np.ndim(v) == 2 for v in (state or {}).values()):  # else every path has a state of its own
            paths = min(paths, PATHS)
        if driver is not None and np.ndim(driver):
            driver = driver[:STEPS]
        save, reduce = sd.Save.of(save), sd.Reduce.of(reduce)
        if reduce.at is not None:
            reduce = replace(reduce, at=f"every:{STEPS // 3}")
        if str(save.times).startswith("every"):
            save = replace(save, times="every:4")
        return simulate(
            system, t_end=STEPS * dt, dt=dt, paths=paths, state=state, driver=driver, save=save, reduce=reduce,
            **{**how, "execution": sd.Execution(engine="numpy")},
        )  # fmt: skip

    return shorter


def rough(ensemble):
    """``ensemble`` of a few paths and long steps."""

    def few_paths(system, *, dt, paths, state, **how):
        state = {k: v[:PATHS] if np.ndim(v) == 2 else v for k, v in state.items()}
        how |= {"execution": sd.Execution(engine="numpy")}
        return ensemble(system, dt=10 * dt, paths=min(paths, PATHS), state=state, **how)

    return few_paths


def short(lyapunov):
    """``lyapunov`` of a few paths and a short time."""
    return lambda system, *, t_end, paths, **how: lyapunov(system, t_end=t_end / 20, paths=PATHS, **how)


def coarse(multilevel):
    """``multilevel`` with a large error."""
    return lambda system, quantity, *, rmse, **how: multilevel(
        system, quantity, rmse=30 * rmse, **how, execution=sd.Execution(engine="numpy")
    )


def hazy(filtered):
    """``filter`` with few particles."""
    return lambda *what, particles, **how: filtered(*what, particles=min(particles, 200), **how)


def once(fit):
    """``fit`` of the first data of a script by few particles, of a table of its first rows and of one parameter.

    Its result is that of all others.
    """
    found = []

    def first(system, observation, data, over, **how):
        if hasattr(data, "iloc"):
            data, over = data.iloc[:12], over[:1]
        if "particles" in how:
            how["particles"] = min(how["particles"], 20)
        found[:] = found or [
            fit(
                system,
                observation,
                data,
                over,
                **{**how, "bounds": how["bounds"] if len(over) > 1 else None, "replicates": 1},
            )
        ]
        return found[0]

    return first


def drawn_numbers(figure):
    """What is in the axes of a figure: all that lines and stairs are drawn through, and what cells show."""
    for ax in figure.axes:
        lines = [np.ma.filled(line.get_xydata(), np.nan) for line in ax.lines]
        stairs = [patch.get_path().vertices for patch in ax.patches]
        cells = [np.ma.filled(c.get_array(), np.nan) for c in ax.collections if isinstance(c, QuadMesh)]
        yield ax, lines + stairs + cells


@pytest.mark.parametrize("name", [name for name in gallery.NAMES if name not in (STUDY, *gallery.ELSEWHERE)])
def test_a_script_draws_its_picture(name, monkeypatch, capsys):
    figures = []
    monkeypatch.setattr(sd.System, "simulate", few(sd.System.simulate))
    monkeypatch.setattr(sd.System, "ensemble", rough(sd.System.ensemble))
    monkeypatch.setattr(sd, "lyapunov", short(sd.lyapunov), raising=False)
    monkeypatch.setattr(sd, "multilevel", coarse(sd.multilevel), raising=False)
    monkeypatch.setattr(sd, "filter", hazy(sd.filter), raising=False)
    monkeypatch.setattr(sd, "fit", once(sd.fit), raising=False)
    monkeypatch.setattr(plt, "show", lambda: figures.append(plt.gcf()))
    values = runpy.run_path(str(gallery.EXAMPLES / f"{name}.py"), run_name="__main__")
    if "moving" in values:
        values["moving"]._func(0)
        values["moving"]._draw_was_started = True  # else it warns that nobody saw it
    (figure,) = figures
    plt.close("all")
    for ax, drawn in drawn_numbers(figure):
        assert drawn, ax
        hidden = [numbers for numbers in drawn if not np.isfinite(numbers).any()]
        assert not hidden or "plot.sphere" in gallery.source(
            name
        )  # there, what the far side of the sphere hides is nan
        assert len(hidden) < len(drawn)
    assert any(ax.get_xlabel() or ax.texts for ax in figure.axes)  # a sphere has its letters beside it


def test_pictures_are_small_and_made_by_the_scripts():
    made = json.loads(pictures.MADE.read_text())
    assert made == {name: pictures.digest(name) for name in gallery.NAMES}, "run python docs/extensions/pictures.py"
    for name in gallery.NAMES:
        assert (gallery.PICTURES / f"{name}.webp").stat().st_size < pictures.largest(name)
        assert (gallery.PICTURES / f"{name}.txt").exists() == ("print(" in gallery.source(name))


def test_a_hundred_vortices_keep_their_momentum_and_stay_on_the_sphere():
    printed = (gallery.PICTURES / "hundred_vortices.txt").read_text("utf-8")
    changes = {line.split()[0]: float(line.split()[-1]) for line in printed.splitlines()}
    assert changes["momentum"] < 1e-12  # 2e-15
    assert changes["|x_k|"] < 1e-12  # 9e-16
    assert changes["energy"] < 1e-4  # of 2.3; it is 5e-5


def test_every_script_that_shows_a_picture_is_in_the_gallery():
    shown = {p.stem for p in gallery.EXAMPLES.glob("*.py") if "plt.show()" in p.read_text(encoding="utf-8")}
    assert shown == set(gallery.NAMES)
    assert len(shown) >= 15
    assert all(len(gallery.source(name).splitlines()) <= 90 for name in shown)


def test_a_card_has_a_title_and_one_sentence():
    cards = re.findall(r"^:::\{grid-item-card\} .+\n(?::.+\n)+(.*)\n:::$", gallery.index(), re.MULTILINE)
    assert len(cards) == len(gallery.NAMES) == len(set(cards))
    for sentence in cards:
        assert re.fullmatch(r"[A-Z][^.?!]{30,}\.", sentence), sentence
        assert len(sentence) <= 100


@pytest.mark.parametrize("name", gallery.NAMES)
def test_a_page_begins_with_its_script(name):
    assert gallery.page(name).split("\n\n")[1] == f"Download: {{download}}`{name}.py <../../examples/{name}.py>`"


@pytest.mark.parametrize("name", gallery.NAMES)
def test_a_page_holds_the_whole_script(name):
    title, text = gallery.heading(name)
    page = gallery.page(name)
    assert page.startswith(f"# {title}\n")
    assert len(text) > 80
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    words = "".join(w for w, _ in gallery.sections(name))
    lines = [line for line in gallery.source(name).split('"""', 2)[2].splitlines() if line.strip() not in ("", "# %%")]
    assert all(line in code or line.removeprefix("# ") in words for line in lines)
