"""A comparison as a picture: error against work, and the contribution of each method to the observables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.labels import axis_label
from semidirect.core import arguments, explains_calls

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


__all__ = ["plot_comparison", "plot_ledger", "plot_work_precision"]

MARKERS = "osD^vP*X"
PANELS = 5


@runtime_checkable
class ComparedMethods(Protocol):
    """The attributes that pictures read of a :class:`~semidirect.analysis.comparison.Comparison`, whose method draws them."""

    @property
    def system(self) -> str:
        """Its name."""

    @property
    def noise_class(self) -> str:
        """That of its noise."""

    @property
    def steps(self) -> np.ndarray:
        """Largest first [s]."""

    @property
    def paths(self) -> int:
        """Their number."""

    @property
    def times(self) -> np.ndarray:
        """Those of the observables [s]."""

    @property
    def motions(self) -> Mapping[str, Any]:
        """Observable → contribution of the model."""

    @property
    def units(self) -> Mapping[str, str]:
        """Error → unit."""

    @property
    def methods(self) -> list[str]:
        """Labels, in order."""

    def of(self, method: str) -> Sequence[Any]:
        """The points of one method, largest step first."""


@explains_calls
def plot_work_precision(comparison: ComparedMethods, error: str = "state", *, ax: Axes | None = None) -> Axes:
    """Draw an error against the number of evaluations of the fields per path, on logarithmic axes; one line per method."""
    from matplotlib.ticker import LogLocator, NullFormatter

    _a_comparison(comparison)
    arguments.validated_name("error of the comparison", error, comparison.units)
    ax = style.axes_or_new(ax)
    with style.styled(ax):
        for i, method in enumerate(comparison.methods):
            points = [p for p in comparison.of(method) if p.errors[error] > 0 and np.isfinite(p.work)]
            ax.plot([p.work for p in points], [p.errors[error] for p in points], color=style.COLOURS[i % len(style.COLOURS)],
                    marker=MARKERS[i % len(MARKERS)], markersize=5, linewidth=1.6, label=method)  # fmt: skip
        if any(np.size(line.get_xdata()) for line in ax.lines):
            ax.set_xscale("log")
            ax.set_yscale("log")
            ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value < 1e4 else f"{value:.0e}")
            ax.xaxis.set_minor_formatter(NullFormatter())
        else:
            style.note(ax, "no error at any step")
        ax.set_xlabel("evaluations of the fields per path")
        unit = comparison.units[error]
        ax.set_ylabel(f"error of the {error}" + (f" [{unit}]" if unit else ", relative"))
        style.legend(ax)
        return style.dress(ax)


@explains_calls
def plot_ledger(comparison: ComparedMethods, observable: str, *, ax: Axes | None = None) -> Axes:
    """Draw the contribution of each method to an observable at its largest step, root mean square against time."""
    arguments.validated_name("observable of the comparison", observable, _a_comparison(comparison).motions)
    ax = style.axes_or_new(ax)
    with style.styled(ax):
        motion = comparison.motions[observable]
        tiny = np.finfo(float).eps * (motion.size or 1.0)
        for i, method in enumerate(comparison.methods):
            series = comparison.of(method)[0].ledger[observable].series[1:]
            ax.plot(
                comparison.times[1:],
                np.maximum(series, tiny),
                color=style.COLOURS[i % len(style.COLOURS)],
                linewidth=1.8,
                label=method,
            )
        if not motion.conserved:
            ax.axhline(
                motion.change, color=style.GREY, linestyle="--", linewidth=1, label="change by the model at the end"
            )
        ax.set_yscale("log")
        ax.set_xlabel(r"$t$ [s]")
        ax.set_ylabel(axis_label(observable, motion.unit))
        kind = "conserved by the model" if motion.conserved else "changed by the model"
        ax.set_title(kind, fontsize=style.NOTE, color=style.GREY)
        return style.dress(ax)


@explains_calls
def plot_comparison(comparison: ComparedMethods) -> Figure:
    """Draw the work–precision diagram, and the ledger of up to five observables."""
    names = list(_a_comparison(comparison).motions)[:PANELS]
    count = 1 + len(names)
    columns = min(3, count)
    rows = -(-count // columns)
    from matplotlib import pyplot

    with style.styled():
        figure = pyplot.figure(figsize=(max(5.0, 3.6 * columns), 2.9 * rows + 0.6), layout="constrained")
        figure.set_gid(style.OURS)
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        plot_work_precision(comparison, ax=axes[0])
        for ax, name in zip(axes[1:], names, strict=False):
            plot_ledger(comparison, name, ax=ax)
        for ax in axes[count:]:
            ax.remove()
        step = comparison.steps[0]
        figure.suptitle(
            f"{comparison.system}, {comparison.noise_class} noise, {comparison.paths} paths; contributions of methods, "
            rf"$\Delta t$ = {step:g} s", fontsize=style.SIZE,
        )  # fmt: skip
    return figure


def _a_comparison(value: ComparedMethods) -> ComparedMethods:
    expected = "the result of compare"
    return arguments.validated_instance("a comparison", value, ComparedMethods, expected=expected)  # type: ignore[type-abstract]
