"""Distributions over the paths: histograms, quantiles against time, survival."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.axis_text import label_time, label_values
from semidirect.analysis.pictures.drawn_paths import validated_label
from semidirect.analysis.pictures.drawn_quantity import (
    DrawnQuantity,
    band_places,
    between_text,
    count_text,
    quantiles_of,
    refuse_one_time,
)
from semidirect.analysis.pictures.labels import short, unit_text
from semidirect.core import arguments, errors, explains_calls
from semidirect.random import drivers
from semidirect.results import RunData, RunLike, a_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_histogram", "plot_quantiles", "plot_survival"]

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_BINS = 1_000_000
NORMAL = 1.96
"""Half-width of a band of 95 % in standard errors."""
HIGHEST = 0.975


@explains_calls
def plot_histogram(run: RunLike, quantity: str, *, time: float | None = None, bins: Any = "auto", label: str | None = None,
                   color: str | None = None, ax: Axes | None = None) -> Axes:  # fmt: skip
    """Draw the distribution of a scalar over the good paths at one time, as a probability density.

    Of saved values, or, where the quantity was not saved, of the statistic ``sd.Histogram`` of it. Values that are not finite are
    left out.

    Parameters
    ----------
    quantity : str
        A scalar, or a component such as ``"Omega[0]"``.
    time : float, optional
        A time [s]; the saved one nearest to it is taken and named in the legend. Default: the last one.
    bins : optional
        As in ``numpy.histogram``: a number, edges, or the name of a rule. Of a statistic: its own.
    label, color, ax : optional
        Words of the legend, colour, and where to draw.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownNameError
        For a quantity that the run does not hold.
    InputError
        For a vector, a time outside of the run, invalid bins, or if no value is finite.
    """
    run = a_run(run)
    result = _statistic(run, "histogram", quantity)
    # a statistic of the run is read where paths were not saved; otherwise the saved values are counted
    if result is not None and quantity not in run:
        k = _nearest(result.times, time)
        counts, edges, n, t = result.counts[k], result.edges, int(result.count[k]), result.times[k]
        if counts.ndim > 1:
            raise errors.InputError(
                f"the histogram of {quantity!r}, a vector", expected="a scalar", got=f"{len(counts)} components"
            )
        outside = int(result.below[k] + result.above[k])
        name, unit, component = quantity, result.taken.units.get(quantity, ""), None
    else:
        series = DrawnQuantity.of(run, quantity)
        k = _nearest(run.times, time)
        values = series.scalar()[run.good, k]
        values = values[np.isfinite(values)]
        n, outside, t = len(values), 0, run.times[k]
        name, unit, component = series.name, series.unit, series.component
        counts, edges = _counted(values, bins, quantity)
    # checks come before the axes, so that an error leaves no empty figure
    if n == 0:
        raise errors.InputError(f"the histogram of {quantity!r}", expected="a path that did not fail", got="none")
    validated_label(label)
    color = style.validated_colour(color)
    ax = style.axes_or_new(ax)
    with style.styled(ax):
        words = f"{short(float(t), 4)} s, {n} path{'s' * (n != 1)}" if label is None else label
        colour = color or style.next_colour(ax)
        # a density, so that histograms with other numbers of paths and bins can be laid over it
        density = counts / (n * np.diff(edges))
        ax.stairs(density, edges, color=colour, linewidth=1.8, label=words, zorder=3)
        ax.stairs(density, edges, color=colour, fill=True, alpha=0.18, linewidth=0, zorder=2)
        ax.set_ylim(0, None)
        label_values(ax.xaxis, name, unit, start=float(edges[0]), component=component)
        of = unit_text(unit)
        ax.set_ylabel("density" + (f" [1/({of})]" if " " in of else f" [1/{of}]" if of else ""))
        note = f"at {words}" if label is None else ""
        style.note(ax, note + f", {outside} of them outside" * bool(outside))
        style.legend(ax)
        return style.dress(ax)


@explains_calls
def plot_quantiles(run: RunLike, quantity: str, levels: Any = LEVELS, *, color: str | None = None,
                   ax: Axes | None = None) -> Axes:  # fmt: skip
    """Draw quantiles of a scalar over the good paths against time, as bands around the middle one.

    Of saved values, or, where the quantity was not saved, of the statistic ``sd.Histogram`` of it; there a quantile outside of
    the bins is not drawn.

    Parameters
    ----------
    quantity : str
        A scalar, or a component such as ``"Omega[0]"``.
    levels : sequence of float
        Increasing; the outer two are a band, the next two inside of them another one, and so on.
    color, ax : optional
        Colour, and where to draw.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownNameError
        For a quantity that the run does not hold.
    InputError
        For a vector, levels that do not increase from 0 to 1, or a single time.
    """
    levels = arguments.validated_array("levels", levels)
    if levels.ndim != 1 or len(levels) == 0 or not (np.all(np.diff(levels) > 0) and levels[0] >= 0 and levels[-1] <= 1):
        raise errors.InputError("levels", expected="increasing numbers from 0 to 1", got=str(levels.tolist()))
    run = a_run(run)
    result = _statistic(run, "histogram", quantity)
    component = None
    # a statistic of the run is read where values were not saved at several times
    if result is not None and (quantity not in run or len(run.times) < 2):
        times, name, unit = result.times, quantity, result.taken.units.get(quantity, "")
        values = result.quantiles(levels)
        if values.ndim > 2:
            raise errors.InputError(
                f"quantiles of {quantity!r}, a vector", expected="a scalar", got=f"{values.shape[1]} components"
            )
        rows = np.where(np.isfinite(values), values, np.nan).T
    else:
        series = DrawnQuantity.of(run, quantity)
        refuse_one_time(run)
        name, unit, component = series.name, series.unit, series.component
        at = band_places(len(run.times), run.paths)
        times, rows = run.times[at], quantiles_of(series.scalar()[run.good][:, at], levels)
    color = style.validated_colour(color)
    ax = style.axes_or_new(ax)
    with style.styled(ax):
        colour = color or style.next_colour(ax)
        # levels pair up from outside to inside: the innermost band is the darkest
        for i in range(len(levels) // 2):
            words = between_text(levels[i], levels[-1 - i])
            ax.fill_between(
                times, rows[i], rows[-1 - i], label=words, **{**style.band(colour), "alpha": 0.18 + 0.12 * i}
            )
        if len(levels) % 2:
            middle = levels[len(levels) // 2]
            words = "median" if middle == 0.5 else f"{100 * middle:.4g} % quantile"
            ax.plot(
                times, rows[len(levels) // 2], label=f"{words} of {count_text(run)}", **{**style.MEAN, "color": colour}
            )
        label_time(ax)
        start = float(rows[len(levels) // 2][0])
        style.note(ax, label_values(ax.yaxis, name, unit, start=start, component=component))
        style.legend(ax)
        return style.dress(ax)


@explains_calls
def plot_survival(run: RunLike, passage: str | None = None, *, label: str | None = None, color: str | None = None,
                  ax: Axes | None = None) -> Axes:  # fmt: skip
    """Draw the probability that a quantity has not passed a level yet, with a band of 95 %.

    The estimate is that of Kaplan and Meier, the band 1.96 standard errors by Greenwood's formula.

    Parameters
    ----------
    passage : str, optional
        Which statistic ``sd.FirstPassage`` of the run, by its key such as ``"first-passage:energy"``; default the only one, or,
        if there is none, the stop of the run.
    label, color, ax : optional
        Words of the legend, colour, and where to draw.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownNameError
        For a key that the run does not have.
    InputError
        If there are several, or neither a first passage nor a stop.
    """
    run = a_run(run)
    passages = {k: r for k, r in run.reductions.items() if r.reduction.kind == "first-passage"}
    if passage is not None:
        arguments.validated_name("first passage of the run", passage, sorted(passages))
    if passage is None and len(passages) > 1:
        raise errors.InputError("which first passage", expected=f"one of {', '.join(passages)}", got="none")
    unknown = drivers.has_one_noise(run.config["noise"])
    width = NORMAL
    if passages:
        from scipy.special import stdtrit

        result = passages[passage or next(iter(passages))]
        times, survival = result.times, result.survival
        error = np.full(len(times), np.nan) if unknown else result.survival_error
        width = NORMAL if result.freedom is None else float(stdtrit(result.freedom, HIGHEST))
        what = "not passed yet"
    elif run.config.get("stop") is not None:
        times, survival, error = _stops(run)
        unknown = unknown or drivers.replications_of(run.config["noise"]) > 0
        what = "not stopped yet"
    else:
        raise errors.InputError("survival", expected="a run with reduce=sd.FirstPassage(...) or stop=", got="neither")
    if len(times) == 0 or times[0] > run.t_start:
        times, survival, error = np.r_[run.t_start, times], np.r_[1.0, survival], np.r_[0.0, error]
    validated_label(label)
    color = style.validated_colour(color)
    ax = style.axes_or_new(ax)
    with style.styled(ax):
        colour = color or style.next_colour(ax)
        low, high = (np.clip(survival + s * width * error, 0, 1) for s in (-1, 1))
        words = count_text(run) if label is None else label
        if not unknown:  # paths that depend on each other tell no error
            ax.fill_between(
                times, low, high, step="post", label="" if label else "95 % confidence", **style.band(colour)
            )
        ax.plot(times, survival, drawstyle="steps-post", label=words, **{**style.MEAN, "color": colour})
        ax.set_ylim(0, 1.03)
        label_time(ax)
        ax.set_ylabel(f"probability, {what}")
        style.legend(ax)
        return style.dress(ax)


def _statistic(run: RunData, kind: str, quantity: str) -> Any:
    """The statistic of this kind of a quantity, if the run has one."""
    arguments.validated_instance("a quantity to draw", quantity, str, expected="its name, such as 'energy' or 'Omega1'")
    return next(
        (r for r in run.reductions.values() if r.reduction.kind == kind and quantity in r.reduction.names()), None
    )


def _nearest(times: np.ndarray, time: float | None) -> int:
    if time is None:
        return len(times) - 1
    moment = arguments.validated_number("time", time)
    if not times[0] <= moment <= times[-1]:
        raise errors.InputError("time", expected=f"from {times[0]:g} to {times[-1]:g} s", got=f"{moment:g}")
    return int(np.argmin(np.abs(times - moment)))


def _counted(values: np.ndarray, bins: Any, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    try:
        if isinstance(bins, (int, np.integer)) and bins > MOST_BINS:
            raise ValueError(f"more than {MOST_BINS:,}")
        counts, edges = np.histogram(values, bins=bins)
        if len(edges) < 2:
            raise ValueError("no bin")
        if not (np.all(np.isfinite(edges)) and np.all(np.diff(edges) > 0)):
            raise ValueError("edges that do not increase, or are not finite")
    except (TypeError, ValueError, MemoryError) as error:
        raise errors.InputError(
            f"bins of the histogram of {quantity!r}", expected="those of numpy.histogram", got=f"{bins!r}: {error}"
        ) from None
    return counts, edges


def _stops(run: RunData) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times of stops, the estimate of survival after each and its standard error; failures are censored, also at equal times."""
    stopped = run.stopped_at[np.isfinite(run.stopped_at)]
    lost = run.failed_at[~run.good]
    times, d = np.unique(stopped, return_counts=True)
    at_risk = run.paths - np.searchsorted(np.sort(stopped), times) - np.searchsorted(np.sort(lost), times, side="right")
    survival = np.cumprod(1 - d / at_risk)
    terms = np.divide(d, at_risk * (at_risk - d), out=np.zeros(len(d)), where=at_risk > d)
    times, end = np.r_[times, run.times[-1]], -1
    survival = np.r_[survival, survival[end] if len(survival) else 1.0]
    spread = np.sqrt(np.cumsum(terms))
    return times, survival, survival * np.r_[spread, spread[end] if len(spread) else 0.0]
