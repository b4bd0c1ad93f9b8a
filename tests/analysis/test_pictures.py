"""Pictures of runs: lines are the data, labels and units say what they are, and wrong arguments are refused with our errors."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import semidirect as sd
from semidirect.analysis.pictures import mean, plane_position, plot_run, style
from semidirect.analysis.pictures.axis_text import label_values
from semidirect.analysis.pictures.scale import Scale
from semidirect.analysis.pictures.sphere import SphereView
from semidirect.core.errors import InputError, UnknownNameError


@pytest.fixture
def ax():
    return Figure().subplots()


@pytest.fixture(scope="module")
def disk():
    return sd.load("rolling-disk").simulate(t_end=2, dt=0.1, paths=5, seed=1, method="heun")


@pytest.fixture(scope="module")
def exact():
    return sd.load("rolling-disk").simulate(t_end=2, dt=0.1, method="dop853", driver=0)


@pytest.fixture(scope="module")
def ball():
    return sd.load("routh-sphere").simulate(t_end=0.5, dt=0.1, paths=3, seed=1, method="lie-midpoint")


@pytest.fixture(scope="module")
def many():
    """Forty paths, two of which fail at once."""
    omega = np.ones(40)
    omega[[3, 17]] = 1e308
    reduce = [sd.Moments(["omega"]), sd.Histogram("omega", 0, 3, 60), sd.FirstPassage("x", level=0.5)]
    return sd.load("rolling-disk").simulate(
        t_end=2,
        dt=0.1,
        paths=40,
        seed=1,
        method="heun",
        state={"omega": omega, "nu": 0.2},
        reduce=sd.Reduce(reduce, at="all"),
    )


def coloured(ax, color):
    return [line for line in ax.lines if line.get_color() == color]


def words(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def band(ax):
    """Lower and upper edge of the first band."""
    vertices = ax.collections[0].get_paths()[0].vertices
    n = len(vertices) // 2
    return vertices[1:n, 1], vertices[n + 1 : -1, 1][::-1]


# -- against time ------------------------------------------------------------------------------------------------------


def test_few_paths_are_all_drawn(disk, exact, ax):
    assert disk.plot("phi", deterministic=exact, ax=ax) is ax
    assert ax.get_xlabel() == "$t$ [s]"
    dashed, (blue,), (red,) = (coloured(ax, c) for c in (style.BLACK, style.BLUE, style.RED))
    assert all(line.is_dashed() for line in dashed)
    np.testing.assert_array_equal([line.get_ydata() for line in dashed], disk["phi"])
    np.testing.assert_array_equal(blue.get_ydata(), disk["phi"].mean(axis=0))
    np.testing.assert_array_equal(red.get_ydata(), exact["phi"][0])
    assert words(ax) == ["5 paths", "mean of 5 paths", "without noise"]
    assert not ax.collections


def test_of_many_paths_a_band_and_a_few(many, ax):
    many.plot("omega", ax=ax)
    good = many["omega"][many.good]
    np.testing.assert_array_equal([line.get_ydata() for line in coloured(ax, style.BLACK)], good[:5])
    (blue,) = coloured(ax, style.BLUE)
    np.testing.assert_array_equal(blue.get_ydata(), good.mean(axis=0))
    low, high = band(ax)
    inner = np.quantile(good, [0.05, 0.95], axis=0)
    np.testing.assert_allclose((low[-len(inner[0]) :], high[: len(inner[0])]), inner, rtol=0, atol=1e-14)
    assert words(ax) == ["5 % to 95 % quantiles", "5 paths", "mean of 38 paths (2 failed)"]


def test_numbers_of_paths_and_bands_are_chosen(many):
    cases = ({"realisations": 38}, 38, 0), ({"realisations": 0, "band": (0.25, 0.75)}, 0, 1), ({"band": None}, 5, 0)
    for how, lines, bands in cases:
        ax = many.plot("omega", ax=Figure().subplots(), **how)
        assert (len(coloured(ax, style.BLACK)), len(ax.collections)) == (lines, bands)


def test_each_component_has_a_colour(ball, ax):
    ball.plot("Omega", ax=ax)
    means = [line for line in ax.lines if line.get_linewidth() == style.MEAN["linewidth"]]
    assert [line.get_color() for line in means] == list(style.COLOURS[:3])
    np.testing.assert_array_equal([line.get_ydata() for line in means], ball["Omega"].mean(axis=0).T)
    assert words(ax) == [rf"$\Omega_{{{i}}}$" for i in (1, 2, 3)]


def test_components_and_units_are_on_the_axis(ball, ax):
    assert ball.plot("energy", ax=ax).get_ylabel() == "energy [J]"
    for text, how in (("Omega[2]", {}), ("Omega", {"component": 2})):
        one = ball.plot(text, ax=Figure().subplots(), **how)
        assert one.get_ylabel().startswith(r"$\Omega_{3}$")
        np.testing.assert_array_equal(coloured(one, style.BLUE)[0].get_ydata(), ball["Omega"][..., 2].mean(axis=0))


def test_runs_in_one_picture_have_colours_and_names(disk, many, ax):
    disk.plot("omega", label="one", ax=ax)
    many.plot("omega", label="other", ax=ax)
    assert words(ax) == ["one", "other"]
    assert len(coloured(ax, style.BLUE)) == len(coloured(ax, style.RED)) == 1
    disk.plot("omega", color="#123456", ax=ax)
    assert coloured(ax, "#123456")


def test_several_quantities_have_axes_each(ball):
    axes = ball.plot("energy", "Gamma", ax=Figure().subplots(2, 1))
    assert [ax.get_ylabel() for ax in axes] == ["energy [J]", r"$\Gamma$"]
    axes = ball.plot(ax=Figure().subplots(6, 1))
    assert axes[0].get_ylabel() == "energy [J]"
    with pytest.raises(InputError, match="one for each of energy, Gamma"):
        ball.plot("energy", "Gamma", ax=[Figure().subplots()])


def test_one_path_is_blue_and_without_noise_red(exact):
    (line,) = exact.plot("phi", ax=Figure().subplots()).lines
    assert line.get_color() == style.RED
    (line,) = sd.load("rolling-disk").simulate(t_end=1, dt=0.5).plot("phi", ax=Figure().subplots()).lines
    assert line.get_color() == style.BLUE


def test_long_lines_are_thinned_to_1000_points(ax):
    long = sd.load("rolling-disk").simulate(t_end=11, dt=0.01, method="heun", save=sd.Save(names=["phi"]))
    (blue,) = long.plot("phi", ax=ax).lines
    assert len(blue.get_xdata()) == 1000
    assert blue.get_ydata()[-1] == mean(long, "phi")[-1] == long["phi"][:, -1].mean()


def test_statistics_are_drawn_where_nothing_is_saved(ax):
    run = sd.load("rolling-disk").simulate(
        t_end=1, dt=0.1, paths=8, seed=1, save="final", reduce=sd.Reduce([sd.Moments(["omega"])], at="all")
    )
    taken = run.reductions["moments"]
    run.plot("omega", ax=ax)
    np.testing.assert_array_equal(ax.lines[-1].get_ydata(), taken.mean["omega"])
    low, high = band(ax)
    half = (high[: len(taken.times)] - low[-len(taken.times) :]) / 2
    np.testing.assert_allclose(half, np.sqrt(taken.variance["omega"]), rtol=0, atol=1e-14)
    assert words(ax) == ["± standard deviation", "mean of 8 paths"]


def test_values_that_are_not_finite_are_left_out():
    state = {"omega": [1.0, 1.0, 1e308], "nu": [0.0, 1.0, 0.0]}
    run = sd.load("rolling-disk").simulate(t_end=2, dt=0.5, paths=3, state=state, method="heun")
    assert run.good.tolist() == [True, True, False]
    np.testing.assert_array_equal(mean(run, "x"), run["x"][:2].mean(axis=0))
    figure = plot_run(run, ["x"])
    assert len(coloured(figure.axes[0], style.BLACK)) == 2
    assert figure.get_suptitle() == "RollingDisk · heun · 3 paths, 1 failed and not shown"


def test_runs_in_which_all_paths_failed():
    run = sd.load("rolling-disk").simulate(t_end=2, dt=0.5, paths=2, state={"omega": 1e308, "nu": 0.0}, method="heun")
    assert not run.good.any()
    ax = plot_run(run, ["x"]).axes[0]
    assert not np.isfinite([line.get_ydata() for line in ax.lines]).any()
    for draw in (lambda: mean(run, "x"), lambda: run.plot.histogram("x")):
        with pytest.raises(InputError, match="expected a path that did not fail"):
            draw()


# -- axes without offsets ----------------------------------------------------------------------------------------------


@given(st.floats(-1e9, 1e9), st.floats(-12, 12), st.integers(2, 6))
def test_ticks_are_short_and_distinct_whatever_the_values(start, exponent, count):
    """Texts of ticks, times the power, plus the origin, are the values: nothing else has to be read."""
    span = 10.0**exponent
    assume(span > 1e-10 * abs(start))
    scale = Scale.of(start, start + span, start)
    step = span / (count - 1)
    step = float(f"{step:.1g}")
    ticks = scale.origin + np.round((start - scale.origin) / step) * step + step * np.arange(count)
    texts = scale.text(ticks)
    read = scale.origin + np.array([float(t.replace("\N{MINUS SIGN}", "-")) for t in texts]) * 10.0**scale.power
    assert len(set(texts)) == count
    np.testing.assert_allclose(read, ticks, rtol=1e-15, atol=2e-3 * step)
    assert max(map(len, texts)) <= 10


def test_a_small_change_is_drawn_as_a_change(ax):
    ax.plot([0, 1], [2.5, 2.5 + 3e-7])
    note = label_values(ax.yaxis, "energy", "J", start=2.5)
    assert ax.get_ylabel() == "change of energy [$10^{-9}$ J]"
    assert note == "energy = 2.5 J at the start"
    ax.figure.canvas.draw()
    texts = [t.get_text() for t in ax.get_yticklabels()]
    assert {"0", "100", "200", "300"} <= set(texts)
    assert ax.yaxis.get_offset_text().get_text() == ""


def test_round_off_is_drawn_flat(ball, ax):
    low, high = ball.plot("gamma-norm", ax=ax).get_ylim()
    assert 0 < np.ptp(ball["gamma-norm"]) < 1e-13  # measured 1e-15
    assert high - low == pytest.approx(0.1)
    assert "of its size" in ax.texts[-1].get_text()


# -- curves ------------------------------------------------------------------------------------------------------------


def test_plane(disk, exact, ax):
    assert disk.plot.plane(deterministic=exact, ax=ax) is ax
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_aspect()) == ("$x$ [m]", "$y$ [m]", 1.0)
    (blue,), (red,) = (coloured(ax, c) for c in (style.BLUE, style.RED))
    np.testing.assert_array_equal(blue.get_xydata(), np.stack([disk["x"].mean(0), disk["y"].mean(0)], axis=1))
    np.testing.assert_array_equal(red.get_xdata(), exact["x"][0])


def test_ends_of_many_paths_are_dots(many, ax):
    many.plot.phase("x", "omega", ax=ax)
    dots = next(line for line in ax.lines if line.get_marker() == ".")
    np.testing.assert_array_equal(dots.get_xdata(), many["x"][many.good, -1])
    np.testing.assert_array_equal(dots.get_ydata(), many["omega"][many.good, -1])
    assert words(ax) == ["5 paths", "ends of paths", "mean of 38 paths (2 failed)"]


def test_plane_of_a_vector(ball):
    np.testing.assert_array_equal(plane_position(ball), ball["x"][..., :2])
    np.testing.assert_array_equal(plane_position(ball, "geometric-centre"), ball["geometric-centre"][..., :2])
    assert plane_position(ball, "energy") is None
    assert plane_position(ball, "nothing") is None
    with pytest.raises(InputError, match="no position in the plane called 'energy'"):
        ball.plot.plane("energy")


def test_phase(ball, ax):
    ball.plot.phase("Omega[0]", "energy", ax=ax)
    (blue,) = coloured(ax, style.BLUE)
    np.testing.assert_array_equal(blue.get_xdata(), ball["Omega"][..., 0].mean(axis=0))
    np.testing.assert_array_equal(blue.get_ydata(), ball["energy"].mean(axis=0))
    assert ax.get_xlabel().startswith(r"$\Omega_{1}$")
    for wrong in ("Omega", "Omega[3]", "energy[0]"):
        with pytest.raises(InputError):
            ball.plot.phase(wrong, "energy")


@pytest.mark.parametrize("view", [(35.0, 25.0), (0.0, 90.0), (200.0, -40.0)])
def test_sphere(ball, view):
    """Both sides of the curve together are the projection of the data; the side that is seen faces the eye."""
    ax = ball.plot.sphere("M", view=view, realisations=0, ax=Figure().subplots())
    sides = np.array([line.get_xydata() for line in coloured(ax, style.BLUE)])
    directions = (ball["M"] / np.linalg.norm(ball["M"], axis=-1, keepdims=True)).mean(axis=0)
    directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
    u, w, depth = SphereView(*view)(directions)
    np.testing.assert_allclose(u**2 + w**2 + depth**2, 1, rtol=1e-14)
    np.testing.assert_allclose(np.nanmax(sides, axis=0), np.stack([u, w], axis=1), rtol=0, atol=1e-15)
    assert np.isfinite(sides[0][depth >= 0]).all()
    assert np.isnan(sides[1][depth >= 0]).all()
    assert np.isfinite(sides[1][depth < 0]).all()


@pytest.mark.parametrize("since", [None, 0.5])
def test_sphere_histogram(ball, since):
    """Cells of equal area, each the share of states in it over its share of the sphere."""
    ax = ball.plot.sphere_histogram("M", since=since, bins=3, ax=Figure().subplots())
    (mesh,) = ax.collections
    drawn = np.asarray(mesh.get_array())
    M = ball["M"][ball.good][:, ball.times >= (since or 0)].reshape(-1, 3)
    expected = np.zeros((3, 6))
    for x, y, z in M / np.linalg.norm(M, axis=1, keepdims=True):
        expected[min(int(1.5 * (z + 1)), 2), min(int((np.degrees(np.arctan2(y, x)) + 180) / 60), 5)] += 18 / len(M)
    np.testing.assert_allclose(drawn.reshape(3, 6), expected, rtol=1e-12)
    assert drawn.mean() == pytest.approx(1, rel=1e-12)


def test_invalid_sphere_histograms_raise_errors(ball):
    for how, expected in (
        ({"quantity": "energy"}, "vector of R³"), ({"since": 1e9}, "at most"), ({"since": "late"}, "since"),
        ({"bins": 0}, "bins"), ({"bins": 2.5}, "bins"), ({"bins": 10**9}, "bins"), ({"ax": 3}, "plane axes"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=expected):
            ball.plot.sphere_histogram(**{"quantity": "M", **how})


def test_invalid_sphere_curves_raise_errors(ball, disk):
    for run, quantity, expected in (
        (ball, "energy", "vector of R³"),
        (ball, "g", "9 components"),
        (disk, "x", "of R³"),
    ):
        with pytest.raises(InputError, match=expected):
            run.plot.sphere(quantity)
    for view in (None, (1,), ("a", 2), (0, 91), (np.nan, 0)):
        with pytest.raises(InputError, match="azimuth and elevation"):
            ball.plot.sphere(view=view)


# -- distributions -----------------------------------------------------------------------------------------------------


def test_histogram(many, ax):
    many.plot.histogram("omega", bins=7, time=0.98, ax=ax)
    expected = np.histogram(many["omega"][many.good, 10], bins=7, density=True)
    np.testing.assert_allclose(ax.patches[0].get_data().values, expected[0], rtol=1e-13)
    np.testing.assert_array_equal(ax.patches[0].get_data().edges, expected[1])
    assert ax.texts[-1].get_text() == "at 1 s, 38 paths"


def test_histograms_in_one_picture_have_colours_each(many, ax):
    for time, colour in ((0.5, style.BLUE), (2.0, style.RED)):
        patch = many.plot.histogram("omega", time=time, ax=ax).patches[-2]
        assert to_hex(patch.get_edgecolor()) == colour
    assert words(ax) == ["0.5 s, 38 paths", "2 s, 38 paths"]


def test_distributions_of_statistics_are_those_of_the_values():
    how = {"t_end": 1, "dt": 0.1, "paths": 64, "seed": 1}
    reduce = [sd.Histogram("omega", -1, 3, 4000), sd.FirstPassage("x", level=0.5, direction="up")]
    run = sd.load("rolling-disk").simulate(
        **how, save=sd.Save("final", names=["x"]), reduce=sd.Reduce(reduce, at="all")
    )
    full = sd.load("rolling-disk").simulate(**how)
    (taken,) = run.plot.histogram("omega", ax=Figure().subplots()).patches[:1]
    values, edges, _ = taken.get_data()
    assert values @ np.diff(edges) == pytest.approx(1, abs=1e-12)
    levels = (0.1, 0.5, 0.9)
    a, b = (r.plot.quantiles("omega", levels, ax=Figure().subplots()) for r in (run, full))
    (x,), (y,) = a.lines, b.lines
    np.testing.assert_allclose(
        x.get_ydata(), np.quantile(full["omega"], 0.5, axis=0, method="inverted_cdf"), rtol=0, atol=5.1e-4
    )
    np.testing.assert_allclose(y.get_ydata(), np.quantile(full["omega"], 0.5, axis=0), rtol=0, atol=1e-14)
    assert words(b) == ["10 % to 90 % quantiles", "median of 64 paths"]


def test_survival_of_a_passage(many, ax):
    many.plot.survival(ax=ax)
    taken = many.reductions["first-passage:x"]
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), taken.survival)
    assert ax.get_ylabel() == "probability, not passed yet"


def test_survival_of_a_stop_is_the_share_that_goes_on():
    """No path fails, so that the estimate of Kaplan and Meier is the share of paths that have not stopped."""
    run = sd.load("rolling-disk").simulate(t_end=2, dt=0.05, paths=50, seed=3, stop=sd.Stop("x", above=0.8))
    assert run.good.all()
    line = run.plot.survival(ax=Figure().subplots()).lines[0]
    times, values = line.get_data()
    stopped = np.nan_to_num(run.stopped.time, nan=np.inf)
    assert 1 < np.isfinite(stopped).sum() < 50 or np.isfinite(stopped).all()
    np.testing.assert_allclose(values, [(stopped > t).mean() for t in times], rtol=0, atol=1e-14)


def test_impossible_distributions_raise_errors(many, ball):
    for draw, expected in (
        (lambda: many.plot.histogram("omega", time=3), "from 0 to 2 s"),
        *(
            (lambda bins=bins: many.plot.histogram("omega", bins=bins), "those of numpy.histogram")
            for bins in ("none", [], [1], 0, -1, [np.nan] * 3, [0, np.inf], [1, 0], [0, 0], {}, "", 2**63, 10**9)
        ),
        (lambda: ball.plot.histogram("Omega"), "a component of it"),
        (lambda: many.plot.quantiles("omega", (0.5, 0.1)), "increasing numbers"),
        (lambda: many.plot.quantiles("omega", ()), "increasing numbers"),
        (lambda: many.plot("omega", band=(0.9, 0.1)), "two quantiles"),
        (lambda: many.plot("omega", realisations=-1), "realisations"),
        (lambda: many.plot("omega", label=1), "label"),
        *(
            (lambda draw=draw, kind=kind: draw(ax=Figure().add_subplot(projection=kind)), "plane axes")
            for kind in ("3d", "polar")
            for draw in (ball.plot.sphere, many.plot.plane, many.plot.survival)
        ),
        *(
            (lambda draw=draw: draw(color="no colour"), "a colour of Matplotlib")
            for draw in (
                many.plot.plane,
                many.plot.survival,
                ball.plot.sphere,
                lambda **how: many.plot("omega", **how),
                lambda **how: many.plot.histogram("omega", **how),
                lambda **how: many.plot.quantiles("omega", **how),
            )
        ),
        (lambda: ball.plot.survival(), "FirstPassage"),
    ):
        with pytest.raises(InputError, match=expected):
            draw()
    with pytest.raises(UnknownNameError, match="first-passage:x"):
        many.plot.survival("first-passage:y")
    with pytest.raises(UnknownNameError):
        many.plot.survival(np.ones(2))


# -- whole runs, and the look ------------------------------------------------------------------------------------------


def test_run_shows_observables_and_the_plane(ball, disk):
    labels = [ax.get_ylabel() for ax in plot_run(ball).axes]
    assert labels[0] == "energy [J]"
    assert labels[-1] == "$y$ [m]"
    assert len(labels) == 7
    assert [ax.get_ylabel() for ax in plot_run(disk).axes] == ["energy [J]", "$y$ [m]"]


def test_run_shows_what_is_asked_for(ball):
    figure = plot_run(ball, ["Gamma", "routh"])
    assert [ax.get_ylabel() for ax in figure.axes] == [r"$\Gamma$", "routh [kg m$^{2}$/s]"]
    with pytest.raises(UnknownNameError, match="Did you mean 'energy'"):
        plot_run(ball, ["enrgy"])


def test_run_without_observables_shows_its_state():
    run = sd.load("rolling-disk").simulate(t_end=1, dt=0.5, paths=2, save=sd.Save(names=["p_omega", "p_nu"]))
    assert [ax.get_ylabel().partition(" ")[0] for ax in plot_run(run).axes] == [r"$p_{\omega}$", r"$p_{\nu}$"]


def test_a_single_time_raises_an_error():
    run = sd.load("rolling-disk").simulate(t_end=1, dt=0.5, paths=2, save="final")
    for draw in (plot_run, lambda r: r.plot.plane(), lambda r: r.plot("phi"), lambda r: r.plot.phase("phi", "x")):
        with pytest.raises(InputError, match="save='all'"):
            draw(run)


def test_unknown_components_raise_errors(ball):
    for component in (3, -1):
        with pytest.raises(InputError, match="from 0 to 2"):
            ball.plot("Omega", component=component)


CONFUSED = {  # Machado, Oliveira and Fernandes 2009, severity 1
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


@pytest.mark.parametrize("vision", CONFUSED)
def test_colours_are_distinct_for_the_colour_blind(vision, record_property):
    """Distances in CIELAB of any two colours; a difference of 2.3 is just noticeable."""

    def lab(colour):
        c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
        seen = np.clip(np.array(CONFUSED[vision]) @ linear, 0, 1)
        to_xyz = [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
        x = np.array(to_xyz) @ seen / [0.95047, 1, 1.08883]
        f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
        return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])

    places = [lab(c) for c in style.COLOURS]
    least = min(np.linalg.norm(a - b) for i, a in enumerate(places) for b in places[:i])
    record_property("least distance", f"{least:.1f}")
    assert least > 17  # measured 20.7, 31.4, 17.2


def test_the_command_line_does_not_touch_pyplot(tmp_path):
    code = (
        "import sys, semidirect as sd, matplotlib\n"
        "from semidirect.analysis.pictures import plot_run\n"
        "before = dict(matplotlib.rcParams)\n"
        "run = sd.load('rolling-disk').simulate(t_end=1, dt=.5, paths=2)\n"
        f"plot_run(run).savefig({str(tmp_path / 'a.png')!r})\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "ax = run.plot('energy')\n"
        "assert dict(matplotlib.rcParams) == before\n"
        "assert sys.modules['matplotlib.pyplot'].get_fignums() == [ax.figure.number]\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.png").stat().st_size > 10_000
