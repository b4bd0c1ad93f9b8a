"""Error against step: what was measured, the fitted order, and the declared one as a slope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from semidirect.analysis import style
from semidirect.analysis.convergence import Convergence
from semidirect.analysis.labels import symbol
from semidirect.core.arguments import validated_instance, validated_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from semidirect.analysis.error_curve import Curve

__all__ = ["plot_convergence"]

COLOURS = (style.BLUE, style.RED, style.BLACK, "#2d7d46", "#8a4fb0", "#b8860b")


def plot_convergence(study: Convergence, names: Sequence[str] | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw errors relative to the size of each quantity against the step, on logarithmic axes.

    Full circles: against the method's own fine solution, with standard errors of weak errors as bars. Hollow squares: against the
    other method's. The dashed line through the first quantity has the declared order.

    Parameters
    ----------
    names : sequence of str, optional
        Which quantities; default all that have an error beyond round-off, six at most.
    ax : Axes, optional
        Where to draw; default the axes of a figure of their own.
    """
    validated_instance("a study", study, Convergence, expected="what convergence gives")
    ax = style.axes_or_new(ax)
    chosen = (
        [study[n] for n in validated_names("quantities to draw", names)]
        if names is not None
        else [c for c in study.curves if c.verdict != "exact"][: len(COLOURS)]
    )
    with style.styled():
        for colour, curve in zip(COLOURS, chosen, strict=False):
            _draw(ax, study, curve, colour)
        if chosen and chosen[0].declared is not None:
            _slope(ax, study, chosen[0], chosen[0].declared)
        ax.set_xscale("log", base=2)
        ax.set_yscale("log")
        ax.set_xlabel(r"$\Delta t$ [s]")
        ax.set_ylabel("bias, relative" if study.kind == "weak" else "error, relative")
        ax.set_title(f"{study.system}, {study.method}: {study.kind}, {study.noise_class} noise", fontsize=10.5)
        if chosen:
            ax.legend(frameon=False, fontsize=8.5)
        return style.dress(ax)


def _draw(ax: Axes, study: Convergence, curve: Curve, colour: str) -> None:
    size = curve.size or 1.0
    label = curve.name if "(" in curve.name or curve.name == "state" else symbol(curve.name)
    order = f", order {curve.fit.slope:.2f}" if np.isfinite(curve.fit.slope) else ""
    look = {"color": colour, "linewidth": 1.2, "markersize": 4.5}
    shown = curve.errors > 0
    bars = None if curve.standard_errors is None else curve.standard_errors[shown] / size
    if bars is None:
        ax.plot(study.steps[shown], curve.errors[shown] / size, marker="o", label=label + order, **look)  # type: ignore[arg-type]
    else:
        ax.errorbar(study.steps[shown], curve.errors[shown] / size, bars, marker="o", label=label + order, **look)  # type: ignore[arg-type]
    other = curve.independent > 0
    ax.plot(
        study.steps[other], curve.independent[other] / size, color=colour, marker="s", markersize=4.5, fillstyle="none",
        linestyle="none",
    )  # fmt: skip


def _slope(ax: Axes, study: Convergence, curve: Curve, declared: float) -> None:
    middle = len(study.steps) // 2
    anchor = curve.errors[middle] / (curve.size or 1.0)
    if anchor > 0:
        line = anchor * (study.steps / study.steps[middle]) ** declared
        ax.plot(study.steps, line, color=style.GREY, linestyle="--", linewidth=1, label=f"declared order {declared:g}")
