"""The levels of a multilevel estimate: variances and means of their differences, and their paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.labels import symbol, unit_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from semidirect.analysis.multilevel.level import Level


def plot_levels(levels: Sequence[Level], quantity: str, unit: str, alpha: float, beta: float) -> Figure:
    """Three axes against the step: variances of values and of differences, means of differences, numbers of paths. Dashed lines
    have the measured orders.
    """
    import matplotlib.pyplot as plt

    dt = np.array([x.dt for x in levels])
    with style.styled():
        figure = plt.figure(figsize=(9, 3), layout="constrained")
        left, middle, right = figure.subplots(1, 3, sharex=True)
        name = symbol(quantity) if "(" not in quantity else quantity
        left.plot(dt, [x.value_variance for x in levels], color=style.GREY, marker="s", label=f"of {name}")
        left.plot(dt[1:], [x.variance for x in levels[1:]], color=style.COLOURS[0], marker="o", label="of differences")
        middle.errorbar(dt[1:], np.abs([x.mean for x in levels[1:]]), [x.standard_error for x in levels[1:]],
                        color=style.COLOURS[0], marker="o")  # fmt: skip
        _slope(left, dt[1:], np.array([x.variance for x in levels[1:]]), beta, "beta")
        _slope(middle, dt[1:], np.abs([x.mean for x in levels[1:]]), alpha, "alpha")
        right.plot(dt, [x.paths for x in levels], color=style.COLOURS[0], marker="o")
        for ax in (left, middle):
            if ax.get_legend_handles_labels()[1]:
                ax.legend(frameon=False, fontsize=style.NOTE)
        titles = _with_unit("variance", unit and f"({unit})²"), _with_unit("|mean of differences|", unit), "paths"
        for ax, title in zip((left, middle, right), titles, strict=True):
            ax.set_xscale("log", base=2)
            ax.set_yscale("log")
            ax.set_xlabel(r"$\Delta t$ [s]")
            ax.set_title(title, fontsize=style.NOTE)
            style.dress(ax)
    return figure


def _slope(ax: Axes, dt: np.ndarray, values: np.ndarray, order: float, letter: str) -> None:
    """The line of a measured order, through the middle of what is positive."""
    positive = values > 0
    if not (np.isfinite(order) and np.count_nonzero(positive) > 1):
        return
    middle = np.exp(np.mean(np.log(values[positive]) - order * np.log(dt[positive])))
    label = rf"slope $\{letter}$ = {order:.2f}"
    ax.plot(dt, middle * dt**order, color=style.RED, linestyle="--", linewidth=1.3, label=label, zorder=1.5)


def _with_unit(title: str, unit: str) -> str:
    return f"{title} [{unit_text(unit)}]" if unit_text(unit) else title
