"""Curves of two quantities: trajectories in the plane and in a phase plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.axis_text import label_values
from semidirect.analysis.pictures.drawn_paths import DrawnPaths
from semidirect.analysis.pictures.drawn_quantity import DrawnQuantity, mean_of, refuse_one_time, thinned
from semidirect.core import errors, explains_calls
from semidirect.results import RunData, RunLike, a_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plane_position", "plot_phase", "plot_plane"]


@explains_calls
def plane_position(run: RunLike, quantity: str | None = None) -> np.ndarray | None:
    """Where the system is in the plane [m], ``(paths, T, 2)``: a position of two or three components, or ``x`` and ``y``.

    Parameters
    ----------
    quantity : str, optional
        Name of the position; default ``x``, with ``y`` if they are separate.

    Returns
    -------
    array or None
        ``None`` if the run holds no such thing.
    """
    name = "x" if quantity is None else quantity
    run = a_run(run)
    if name not in run:
        return None
    values = run[name]
    if values.ndim == 3:
        return values[..., :2] if values.shape[-1] in (2, 3) else None
    if quantity is None and "y" in run and run["y"].ndim == 2:
        return np.stack([values, run["y"]], axis=-1)
    return None


@explains_calls
def plot_plane(
    run: RunLike, quantity: str | None = None, *, realisations: int | None = None, deterministic: RunLike | None = None,
    label: str | None = None, color: str | None = None, ax: Axes | None = None,
) -> Axes:  # fmt: skip
    """Draw trajectories in the plane, with equal scales.

    Up to 30 paths are all drawn, with their mean; of more, five, their mean, and a dot where each ends. The larger dot is the
    start.

    Parameters
    ----------
    quantity : str, optional
        Name of the position, a vector of two or three components; default ``x``, or ``x`` and ``y``.
    realisations, label, color
        As in :func:`~semidirect.analysis.pictures.time_series.plot`.
    deterministic : Run, optional
        The run without noise, drawn in red.
    ax : Axes, optional
        Where to draw; default the axes of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If the run holds no such position, or one time only.
    """
    run, deterministic = a_run(run), None if deterministic is None else a_run(deterministic)
    refuse_one_time(run)
    position = _position(run, quantity)
    exact = None if deterministic is None else np.moveaxis(_position(deterministic, quantity), -1, 0)
    paths = DrawnPaths.of(run, realisations, label)
    # arguments are checked before a figure is made, so that no empty one stays open
    color = style.validated_colour(color)
    target = style.axes_or_new(ax, (4.5, 4.5))
    with style.styled(target):
        _draw(target, paths, position[..., 0], position[..., 1], color, exact)
        target.set_aspect("equal", adjustable="datalim")
        for axis, name, i in ((target.xaxis, "x", 0), (target.yaxis, "y", 1)):
            label_values(axis, name, "m", start=float(position[0, 0, i]), absolute=True)
        style.legend(target)
        return style.dress(target)


@explains_calls
def plot_phase(
    run: RunLike, x: str, y: str, *, realisations: int | None = None, deterministic: RunLike | None = None,
    label: str | None = None, color: str | None = None, ax: Axes | None = None,
) -> Axes:  # fmt: skip
    """Draw one quantity against another: ``run.plot.phase("Omega[0]", "Omega[2]")``.

    Up to 30 paths are all drawn, with their mean; of more, five, their mean, and a dot where each ends. The larger dot is the
    start.

    Parameters
    ----------
    x, y : str
        Scalars of the run, or components of vectors, which count from 0.
    realisations, deterministic, label, color, ax
        As in :func:`plot_plane`.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownNameError
        For a quantity that the run does not hold.
    InputError
        For a vector, or if the run holds one time only.
    """
    run, deterministic = a_run(run), None if deterministic is None else a_run(deterministic)
    refuse_one_time(run)
    both = [DrawnQuantity.of(run, text) for text in (x, y)]
    xs, ys = (q.scalar() for q in both)
    exact = None if deterministic is None else np.stack([DrawnQuantity.of(deterministic, t).scalar() for t in (x, y)])
    paths = DrawnPaths.of(run, realisations, label)
    # arguments are checked before a figure is made, so that no empty one stays open
    color = style.validated_colour(color)
    target = style.axes_or_new(ax, (4.5, 4.0))
    with style.styled(target):
        _draw(target, paths, xs, ys, color, exact)
        notes = [
            label_values(axis, q.name, q.unit, start=float(values[0, 0]), component=q.component)
            for axis, q, values in zip((target.xaxis, target.yaxis), both, (xs, ys), strict=True)
        ]
        style.note(target, ", ".join(n for n in notes if n))
        style.legend(target)
        return style.dress(target)


def _position(run: RunData, quantity: str | None) -> np.ndarray:
    position = plane_position(run, quantity)
    if position is None:
        name = "x" if quantity is None else quantity
        raise errors.InputError(
            f"no position in the plane called {name!r}", expected="a quantity of two or three components, or x and y",
            got=f"a run of {', '.join(run)}",
        )  # fmt: skip
    return position


def _draw(ax: Axes, paths: DrawnPaths, xs: np.ndarray, ys: np.ndarray, color: str | None,
          exact: np.ndarray | None) -> None:  # fmt: skip
    at = thinned(xs.shape[1])
    colour, path_numbers, ends, good = paths.colour(ax, color), paths.singles, paths.ends, paths.good
    if len(path_numbers):
        lines = xs[path_numbers][:, at].T, ys[path_numbers][:, at].T
        ax.plot(lines[0][:, 0], lines[1][:, 0], label=paths.words, **style.REALISATION)
        ax.plot(lines[0][:, 1:], lines[1][:, 1:], **style.REALISATION)
    if len(ends):
        ax.plot(xs[ends, -1], ys[ends, -1], label=paths.words_of_ends, **style.dots(colour))
    if len(good):
        means = mean_of(xs[good][:, at]), mean_of(ys[good][:, at])
        ax.plot(*means, label=paths.words_of_mean("mean"), **{**style.MEAN, "color": colour})
    if exact is not None:
        ax.plot(*exact[:, 0, thinned(exact.shape[-1])], label="without noise", **style.DETERMINISTIC)
    ax.plot(xs[0, 0], ys[0, 0], **style.START)
