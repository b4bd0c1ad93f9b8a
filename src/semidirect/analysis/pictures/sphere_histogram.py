"""How often a vector of R³ points where, on a map of the sphere with equal areas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.drawn_quantity import DrawnQuantity
from semidirect.analysis.pictures.labels import symbol
from semidirect.analysis.pictures.sphere import directions_of
from semidirect.core import arguments, errors, explains_calls
from semidirect.results import RunLike, a_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_sphere_histogram"]


@explains_calls
def plot_sphere_histogram(
    run: RunLike, quantity: str = "Gamma", *, since: float | None = None, bins: int = 24, ax: Axes | None = None
) -> Axes:
    """Draw how often a vector of R³ points where: ``run.plot.sphere_histogram("M", since=50)``.

    The map has the azimuth about the third axis and the third component of the direction as axes, so cells of the same size
    have the same area on the sphere. All saved times from ``since`` on count, of all paths that did not fail. The colour is
    the density over that of directions without preference: its mean over the map is 1.

    Parameters
    ----------
    quantity : str
        A vector of three components, such as ``M``; if its size is not 1, its direction counts.
    since : float, optional
        Time [s] from which states count, such as the end of a transient; default all.
    bins : int
        Number of cells from pole to pole; there are twice as many around.
    ax : Axes, optional
        Where to draw; default the axes of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownNameError
        For a quantity that the run does not hold.
    InputError
        If it is not a vector of R³ or vanishes, for a time after the end, invalid bins, or if all paths failed.
    """
    bins = arguments.validated_whole("bins", bins, least=1, most=1000)
    run = a_run(run)
    begin = run.times[0] if since is None else arguments.validated_number("since", since)
    late = run.times >= begin
    if not late.any():
        raise errors.InputError("since", expected=f"at most {run.times[-1]:g} s", got=f"{begin:g}")
    directions = directions_of(run, quantity)[run.good][:, late].reshape(-1, 3)
    if not len(directions):
        raise errors.InputError(f"the histogram of {quantity!r}", expected="a path that did not fail", got="none")
    target = style.axes_or_new(ax, (5.4, 3.4))
    # by Archimedes, cells of equal azimuth and height have equal areas, so counts are densities
    x, y, z = directions.T
    counts, around, up = np.histogram2d(
        np.degrees(np.arctan2(y, x)), np.clip(z, -1, 1), bins=(2 * bins, bins), range=((-180, 180), (-1, 1))
    )
    with style.styled(target):
        mesh = target.pcolormesh(around, up, counts.T * counts.size / len(directions), cmap="viridis", vmin=0)
        name = DrawnQuantity.of(run, quantity).name
        target.set(xticks=range(-180, 181, 90), yticks=(-1, -0.5, 0, 0.5, 1))
        target.set_xlabel(f"azimuth about {symbol(name, 2)} [°]")
        target.set_ylabel(f"{symbol(name, 2)} / size")
        # the bar has axes of its own, which do not follow the style of the target
        bar = target.figure.colorbar(mesh, ax=target, label="density, 1 = uniform").ax
        bar.yaxis.label.set_fontsize(target.yaxis.label.get_fontsize())
        bar.tick_params(labelsize=target.yaxis.get_ticklabels()[0].get_fontsize())
    return target
