"""Quantities against time: the mean, a band of quantiles, a few paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.axis_text import label_time, label_values
from semidirect.analysis.pictures.drawn_paths import validated_label
from semidirect.analysis.pictures.drawn_quantity import (
    FEW,
    MANY,
    DrawnQuantity,
    band_places,
    between_text,
    count_text,
    drawn_paths,
    mean_of,
    quantiles_of,
    refuse_one_time,
    thinned,
    validated_band,
    without_noise,
)
from semidirect.analysis.pictures.labels import symbol
from semidirect.core import arguments, errors, explains_calls
from semidirect.results import RunData, RunLike, a_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["default_quantities", "plot"]

BAND = (0.05, 0.95)


@explains_calls
def plot(run: RunLike, *quantities: str, component: int | None = None, realisations: int | None = None,
         band: tuple[float, float] | None = BAND, deterministic: RunLike | None = None, label: str | None = None,
         color: str | None = None, ax: Any = None) -> Any:  # fmt: skip
    """Draw quantities against time: ``run.plot("energy")``, ``run.plot("Omega", "energy")``, ``run.plot("Omega[0]")``.

    Up to 30 paths are all drawn, with their mean. Of more, five are drawn, with the mean and the band that holds 90 % of them.
    Each component of a vector has a colour. Paths that failed are left out. Axes have no offsets: a small change is drawn as a
    change, and one below 1e-10 of the size of the values as none. Lines have at most 1000 points.

    Where the run did not save the quantity at several times, its mean and standard deviation are drawn from ``sd.Moments``.

    Parameters
    ----------
    quantities : str
        The quantities to draw; default the scalar observables of the run, or its state variables if there are none. Each has
        axes.
    component : int, optional
        Which component of a vector, from 0; as ``"Omega[0]"``.
    realisations : int, optional
        How many paths are drawn one by one.
    band : pair of float, or None
        The quantiles between which the band of more than 30 paths lies.
    deterministic : Run, optional
        The run without noise, drawn in red.
    label : str, optional
        The name of this run in the legend, if several are drawn in one picture; each has a colour.
    color : optional
        A colour of Matplotlib.
    ax : Axes, or one for each quantity, optional
        Where to draw; default the axes of a new figure.

    Returns
    -------
    Axes, or a tuple of them
        The axes of the quantity, or one for each quantity.

    Raises
    ------
    UnknownNameError
        For a quantity that the run does not hold.
    InputError
        If the run holds one time only, or for a component or other argument that cannot be.
    """
    run, deterministic = a_run(run), None if deterministic is None else a_run(deterministic)
    names = list(quantities) or default_quantities(run)
    arguments.validated_names("quantities to draw", names)
    # one quantity has one pair of axes; several have one each, in a new figure or as the caller says
    if len(quantities) == 1:
        targets = [ax]
    elif ax is None:
        targets = [None] * len(names)
    else:
        targets = list(
            arguments.validated_sequence("ax", np.ravel(ax).tolist() if isinstance(ax, np.ndarray) else ax, of="axes")
        )
        if len(targets) != len(names):
            raise errors.InputError("ax", expected=f"one for each of {', '.join(names)}", got=f"{len(targets)}")
    # everything is read and checked before a figure is made, so that an error leaves no empty one
    series = [_series(run, name, component, realisations, validated_band(band)) for name in names]
    exact = [None if deterministic is None else DrawnQuantity.of(deterministic, n, component) for n in names]
    validated_label(label)
    color = style.validated_colour(color)
    if len(names) > 1 and ax is None:
        targets = list(style.new_axes(len(names)))
    axes = [style.axes_or_new(target) for target in targets]
    for target, one, other in zip(axes, series, exact, strict=True):
        with style.styled(target):
            one.draw(target, label, color)
            if other is not None and deterministic is not None:
                _draw_exact(target, deterministic, other)
            _mark_transitions(target, run)
            # last: a legend and a note have to know all lines
            _finish(target, one, _moved_by_method(run, one.name))
    return axes[0] if len(quantities) == 1 else tuple(axes)


def default_quantities(run: RunData) -> list[str]:
    """The scalar observables of the run, or its state variables if there are none."""
    observables = [q for q in run.config.get("observables", ()) if q in run and run[q].ndim == 2]
    return observables or [v for v in run.config.get("variables", ()) if v in run] or list(run)


@final
@dataclass(frozen=True)
class _Lines:
    """The lines of one component: arrays against their times."""

    component: int | None
    mean: tuple[np.ndarray, np.ndarray]
    band: tuple[np.ndarray, np.ndarray, np.ndarray] | None
    paths: tuple[np.ndarray, np.ndarray]


@final
@dataclass(frozen=True)
class _Series:
    """A quantity as lines, with the words of the legend."""

    name: str
    unit: str
    lines: Sequence[_Lines]
    mean: str
    band: str
    colour: str | None
    single: bool

    def draw(self, ax: Axes, label: str | None, color: str | None) -> None:
        """Draw the lines of each component in its own colour."""
        several = len(self.lines) > 1
        for i, line in enumerate(self.lines):
            beside = style.COLOURS[i % len(style.COLOURS)] if several else self.colour
            colour = color or beside or style.next_colour(ax)
            dashes = "--" if several and i >= len(style.COLOURS) else "-"
            own = ([] if label is None else [label]) + [symbol(self.name, line.component)] * several
            words = ", ".join(own) or self.mean
            if line.band is not None:
                times, low, high = line.band
                ax.fill_between(times, low, high, label="" if own else self.band, **style.band(colour))
            times, paths = line.paths
            if paths.size:
                look = style.REALISATION if not several else {**style.REALISATION, "color": colour}
                count = paths.shape[1]
                ax.plot(times, paths[:, 0], label="" if own else f"{count} path{'s' * (count > 1)}", **look)
                ax.plot(times, paths[:, 1:], **look)
            ax.plot(*line.mean, label=words, **{**style.MEAN, "color": colour, "linestyle": dashes})

    def words(self) -> str:
        """The description of the lines, if the legend names the components."""
        return self.mean + f", {self.band}" * (self.lines[0].band is not None)

    @property
    def start(self) -> float:
        """The mean at the beginning, of the first component."""
        first = self.lines[0].mean[1]
        return float(first[0]) if len(first) else np.nan


def _series(run: RunData, name: str, component: int | None, realisations: int | None,
            band: tuple[float, float] | None) -> _Series:  # fmt: skip
    result = next(
        (r for r in run.reductions.values() if r.reduction.kind == "moments" and name in r.reduction.names()), None
    )
    if result is not None and (len(run.times) < 2 or name not in run):
        return _of_moments(run, result, name, component)
    quantity = DrawnQuantity.of(run, name, component)
    refuse_one_time(run)
    good = np.flatnonzero(run.good)
    n = len(good)
    single = run.paths == 1
    few = 0 if single else drawn_paths(n, realisations)
    if quantity.values.ndim == 3 and realisations is None:
        few = min(few, FEW)
    at, sparse = thinned(len(run.times)), band_places(len(run.times), n)
    lines = []
    for number, values in quantity.parts():
        between = None
        if band is not None and n > MANY and few < n:
            between = (run.times[sparse], *quantiles_of(values[good][:, sparse], band))
        means = mean_of(values[good][:, at]) if n else np.full(len(at), np.nan)
        paths = values[good[:few]][:, at].T
        lines.append(_Lines(number, (run.times[at], means), between, (run.times[at], paths)))
    words = "without noise" if without_noise(run) else "path" if single else f"mean of {count_text(run)}"
    between_words = "" if band is None else between_text(*band)
    colour = style.RED if single and without_noise(run) else None
    return _Series(quantity.name, quantity.unit, lines, words, between_words, colour, single)


def _of_moments(run: RunData, result: Any, name: str, component: int | None) -> _Series:
    """The mean and the standard deviation, if the values were not saved."""
    if len(result.times) < 2:
        raise errors.InputError(
            f"{name!r} cannot be drawn against time", expected="statistics at several times", got="one",
            hint="Run it with reduce=sd.Reduce(…, at=…), or save it.",
        )  # fmt: skip
    at = thinned(len(result.times))
    mean, deviation = result.mean[name][at], np.sqrt(result.variance[name][at])
    parts: list[tuple[int | None, Any]] = (
        [(None, ...)] if mean.ndim == 1 else [(i, (..., i)) for i in range(mean.shape[-1])]
    )
    if component is not None:
        number = arguments.validated_whole(f"component of {name!r}", component, least=0, most=len(parts) - 1)
        parts = [parts[number]]
    times = result.times[at]
    nothing = times, np.empty((len(times), 0))
    lines = [
        _Lines(number, (times, mean[which]), (times, *(mean[which] + s * deviation[which] for s in (-1, 1))), nothing)
        for number, which in parts
    ]
    words = f"mean of {count_text(run)}"
    return _Series(name, result.taken.units.get(name, ""), lines, words, "± standard deviation", None, single=False)


def _draw_exact(ax: Axes, run: RunData, quantity: DrawnQuantity) -> None:
    at = thinned(len(run.times))
    parts = quantity.parts()
    for i, (_, values) in enumerate(parts):
        ax.plot(
            run.times[at], values[0, at], label="without noise" if i == 0 else "", **style.deterministic(len(parts) > 1)
        )


def _mark_transitions(ax: Axes, run: RunData) -> None:
    """Where the paths of a hybrid system change their modes: lines of one path, ticks at the bottom of several."""
    if run.history is None or not len(run.history.transitions):
        return
    times = run.history.transitions.time
    words = f"{len(times)} transition{'s' * (len(times) > 1)}"
    if run.paths == 1:
        ax.vlines(np.unique(times), 0, 1, transform=ax.get_xaxis_transform(), label=words, **style.MOMENT)
    else:
        moments = np.sort(times)[thinned(len(times))]
        ax.plot(moments, np.zeros(len(moments)), transform=ax.get_xaxis_transform(), label=words, **style.TICKS)


def _moved_by_method(run: RunData, name: str) -> str:
    """The remark on an observable that the equations conserve and the method of the run changes."""
    from semidirect.analysis.monitor.keeping import keeping

    change = keeping(run, name)
    return "" if change is None else "\n".join(change.lines)


def _finish(ax: Axes, series: _Series, beside: str) -> None:
    component = series.lines[0].component if len(series.lines) == 1 else None
    label_time(ax)
    note = label_values(ax.yaxis, series.name, series.unit, start=series.start, component=component)
    note = note or (series.words() if len(series.lines) > 1 else "")
    style.note(ax, "\n".join(filter(None, (beside, note))))
    style.legend(ax)
    style.dress(ax)
