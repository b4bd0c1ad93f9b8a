import subprocess
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure

import semidirect as sd
from semidirect.analysis import style
from semidirect.analysis.plots import mean, plane_position, plot_plane, plot_run, plot_time_series
from semidirect.core.errors import InputError, UnknownNameError


@pytest.fixture(scope="module")
def disk():
    return sd.load("rolling-disk").simulate(t_end=2, dt=0.1, paths=5, seed=1, method="heun")


@pytest.fixture(scope="module")
def exact():
    return sd.load("rolling-disk").simulate(t_end=2, dt=0.1, method="dop853", driver=0)


@pytest.fixture(scope="module")
def ball():
    return sd.load("routh-sphere").simulate(t_end=0.5, dt=0.1, paths=3, seed=1, method="lie-midpoint")


def coloured(ax, color):
    return [line for line in ax.lines if line.get_color() == color]


def test_time_series(disk, exact):
    ax = Figure().subplots()
    assert plot_time_series(disk, "phi", deterministic=exact, ax=ax) is ax
    assert ax.get_xlabel() == "$t$ [s]"
    assert ax.get_ylabel() == r"$\phi$"
    dashed, (blue,), (red,) = (coloured(ax, c) for c in (style.BLACK, style.BLUE, style.RED))
    assert len(dashed) == 5
    assert all(line.is_dashed() for line in dashed)
    np.testing.assert_array_equal([line.get_ydata() for line in dashed], disk["phi"])
    np.testing.assert_array_equal(blue.get_ydata(), disk["phi"].mean(axis=0))
    np.testing.assert_array_equal(red.get_ydata(), exact["phi"][0])


def test_units_are_on_the_axis(ball):
    assert plot_time_series(ball, "energy").get_ylabel() == "energy [J]"
    assert plot_time_series(ball, "Omega", component=2).get_ylabel() == r"$\Omega_{3}$"
    assert plot_time_series(ball, "energy", label="E").get_ylabel() == "E"


def test_plane(disk, exact):
    ax = Figure().subplots()
    assert plot_plane(disk, deterministic=exact, ax=ax) is ax
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_aspect()) == ("$x$ [m]", "$y$ [m]", 1.0)
    (blue,), (red,) = (coloured(ax, c) for c in (style.BLUE, style.RED))
    np.testing.assert_array_equal(blue.get_xydata(), np.stack([disk["x"].mean(0), disk["y"].mean(0)], axis=1))
    np.testing.assert_array_equal(red.get_xdata(), exact["x"][0])


def test_plane_of_a_vector(ball):
    np.testing.assert_array_equal(plane_position(ball), ball["x"][..., :2])
    np.testing.assert_array_equal(plane_position(ball, "geometric-centre"), ball["geometric-centre"][..., :2])
    assert plane_position(ball, "energy") is None
    assert plane_position(ball, "nothing") is None
    with pytest.raises(InputError, match="no position in the plane called 'energy'"):
        plot_plane(ball, "energy")


def test_run_shows_observables_and_the_plane(ball, disk):
    labels = [ax.get_ylabel() for ax in plot_run(ball).axes]
    assert labels[0] == "energy [J]"
    assert labels[-1] == "$y$ [m]"
    assert len(labels) == 7
    assert [ax.get_ylabel() for ax in plot_run(disk).axes] == ["energy [J]", "$y$ [m]"]


def test_run_shows_what_is_asked_for(ball):
    figure = plot_run(ball, ["Gamma", "routh"])
    assert [ax.get_ylabel() for ax in figure.axes] == [
        *(rf"$\Gamma_{{{i}}}$" for i in (1, 2, 3)),
        "routh [kg m$^{2}$/s]",
    ]
    with pytest.raises(UnknownNameError, match="Did you mean 'energy'"):
        plot_run(ball, ["enrgy"])


def test_run_without_observables_shows_its_state():
    run = sd.load("rolling-disk").simulate(t_end=1, dt=0.5, paths=2, keep=["p_omega", "p_nu"])
    assert [ax.get_ylabel() for ax in plot_run(run).axes] == [r"$p_{\omega}$", r"$p_{\nu}$"]


def test_one_path_is_blue_and_without_noise_red(exact):
    (line,) = plot_time_series(exact, "phi").lines
    assert line.get_color() == style.RED
    one = sd.load("rolling-disk").simulate(t_end=1, dt=0.5)
    (line,) = plot_time_series(one, "phi").lines
    assert line.get_color() == style.BLUE


def test_lines_have_no_more_points_than_can_be_seen():
    long = sd.load("rolling-disk").simulate(t_end=30, dt=0.01, paths=60, method="heun", keep=["phi"])
    ax = plot_time_series(long, "phi")
    assert len(coloured(ax, style.BLACK)) == 40
    (blue,) = coloured(ax, style.BLUE)
    assert len(blue.get_xdata()) == 1000
    assert blue.get_ydata()[-1] == mean(long, "phi")[-1] == long["phi"][:, -1].mean()


def test_round_off_is_drawn_flat(ball):
    low, high = plot_time_series(ball, "gamma-norm").get_ylim()
    assert 0 < np.ptp(ball["gamma-norm"]) < 1e-13  # measured 1e-15
    assert high - low == pytest.approx(0.1)


def test_one_time_cannot_be_drawn():
    run = sd.load("rolling-disk").simulate(t_end=1, dt=0.5, paths=2, save="final")
    for draw in (plot_run, plot_plane, lambda r: plot_time_series(r, "phi")):
        with pytest.raises(InputError, match="save='all'"):
            draw(run)


def test_a_vector_needs_a_component(ball):
    for component in (None, 3, -1):
        with pytest.raises(InputError, match="a component from 0 to 2"):
            plot_time_series(ball, "Omega", component=component)


def test_failed_paths_are_left_out():
    state = {"omega": [1.0, 1.0, 1e308], "nu": [0.0, 1.0, 0.0]}
    run = sd.load("rolling-disk").simulate(t_end=2, dt=0.5, paths=3, state=state, method="heun")
    assert run.good.tolist() == [True, True, False]
    np.testing.assert_array_equal(mean(run, "x"), run["x"][:2].mean(axis=0))
    figure = plot_run(run, ["x"])
    assert len(coloured(figure.axes[0], style.BLACK)) == 2
    assert figure.get_suptitle() == "RollingDisk · heun · 3 paths, 1 failed and not shown"


def test_nothing_good():
    run = sd.load("rolling-disk").simulate(t_end=2, dt=0.5, paths=2, state={"omega": 1e308, "nu": 0.0}, method="heun")
    assert not run.good.any()
    assert not plot_run(run, ["x"]).axes[0].lines
    with pytest.raises(InputError, match="expected a path that did not fail"):
        mean(run, "x")


def test_pyplot_is_not_touched(tmp_path):
    code = (
        "import sys, semidirect as sd, matplotlib\n"
        "from semidirect.analysis.plots import plot_run\n"
        "before = dict(matplotlib.rcParams)\n"
        "run = sd.load('rolling-disk').simulate(t_end=1, dt=.5, paths=2)\n"
        f"plot_run(run).savefig({str(tmp_path / 'a.png')!r})\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "assert dict(matplotlib.rcParams) == before\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.png").stat().st_size > 10_000
