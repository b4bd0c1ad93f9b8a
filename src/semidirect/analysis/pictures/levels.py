"""The levels of a multilevel estimate: variances and means of their differences, and their paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.labels import symbol

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from semidirect.analysis.multilevel.level import Level


def plot_levels(levels: Sequence[Level], quantity: str, alpha: float, beta: float) -> Figure:
    """Three axes against the step: variances of values and of differences, means of differences, numbers of paths."""
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
        right.plot(dt, [x.paths for x in levels], color=style.COLOURS[0], marker="o")
        left.legend(frameon=False, loc="center left", bbox_to_anchor=(0, 0.7), fontsize=style.NOTE)
        titles = _with_order("variance", "beta", beta), _with_order("|mean of differences|", "alpha", alpha), "paths"
        for ax, title in zip((left, middle, right), titles, strict=True):
            ax.set_xscale("log", base=2)
            ax.set_yscale("log")
            ax.set_xlabel(r"$\Delta t$ [s]")
            ax.set_title(title, fontsize=style.NOTE)
            style.dress(ax)
    return figure


def _with_order(title: str, letter: str, order: float) -> str:
    return rf"{title}, $\{letter}$ = {order:.2f}" if np.isfinite(order) else title
