"""The look of every figure: fonts that come with Matplotlib, the paper's colours, and nothing of pyplot's global state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from semidirect.core.arguments import validated_instance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLACK, BLUE, RED, GREY = "#1a1a1a", "#1746c8", "#d3122b", "#6b6b6b"

FONT = "STIXGeneral"
_SETTINGS: Any = {
    "font.family": FONT,
    "mathtext.fontset": "stix",
    "font.size": 10.0,
    "axes.titlesize": 10.5,
    "axes.labelsize": 10.5,
    "axes.unicode_minus": True,
    "legend.fontsize": 9.5,
    "pdf.fonttype": 42,
}

#: how lines are drawn
REALISATION: dict[str, Any] = {
    "color": BLACK,
    "linewidth": 0.55,
    "linestyle": (0, (3.2, 1.6)),
    "alpha": 0.7,
    "zorder": 2,
}
MEAN: dict[str, Any] = {"color": BLUE, "linewidth": 1.6, "zorder": 4}
DETERMINISTIC: dict[str, Any] = {"color": RED, "linewidth": 1.6, "zorder": 3}
OWN_DETERMINISTIC: dict[str, Any] = {"color": RED, "linewidth": 1.5, "linestyle": (0, (1.0, 1.3)), "zorder": 5}


@contextmanager
def styled() -> Iterator[None]:
    """Matplotlib's settings while a figure is drawn or written."""
    import matplotlib

    with matplotlib.rc_context(_SETTINGS):
        yield


def new_figure(width: float, height: float) -> Figure:
    """An empty figure [in] with constrained layout; call it inside :func:`styled`."""
    from matplotlib.figure import Figure

    return Figure((width, height), dpi=200, layout="constrained")


def axes_or_new(ax: Axes | None) -> Axes:
    """The axes that were given, or those of a new figure.

    Raises
    ------
    InputError
        For anything that is not Matplotlib's axes.
    """
    if ax is not None:
        from matplotlib.axes import Axes

        return validated_instance("ax", ax, Axes, expected="axes of Matplotlib, such as figure.add_subplot()")
    with styled():
        axes: Axes = new_figure(5.0, 3.5).add_subplot()
    return axes


def dress(ax: Axes) -> Axes:
    """Open frame, a faint grid, ticks in the figure's font."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GREY)
    ax.grid(True, color="#e6e6e6", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(labelfontfamily=FONT, labelsize=9.5, color=GREY, length=3)
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_offset_text().set(fontfamily=FONT, fontsize=9.5)
    return ax
