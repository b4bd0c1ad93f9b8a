"""A run as one figure of several panels."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from semidirect.analysis.pictures import style
from semidirect.analysis.pictures.curves import plane_position, plot_plane
from semidirect.analysis.pictures.drawn_quantity import refuse_one_time
from semidirect.analysis.pictures.labels import plain
from semidirect.analysis.pictures.time_series import default_quantities, plot
from semidirect.core import arguments, errors, explains_calls
from semidirect.results import RunData, RunLike, a_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Panel", "draw_panels", "plot_run"]

Panel = Callable[["Axes"], object]
"""Functions that draw on axes."""


@explains_calls
def plot_run(run: RunLike, quantities: Sequence[str] | None = None) -> Figure:
    """Draw a run: one panel for each quantity, and one for the position in the plane.

    Parameters
    ----------
    quantities : sequence of str, optional
        The quantities to draw; default the scalar observables of the run, or its state variables if there are none, and the
        plane.

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
    run = a_run(run)
    names = (
        default_quantities(run) if quantities is None else arguments.validated_names("quantities to draw", quantities)
    )
    if quantities is None:
        refuse_one_time(run)
    if not names:
        raise errors.InputError("quantities to draw", expected=f"some of {', '.join(run)}", got="none")
    panels: list[Panel] = [lambda ax, name=name: plot(run, name, ax=ax) for name in names]  # type: ignore[misc]
    if quantities is None and plane_position(run) is not None:
        panels.append(lambda ax: plot_plane(run, ax=ax))
    return draw_panels(run, panels)


@explains_calls
def draw_panels(run: RunLike, panels: Sequence[Panel]) -> Figure:
    """One figure of panels, with a common legend below them if they agree, and a title that names the run."""
    run = a_run(run)
    panels = arguments.validated_sequence("panels", panels, of="functions that draw on axes")
    if not panels or not all(map(callable, panels)):
        raise errors.InputError(
            "panels", expected="functions that draw on axes, at least one", got=reprlib.repr(panels)
        )
    count = len(panels)
    columns = 2 if count in (2, 4) else min(3, count)
    rows = -(-count // columns)
    with style.styled():
        figure = style.new_figure(max(5.0, 3.8 * columns), 3.0 * rows + 0.8)
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for ax, panel in zip(axes, panels, strict=False):
            panel(ax)
        for ax in axes[count:]:
            ax.remove()
        if count > 1:
            _one_legend(figure, axes[:count].tolist())
        figure.suptitle(_title(run), fontsize=style.SIZE)
    return figure


def _one_legend(figure: Figure, axes: Sequence[Axes]) -> None:
    """Take the legends that say the same as others out of the panels, and put one below them."""
    labels = [frozenset(t.get_text() for t in legend.get_texts()) for ax in axes if (legend := ax.get_legend())]
    common = max(set(labels), key=labels.count, default=frozenset())
    if labels.count(common) < 2:
        return
    first = None
    for ax in axes:
        legend = ax.get_legend()
        if legend and frozenset(t.get_text() for t in legend.get_texts()) <= common | {"ends of paths"}:
            first = first or ax.get_legend_handles_labels()
            legend.remove()
    if first is not None:
        distinct = dict(zip(first[1], first[0], strict=True))
        figure.legend(
            distinct.values(), distinct.keys(), loc="outside lower center", ncols=len(distinct), frameon=False
        )


def _title(run: RunData) -> str:
    kind = str(run.config.get("system", "")).rpartition(":")[2]
    failed = np.count_nonzero(~run.good)
    count = f"{run.paths} path{'s' * (run.paths != 1)}" + f", {failed} failed and not shown" * bool(failed)
    parts = [plain(kind), plain(str(run.config.get("method", ""))), count]
    return " · ".join(p for p in parts if p)
