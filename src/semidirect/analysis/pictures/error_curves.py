"""Error against step: the measured errors, the fitted order, and the declared order as a slope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from semidirect.analysis.error_curve import Curve
from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.labels import symbol

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_error_curves"]


def plot_error_curves(
    steps: np.ndarray, curves: Sequence[Curve], *, error: str, title: str, ax: Axes | None = None
) -> Axes:
    """Draw errors relative to the size of each quantity against the step, on logarithmic axes.

    Full circles: against the method's own fine solution, with standard errors of weak errors as bars. Hollow squares: against the
    other method's. The dashed line through the first quantity has the declared order.

    Parameters
    ----------
    steps : array
        The steps [s].
    curves : sequence of Curve
        The errors; six at most are drawn.
    error, title : str
        The label of the errors, and the title.
    ax : Axes, optional
        Where to draw; default the axes of a new figure.
    """
    ax = style.axes_or_new(ax)
    first_curves = curves[: len(style.COLOURS)]
    with style.styled(ax):
        for colour, curve in zip(style.COLOURS, first_curves, strict=False):
            _draw(ax, steps, curve, colour)
        if first_curves and first_curves[0].declared is not None:
            _slope(ax, steps, first_curves[0], first_curves[0].declared)
        ax.set_xscale("log", base=2)
        ax.set_yscale("log")
        ax.set_xlabel(r"$\Delta t$ [s]")
        ax.set_ylabel(f"{error}, relative")
        ax.set_title(title, fontsize=style.NOTE)
        style.legend(ax)
        return style.dress(ax)


def _draw(ax: Axes, steps: np.ndarray, curve: Curve, colour: str) -> None:
    size = curve.size or 1.0
    label = curve.name if "(" in curve.name or curve.name == "state" else symbol(curve.name)
    order = f", order {curve.fit.slope:.2f}" if np.isfinite(curve.fit.slope) else ""
    look = {"color": colour, "linewidth": 1.6, "markersize": 5.5}
    positive = curve.errors > 0
    bars = None if curve.standard_errors is None else curve.standard_errors[positive] / size
    if bars is None:
        ax.plot(steps[positive], curve.errors[positive] / size, marker="o", label=label + order, **look)  # type: ignore[arg-type]
    else:
        ax.errorbar(steps[positive], curve.errors[positive] / size, bars, marker="o", label=label + order, **look)  # type: ignore[arg-type]
    other = curve.independent > 0
    ax.plot(
        steps[other], curve.independent[other] / size, color=colour, marker="s", markersize=5.5, fillstyle="none",
        linestyle="none",
    )  # fmt: skip


def _slope(ax: Axes, steps: np.ndarray, curve: Curve, order: float) -> None:
    middle = len(steps) // 2
    anchor = curve.errors[middle] / (curve.size or 1.0)
    if anchor > 0:
        line = anchor * (steps / steps[middle]) ** order
        ax.plot(steps, line, color=style.GREY, linestyle="--", linewidth=1.2, label=f"declared order {order:g}")
