"""A picture of a filter: bands, data and outliers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import arguments, errors
from semidirect.expressions import component_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_filtered"]

MOST = 12
"""Components that are drawn if none are chosen."""


def plot_filtered(result: Any, quantities: Sequence[str] | None, *, smoothed: bool | None, ax: Sequence[Axes] | None,
                  figure: Any = None) -> tuple[Axes, ...]:  # fmt: skip
    """Medians with bands, data with outliers, one below the other, see :meth:`.Filtered.plot`."""
    from matplotlib import pyplot as plt

    data = result.data
    reported = [str(k).removesuffix("_quantile") for k in data.data_vars if str(k).endswith("_quantile")]
    own = [name for name in reported if not name.startswith("smoothed_")]
    # smoothed estimates are drawn where there are any: they know more
    back = any(name.startswith("smoothed_") for name in reported) if smoothed is None else smoothed
    names = own if quantities is None else arguments.validated_names("quantities", quantities, least=1)
    for name in names:
        if name not in own:
            raise errors.UnknownNameError("quantity that the filter reported", name, own)
        if back and f"smoothed_{name}" not in reported:
            raise errors.InputError("smoothed estimates", expected="a filter with smooth=True or lag=", got="none")
    rows = [row for name in names for row in _components(data, f"smoothed_{name}" if back else name, name)]
    if not rows:
        raise errors.InputError("quantities to draw", expected="one that the filter reported", got="none",
                                hint="Give quantities= to the filter.")  # fmt: skip
    # by default a page, not every quantity that was reported
    rows = rows if quantities is not None else rows[:MOST]
    if ax is None:
        size = 7, 1.1 + 1.6 * len(rows)
        figure = plt.figure(figsize=size, layout="constrained") if figure is None else figure
        ax = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    panels: tuple[Axes, ...] = tuple(np.ravel(np.asarray(ax, dtype=object)))
    if len(panels) != len(rows):
        raise errors.InputError("ax", expected=f"{len(rows)} axes, one for each component", got=f"{len(panels)}")
    observed = [str(x) for x in data["observed"].values] if "observed" in data.coords else []
    outliers = result.innovations.outliers if observed else None
    for one, (label, quantiles) in zip(panels, rows, strict=True):
        _band(one, result.times, quantiles, data["quantile"].values)
        # data that are observed directly are drawn over their estimate, outliers apart
        if label in observed:
            k = observed.index(label)
            values = data["observed_data"].values[:, k]
            far = outliers[:, k] if outliers is not None else np.zeros(len(values), dtype=bool)
            one.plot(result.times[~far], values[~far], ".", color="0.35", markersize=3, label="data")
            if far.any():
                one.plot(result.times[far], values[far], "x", color="C3", markersize=6, label="outliers")
        one.set_ylabel(label)
        one.grid(alpha=0.25)
    panels[0].legend(loc="best", fontsize="small", frameon=False)
    clock = data["time"].attrs.get("clock", "")
    panels[-1].set_xlabel(f"time [s] since {clock}" if clock else "time [s]")
    return panels


def _components(data: Any, name: str, label: str) -> list[tuple[str, np.ndarray]]:
    """The components of a quantity: label and quantiles ``(T, levels)``."""
    values = data[f"{name}_quantile"].values
    if values.ndim == 2:
        return [(label, values)]
    flat = values.reshape(*values.shape[:2], -1)
    return list(zip(component_names.component_names(label, flat.shape[2]), np.moveaxis(flat, 2, 0), strict=True))


def _band(ax: Any, times: np.ndarray, quantiles: np.ndarray, levels: np.ndarray) -> None:
    """Bands between the levels on both sides of the median, and the level that is nearest to it as a line."""
    order = np.argsort(levels)
    low, high = order[0], order[-1]
    for a, b in zip(order, order[::-1], strict=True):
        if levels[a] < levels[b]:
            ax.fill_between(times, quantiles[:, a], quantiles[:, b], color="C0", alpha=0.25, linewidth=0,
                            label=f"{levels[b] - levels[a]:.0%}" if (a, b) == (low, high) else None)  # fmt: skip
    middle = int(np.argmin(np.abs(levels - 0.5)))
    ax.plot(times, quantiles[:, middle], color="C0", linewidth=1.2, label="median" if levels[middle] == 0.5 else None)
