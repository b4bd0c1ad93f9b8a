"""A picture of a fit: the log-likelihoods that were computed, estimates with intervals, and the filter at the estimate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.inference.plot_filtered import plot_filtered

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_fitted"]

DEPTH = 12.0
"""How far below the maximum log-likelihoods are drawn."""


def plot_fitted(result: Any, quantities: Sequence[str] | None) -> tuple[Axes, ...]:
    """Parameters on the left, the filter at the estimate on the right, see :meth:`.Fitted.plot`."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10, 2 + 1.7 * len(result.names)), layout="constrained")
    left, right = np.ravel(figure.subfigures(1, 2, width_ratios=(1, 1.6), squeeze=False))
    axes = tuple(left.subplots(len(result.names), 1, squeeze=False)[:, 0])
    for i, ax in enumerate(axes):
        _parameter(ax, result, i)
    return (*axes, *plot_filtered(result.filtered, quantities, smoothed=None, ax=None, figure=right))


def _parameter(ax: Any, result: Any, i: int) -> None:
    """Log-likelihoods less their maximum, of the first seed, with the estimate and its interval."""
    first = result.replicates == 0
    points, values = result.points[first, i], result.values[first] - np.max(result.values[first])
    near = values > -DEPTH
    low, high = result.interval[i]
    if np.isfinite(low + high):
        ax.axvspan(low, high, color="C0", alpha=0.2, linewidth=0, label=f"{result.level:.0%}")
    ax.axvline(result.estimate[i], color="C0", linewidth=1.2, label="estimate")
    ax.plot(points[near], values[near], ".", color="0.35", markersize=4, label="log-likelihoods")
    unit = result.units[i]
    ax.set_xlabel(f"{result.names[i]} [{unit}]" if unit not in ("", "1") else result.names[i])
    ax.set_ylabel("log-likelihood")
    ax.grid(alpha=0.25)
    if i == 0:
        ax.legend(loc="best", fontsize="small", frameon=False)
