"""The scripts of the gallery that use exports in other programs, as they are; each is skipped where what it needs is missing."""

from __future__ import annotations

import runpy
import shutil
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "extensions"))

import gallery  # noqa: E402


@pytest.fixture
def ran(monkeypatch):
    """Runs a script, and returns its variables."""

    def run(name):
        figures = []
        monkeypatch.setattr(plt, "show", lambda: figures.append(plt.gcf()))
        names = runpy.run_path(str(gallery.EXAMPLES / f"{name}.py"), run_name="__main__")
        assert all(ax.get_xlabel() for ax in figures[0].axes)
        plt.close("all")
        return names

    return run


def test_a_program_in_c_has_the_bits_of_the_library(ran):
    if shutil.which("cc") is None:
        pytest.skip("no compiler cc")
    names = ran("sleigh_in_c")
    np.testing.assert_array_equal(names["ends"], names["mine"])


def test_diffrax_moves_the_ball_as_the_library_does(ran):
    """Measured 3e-15."""
    pytest.importorskip("diffrax")
    assert ran("ball_in_diffrax")["difference"] < 1e-12


def test_optax_lowers_the_mean_cost(ran):
    """Measured from 1.8 to 0.15 by the ensemble of the script; 500 paths of the library end nearer to the place."""
    pytest.importorskip("optax")
    names = ran("plan_by_optax")
    assert np.mean(names["costs"][-20:]) < 0.15 * names["costs"][0]
    away = [np.hypot(r["x"][:, -1] - 2.0, r["y"][:, -1] - 1.0) for r in (names["before"], names["after"])]
    assert np.mean(away[1] ** 2) < 0.2 * np.mean(away[0] ** 2)


def test_the_plan_of_the_sleigh_is_met_without_noise(ran):
    """Measured 4e-15."""
    pytest.importorskip("casadi")
    names = ran("sleigh_plan")
    assert names["missed"] < 1e-6
    np.testing.assert_allclose(names["met"][:, 0], names["solution"].value(names["states"])[2:].T, rtol=0, atol=1e-6)
    assert np.hypot(*(names["noisy"][-1, :, 1:] - names["PLACE"][1:]).T).mean() < 0.2
