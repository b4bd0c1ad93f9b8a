"""Pictures of runs: quantities against time, and paths in the plane."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.analysis import style
from semidirect.analysis.labels import axis_label
from semidirect.core.arguments import validated_instance, validated_names, validated_whole
from semidirect.core.errors import InputError
from semidirect.ensemble.run import a_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from semidirect.ensemble.run import RunData

__all__ = ["mean", "plane_position", "plot_plane", "plot_run", "plot_time_series"]

#: more realisations than this are not drawn one by one; the mean is over all of them
REALISATIONS = 40
#: points of a line; more cannot be seen
POINTS = 1000
#: a quantity that changes by less than this, relative to its size, is drawn as a constant
FLAT = 1e-10


def mean(run: RunData, quantity: str) -> np.ndarray:
    """Mean of a quantity over the good paths, ``(T, …)``."""
    values: np.ndarray = a_run(run)[quantity][run.good]
    if len(values) == 0:
        raise InputError(f"the mean of {quantity!r}", expected="a path that did not fail", got="none")
    return values.mean(axis=0)


def plane_position(run: RunData, quantity: str | None = None) -> np.ndarray | None:
    """Where the system is in the plane [m], ``(paths, T, 2)``: a position of two or three components, or ``x`` and ``y``.

    Parameters
    ----------
    quantity : str, optional
        Name of the position; default ``x``, with ``y`` where the two are apart.

    Returns
    -------
    array or None
        ``None`` if the run holds no such thing.
    """
    name = "x" if quantity is None else quantity
    if name not in a_run(run):
        return None
    values = run[name]
    if values.ndim == 3:
        return values[..., :2] if values.shape[-1] in (2, 3) else None
    if quantity is None and "y" in run and run["y"].ndim == 2:
        return np.stack([values, run["y"]], axis=-1)
    return None


def plot_time_series(
    run: RunData,
    quantity: str,
    *,
    component: int | None = None,
    deterministic: RunData | None = None,
    label: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a quantity against time: realisations dashed, their mean blue, the run without noise red.

    Paths that failed are left out. At most 40 realisations are drawn, and at most 1000 points of each line; a relative
    change below 1e-10 is drawn as none.

    Parameters
    ----------
    component : int, optional
        Which component of a vector, from 0.
    deterministic : Run, optional
        The run without noise.
    label : str, optional
        Label of the axis; default the name and unit.
    ax : Axes, optional
        Where to draw; default the axes of a figure of their own.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If the run holds one time only, or the quantity is a vector and no component of it is chosen.
    """
    _needs_times(run)
    ax = style.axes_or_new(ax)
    if label is not None:
        validated_instance("label", label, str, expected="text")
    with style.styled():
        realisations = _component(run, quantity, component)
        _draw(ax, run, [np.broadcast_to(run.times, realisations.shape), realisations])
        if deterministic is not None:
            path = _component(a_run(deterministic), quantity, component)[0]
            ax.plot(*_thinned(deterministic.times, path), **style.DETERMINISTIC)
        _flat(ax)
        ax.set_xlabel(axis_label("t", "s"))
        ax.set_ylabel(axis_label(quantity, run.units.get(quantity, ""), component) if label is None else label)
        return style.dress(ax)


def plot_plane(
    run: RunData, quantity: str | None = None, *, deterministic: RunData | None = None, ax: Axes | None = None
) -> Axes:
    """Draw trajectories in the plane: realisations dashed, their mean blue, the run without noise red, a dot at the start.

    Parameters
    ----------
    quantity : str, optional
        Name of the position, see :func:`plane_position`.
    deterministic : Run, optional
        The run without noise.
    ax : Axes, optional
        Where to draw; default the axes of a figure of their own.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If the run holds no position, or one time only.
    """
    _needs_times(run)
    position = _position(run, quantity)
    ax = style.axes_or_new(ax)
    with style.styled():
        _draw(ax, run, [position[..., 0], position[..., 1]], width=1.2)
        if deterministic is not None:
            ax.plot(
                *_thinned(*_position(a_run(deterministic), quantity)[0].T), **{**style.DETERMINISTIC, "linewidth": 1.2}
            )
        ax.plot(*position[0, 0], marker="o", markersize=4, color=style.BLACK, zorder=6)
        ax.set_aspect("equal", adjustable="datalim")
        ax.set_xlabel(axis_label("x", "m"))
        ax.set_ylabel(axis_label("y", "m"))
        return style.dress(ax)


def plot_run(run: RunData, quantities: Sequence[str] | None = None) -> Figure:
    """Draw a run: one panel for each quantity, or component of one, and one for the position in the plane.

    Parameters
    ----------
    quantities : sequence of str, optional
        What to draw; default the scalar observables of the run, or its state variables where there are none.

    Returns
    -------
    matplotlib.figure.Figure
        Not known to pyplot; write it with ``savefig``.

    Raises
    ------
    UnknownNameError
        For a quantity that the run does not hold.
    InputError
        If it holds one time only.
    """
    _needs_times(run)
    names = _default_quantities(run) if quantities is None else validated_names("quantities to draw", quantities)
    if not names:
        raise InputError("quantities to draw", expected=f"some of {', '.join(run)}", got="none")
    panels = [(q, c) for q in names for c in _components(run, q)]
    plane = plane_position(run) is not None and quantities is None
    count = len(panels) + plane
    columns = 2 if count in (2, 4) else min(3, count)
    rows = -(-count // columns)
    with style.styled():
        figure = style.new_figure(max(5.0, 3.4 * columns), 2.6 * rows + 0.7)
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for ax, (quantity, component) in zip(axes, panels, strict=False):
            plot_time_series(run, quantity, component=component, ax=ax)
        if plane:
            plot_plane(run, ax=axes[len(panels)])
        for ax in axes[count:]:
            ax.remove()
        figure.suptitle(_title(run), fontsize=12)
    return figure


def _needs_times(run: RunData) -> None:
    if len(a_run(run).times) < 2:
        raise InputError(
            "the run cannot be drawn", expected="several times", got=f"{len(run.times)}", hint="Run it with save='all'."
        )


def _position(run: RunData, quantity: str | None) -> np.ndarray:
    position = plane_position(run, quantity)
    if position is None:
        name = "x" if quantity is None else quantity
        raise InputError(f"no position in the plane called {name!r}", got=f"a run of {', '.join(run)}")
    return position


def _default_quantities(run: RunData) -> list[str]:
    observables = [q for q in run.config.get("observables", ()) if q in run and run[q].ndim == 2]
    return observables or [v for v in run.config.get("variables", ()) if v in run] or list(run)


def _components(run: RunData, quantity: str) -> list[int | None]:
    values = run[quantity]
    return [None] if values.ndim == 2 else list(range(values.shape[-1]))


def _component(run: RunData, quantity: str, component: int | None) -> np.ndarray:
    values: np.ndarray = run[quantity]
    if values.ndim == 2:
        if component is not None:
            validated_whole(f"component of {quantity!r}", component, least=0)
        return values
    whole = isinstance(component, (int, np.integer)) and not isinstance(component, bool)
    if not whole or not 0 <= component < values.shape[-1]:  # type: ignore[operator]
        raise InputError(
            f"{quantity!r} is a vector",
            expected=f"a component from 0 to {values.shape[-1] - 1}",
            got=reprlib.repr(component),
        )
    return values[..., component]


def _draw(ax: Axes, run: RunData, xy: Sequence[np.ndarray], width: float = 1.6) -> None:
    good = [v[run.good] for v in xy]
    if run.paths == 1:
        look = style.DETERMINISTIC if _without_noise(run) else style.MEAN
        ax.plot(*_thinned(*(v.T for v in good)), **{**look, "linewidth": width})
    elif run.good.any():
        ax.plot(*_thinned(*(v[:REALISATIONS].T for v in good)), **style.REALISATION)
        ax.plot(*_thinned(*(v.mean(axis=0) for v in good)), **{**style.MEAN, "linewidth": width})


def _flat(ax: Axes) -> None:
    """Show a change by round-off only as none."""
    low, high = ax.dataLim.intervaly
    size = max(abs(low), abs(high))
    if np.isfinite(size) and high - low < FLAT * size:
        ax.set_ylim((low + high) / 2 - 0.05 * size, (low + high) / 2 + 0.05 * size)


def _without_noise(run: RunData) -> bool:
    noise: Any = run.config.get("noise", {})
    return noise.get("kind") == "none" or noise.get("W") == 0


def _thinned(*arrays: np.ndarray) -> list[np.ndarray]:
    """Every so many points along the first axis, and the last."""
    n = len(arrays[0])
    keep = np.unique(np.rint(np.linspace(0, n - 1, min(n, POINTS))).astype(int))
    return [a[keep] for a in arrays]


def _title(run: RunData) -> str:
    kind = str(run.config.get("system", "")).rpartition(":")[2]
    failed = np.count_nonzero(~run.good)
    count = f"{run.paths} path{'s' * (run.paths != 1)}" + f", {failed} failed and not shown" * bool(failed)
    parts = [kind, str(run.config.get("method", "")), count]
    return " · ".join(p for p in parts if p)
