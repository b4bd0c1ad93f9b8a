"""Lyapunov exponents against time: averages up to a time, with their errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.axis_text import label_time
from semidirect.text import printing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NORMAL = 1.96
"""Half-width of a band of 95 % in standard errors."""


def plot_exponents(
    times: np.ndarray, batches: np.ndarray, means: np.ndarray, errors: np.ndarray, *, title: str, ax: Any = None
) -> Axes:
    """Draw averages up to each time with bands of 95 %, and the averages over all times with bars.

    Parameters
    ----------
    times : array (B,)
        The ends of batches [s].
    batches : array (B, K)
        Means of each exponent in each batch over the paths [1/s].
    means, errors : array (K,)
        The exponents and their standard errors [1/s].
    title : str
    ax : Axes, optional
        Where to draw; default the axes of a new figure.
    """
    ax = style.axes_or_new(ax)
    count = np.arange(1, len(batches) + 1)[:, None]
    running = np.cumsum(batches, axis=0) / count
    with np.errstate(all="ignore"):  # one batch has no error
        squares = np.cumsum(batches**2, axis=0) / count - running**2
        spread = NORMAL * np.sqrt(np.maximum(squares, 0.0) / (count - 1))
    with style.styled(ax):
        ax.axhline(0, color=style.GREY, linewidth=0.8, zorder=1)
        for i, (mean, error) in enumerate(zip(means, errors, strict=True)):
            colour = style.COLOURS[i % len(style.COLOURS)]
            look = {"color": colour, "linewidth": 1.6, "zorder": 4}
            label = rf"$\lambda_{{{i + 1}}}$ = {_with_error(mean, error)}"
            if len(batches):
                ax.plot(times, running[:, i], linestyle="-" if i < len(style.COLOURS) else "--", label=label, **look)
                low, high = running[:, i] - spread[:, i], running[:, i] + spread[:, i]
                ax.fill_between(times, low, high, where=np.isfinite(low), **style.band(colour))
            end = times[-1] if len(times) else 0.0
            bar = NORMAL * error if np.isfinite(error) else 0.0
            ax.errorbar(
                [end], [mean], [bar], marker="o", markersize=4, capsize=3, label="" if len(batches) else label, **look
            )
        label_time(ax)
        ax.set_ylabel(r"exponents, averages up to $t$ [1/s]")
        ax.set_title(title, fontsize=style.NOTE)
        style.dress(ax)
        handles, labels = ax.get_legend_handles_labels()
        ax.legend(handles, labels, edgecolor="none", framealpha=0.85, loc="best")
    return ax


def _with_error(mean: float, error: float) -> str:
    """A number with as many digits as its error has two of."""
    text = printing.with_error(mean, error) if np.isfinite(error) else f"{mean:.4g}"
    return text.replace("-", "−")
