"""Configurations of an ensemble along their principal geodesics, a panel for each factor."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.analysis import pictures
from semidirect.core import errors

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from semidirect.geometry.factor_statistics import FactorStatistics

DOTS = 2000
"""The largest number of configurations that are drawn."""

PANEL = 4.2, 4.0
"""Width and height of a panel [in]."""


def plot_factors(factors: Sequence[FactorStatistics], words: str, ax: Any) -> tuple[Axes, ...]:
    """Draw each factor, on the given axes or those of a new figure, with the same words in each title."""
    panels = _panels(len(factors), ax)
    for target, factor in zip(panels, factors, strict=True):
        with pictures.style.styled(target):
            (_distribution if len(factor.covariance) == 1 else _plane)(target, factor)
            name = ", ".join(pictures.symbol(part) for part in factor.name.split(","))
            target.set_title(f"{name} in {factor.group.name}, {words}", fontsize=pictures.style.NOTE)
            pictures.style.dress(target)
            pictures.style.legend(target, loc="upper center", bbox_to_anchor=(0.5, -0.2))
    return panels


def _panels(count: int, ax: Any) -> tuple[Axes, ...]:
    """The given axes, or those of a new figure beside each other."""
    if ax is None:
        from matplotlib import pyplot

        columns = min(count, 3)
        rows = -(-count // columns)
        with pictures.style.styled():
            figure = pyplot.figure(figsize=(PANEL[0] * columns, PANEL[1] * rows), layout="constrained")
            figure.set_gid(pictures.style.OURS)
            return tuple(figure.add_subplot(rows, columns, i + 1) for i in range(count))
    panels = (ax,) if count == 1 and not isinstance(ax, tuple | list | np.ndarray) else ax
    if not isinstance(panels, tuple | list | np.ndarray) or len(panels) != count:
        raise errors.InputError(
            "ax", expected=f"axes for each factor of the configuration, {count} of them", got=reprlib.repr(ax)
        )
    return tuple(pictures.style.axes_or_new(one) for one in panels)


def _plane(ax: Axes, factor: FactorStatistics) -> None:
    """The plane of the first two principal geodesics; of positions in the plane, the plane."""
    flat = factor.mean.shape == (2,)
    basis = np.eye(2) if flat else factor.directions[:2]
    centre = factor.mean if flat else np.zeros(2)
    points = centre + factor.coordinates[:DOTS] @ basis.T
    legend = f"{len(points)} of the paths" if len(points) < len(factor.coordinates) else "paths"
    # enough ink for few paths, and not too much for many
    size, alpha = (5, 0.6) if len(points) < 300 else (3, 0.35)
    ax.plot(
        *points.T, **{**pictures.style.dots(pictures.style.BLACK), "markersize": size, "alpha": alpha}, label=legend
    )
    middle = basis @ factor.covariance @ basis.T
    values, axes = np.linalg.eigh(middle)
    turn = np.linspace(0, 2 * np.pi, 181)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    for k, width in ((1, 1.8), (2, 1.0)):
        x, y = centre[:, None] + k * axes @ (np.sqrt(np.maximum(values, 0.0))[:, None] * circle)
        words = "1 and 2 standard deviations" if k == 1 else ""
        ax.plot(x, y, color=pictures.style.BLUE, linewidth=width, label=words, zorder=4)
    for i, (direction, deviation) in enumerate(zip(factor.directions[:2] @ basis.T, factor.deviations, strict=False)):
        ends = centre + 2 * deviation * np.array([-1, 1])[:, None] * direction
        label = f"{'first' if i == 0 else 'second'} principal geodesic"
        ax.plot(*ends.T, color=pictures.style.COLOURS[1 + i], linewidth=1.6, label=label, zorder=5)
    ax.plot(*centre, **{**pictures.style.START, "markersize": 3.5})
    unit = f" [{factor.unit}]" if factor.unit else ""
    if flat:
        first, second = factor.name.split(",") if "," in factor.name else (f"{factor.name}1", f"{factor.name}2")
        ax.set(xlabel=f"{pictures.symbol(first)}{unit}", ylabel=f"{pictures.symbol(second)}{unit}")
    else:
        ax.set(xlabel=f"along {_vector(basis[0])}{unit}", ylabel=f"along {_vector(basis[1])}{unit}")
    reach = np.maximum(np.abs(points - centre).max(axis=0), 2 * np.sqrt(np.diag(middle)))
    across, up = 1.08 * np.maximum(reach, 0.6 * reach.max()) if reach.any() else (1.0, 1.0)
    ax.set(xlim=centre[0] + np.array([-across, across]), ylim=centre[1] + np.array([-up, up]), aspect="equal")


def _distribution(ax: Axes, factor: FactorStatistics) -> None:
    """The distribution of an angle or a position about its mean."""
    values, unit = factor.coordinates[:, 0], f" [{factor.unit}]" if factor.unit else ""
    counts, edges = np.histogram(values, bins="auto")
    density = counts / (len(values) * np.diff(edges))
    ax.stairs(density, edges, color=pictures.style.BLUE, linewidth=1.8, label="paths", zorder=3)
    ax.stairs(density, edges, color=pictures.style.BLUE, fill=True, alpha=0.18, linewidth=0, zorder=2)
    ax.axvline(0, color=pictures.style.RED, linewidth=1.6, label="mean", zorder=4)
    ax.axvspan(-factor.spread, factor.spread, label="one standard deviation", **pictures.style.band(pictures.style.RED))
    ax.set(
        xlabel=f"{pictures.symbol(factor.name)} from its mean{unit}", ylabel=f"density{unit and f' [1/{factor.unit}]'}"
    )
    ax.set_ylim(0, None)


def _vector(direction: np.ndarray) -> str:
    numbers = ", ".join(f"{x:.2f}".replace("-0.00", "0.00").replace("-", "−") for x in direction)
    return f"({numbers})"
