"""The style of every figure: Matplotlib's own fonts, colours that colour-blind people can distinguish, and settings."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from semidirect.core import arguments, errors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLACK, BLUE, RED, GREY = "#1a1a1a", "#1746c8", "#d3122b", "#6b6b6b"
COLOURS = (BLUE, RED, "#e69f00", "#56b4e9", BLACK, "#cc79a7")
"""Colours of the curves in one picture; people with any colour vision can distinguish any two."""

FONT = "STIXGeneral"
SIZE, NOTE = 12.0, 10.5
"""Size of the text [pt], in figures some five inches wide: they are readable at half their size. Notes are smaller."""
_SETTINGS: Any = {
    "font.size": SIZE,
    "axes.titlesize": SIZE,
    "axes.labelsize": SIZE + 1,
    "axes.unicode_minus": True,
    "legend.fontsize": NOTE,
    "pdf.fonttype": 42,
}
_FONTS: Any = {"font.family": FONT, "mathtext.fontset": "stix"}

#: how lines are drawn
REALISATION: dict[str, Any] = {
    "color": BLACK,
    "linewidth": 0.6,
    "linestyle": (0, (3.2, 1.6)),
    "alpha": 0.7,
    "zorder": 2,
}
MEAN: dict[str, Any] = {"color": BLUE, "linewidth": 1.8, "zorder": 4}
DETERMINISTIC: dict[str, Any] = {"color": RED, "linewidth": 1.8, "zorder": 3}
START: dict[str, Any] = {"color": BLACK, "marker": "o", "markersize": 5, "linestyle": "none", "zorder": 6}
MOMENT: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": (0, (1.0, 1.5)), "zorder": 1}
TICKS: dict[str, Any] = {
    "color": GREY,
    "marker": "|",
    "markersize": 7,
    "markeredgewidth": 0.8,
    "linestyle": "none",
    "linewidth": 0,
    "clip_on": False,
    "zorder": 3,
}
OWN_DETERMINISTIC: dict[str, Any] = {"color": RED, "linewidth": 1.5, "linestyle": (0, (1.0, 1.3)), "zorder": 5}


@contextmanager
def styled(ax: Axes | None = None) -> Iterator[None]:
    """Matplotlib's settings while a figure is drawn or written; given axes in a figure of the caller keep its fonts."""
    import matplotlib

    with matplotlib.rc_context(_SETTINGS | (_FONTS if ax is None or _is_ours(ax) else {})):
        yield


def _is_ours(ax: Axes) -> bool:
    return bool(ax.figure.figure.get_gid() == OURS)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure [in] with constrained layout, not known to pyplot; call it inside :func:`styled`."""
    from matplotlib.figure import Figure

    figure = Figure((width, height), dpi=200, layout="constrained")
    figure.set_gid(OURS)
    return figure


def axes_or_new(ax: Axes | None, size: tuple[float, float] = (5.0, 3.5)) -> Axes:
    """The given axes, or those of a new pyplot figure, which a notebook and ``pyplot.show()`` show.

    Raises
    ------
    InputError
        For anything that is not Matplotlib's axes, and for polar or three-dimensional ones.
    """
    if ax is not None:
        from matplotlib.axes import Axes

        expected = "plane axes of Matplotlib, such as figure.add_subplot()"
        if arguments.validated_instance("ax", ax, Axes, expected=expected).name in ("3d", "polar"):
            raise errors.InputError("ax", expected=expected, got=f"{ax.name} axes")
        return ax
    return new_axes(1, size)[0]


def new_axes(count: int, size: tuple[float, float] = (5.0, 3.5)) -> list[Axes]:
    """Axes below each other in a new figure of pyplot."""
    from matplotlib import pyplot

    with styled():
        figure = pyplot.figure(figsize=(size[0], size[1] * (1 if count == 1 else 0.75 * count)), layout="constrained")
        figure.set_gid(OURS)
        return [figure.add_subplot(count, 1, i + 1) for i in range(count)]


def dress(ax: Axes) -> Axes:
    """Open frame, a faint grid, ticks in the figure's font and size."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GREY)
    ax.grid(True, color="#e6e6e6", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(color=GREY, length=3)
    if _is_ours(ax):
        ax.tick_params(labelfontfamily=FONT, labelsize=SIZE - 1)
    return ax


def legend(ax: Axes, **where: Any) -> None:
    """A legend of labelled artists on an opaque background; none for a single one."""
    handles, labels = ax.get_legend_handles_labels()
    distinct = dict(zip(labels, handles, strict=True))  # drawn twice, named once
    if len(distinct) > 1:
        dots = any(line.get_marker() == "." for line in ax.lines)
        ax.legend(distinct.values(), distinct.keys(), edgecolor="none", framealpha=0.85, borderpad=0.3, handlelength=1.6,
                  markerscale=2.0 if dots else 1.0, ncols=-(-len(distinct) // 5), columnspacing=1.0, **where)  # fmt: skip


def band(colour: str) -> dict[str, Any]:
    """The look of a band of this colour."""
    return {"color": colour, "alpha": 0.18, "linewidth": 0, "zorder": 1}


def dots(colour: str) -> dict[str, Any]:
    """The look of the ends of many paths."""
    return {"color": colour, "marker": ".", "markersize": 3, "markeredgewidth": 0, "alpha": 0.4, "linestyle": "none",
            "linewidth": 0, "zorder": 1.5}  # fmt: skip


def deterministic(several: bool) -> dict[str, Any]:
    """The style of the run without noise; dotted black if colours distinguish components."""
    return {**DETERMINISTIC, "color": BLACK, "linestyle": (0, (1.0, 1.3))} if several else DETERMINISTIC


def validated_colour(value: Any) -> str | None:
    """A colour of Matplotlib as its digits, or ``None``; anything else is an :class:`InputError`."""
    from matplotlib.colors import to_hex

    try:
        return None if value is None else str(to_hex(value))
    except (TypeError, ValueError):
        expected = "a colour of Matplotlib, such as 'black' or '#1746c8'"
        raise errors.InputError("color", expected=expected, got=reprlib.repr(value)) from None


def next_colour(ax: Axes) -> str:
    """The first colour of :data:`COLOURS` that no line of the axes has, or after all of them the first."""
    from matplotlib.colors import to_hex

    colours = {to_hex(line.get_color()) for line in ax.lines if line.get_linewidth() > REALISATION["linewidth"]}
    colours |= {to_hex(patch.get_edgecolor()) for patch in ax.patches}
    return next((c for c in COLOURS if c not in colours), COLOURS[len(ax.lines) % len(COLOURS)])


def note(ax: Axes, text: str) -> None:
    """A line in grey above the right end of the axes, instead of the one before; none for ""."""
    for old in [a for a in ax.texts if a.get_gid() == _NOTE]:
        old.remove()
    if not text:
        return
    ax.annotate(
        text, (1, 1), xytext=(0, 3), xycoords="axes fraction", textcoords="offset points", ha="right", va="bottom",
        fontsize=NOTE, color=GREY, gid=_NOTE,
    )  # fmt: skip


_NOTE = "semidirect-note"
OURS = "semidirect-figure"
