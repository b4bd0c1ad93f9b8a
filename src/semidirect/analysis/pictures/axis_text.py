"""Axes without offset notation: powers of ten and the subtracted value are part of the label of the axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semidirect.analysis.pictures.labels import axis_label, short, symbol, unit_text
from semidirect.analysis.pictures.scale import Scale
from semidirect.expressions import UnitLabel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

FLAT = 1e-10
"""A change below this, relative to the size of the values, is drawn as constant: it is rounding."""


def label_values(axis: Axis, name: str, unit: str, *, start: float, component: int | None = None,
                 absolute: bool = False) -> str:  # fmt: skip
    """Name the values on an axis and set its ticks; returns a note for the reader, or "".

    A change at the level of round-off is drawn as constant. ``absolute``: values are never drawn as changes.
    """
    low, high = axis.get_data_interval()
    size = max(abs(low), abs(high))
    if not (np.isfinite(size) and np.isfinite(start)):
        axis.set_label_text(axis_label(name, unit, component))
        return ""
    if absolute:
        scale = Scale(0.0, Scale.of(0.0, size, 0.0).power)
        set_scale(axis, scale)
        axis.set_label_text(axis_label(name, scaled_unit(unit, scale.power), component))
        return ""
    if high - low < FLAT * size:
        axis.axes.set(**{f"{axis.axis_name}lim": ((low + high) / 2 - 0.05 * size, (low + high) / 2 + 0.05 * size)})  # type: ignore[attr-defined]
        set_scale(axis, Scale.of(low - 0.05 * size, high + 0.05 * size, start))
        axis.set_label_text(axis_label(name, unit, component))
        return f"constant to {short((high - low) / size)} of its size" if high > low else "constant"
    scale = Scale.of(low, high, start)
    set_scale(axis, scale)
    scaled = scaled_unit(unit, scale.power)
    if scale.origin == 0:
        axis.set_label_text(axis_label(name, scaled, component))
        return ""
    axis.set_label_text(f"change of {axis_label(name, scaled, component)}")
    return f"{symbol(name, component)} = {short(start, 5)} {unit_text(unit)}".rstrip() + " at the start"


def label_time(ax: Axes) -> None:
    """Name the times of the horizontal axis."""
    low, high = ax.xaxis.get_data_interval()
    scale = Scale.of(low, high, 0.0) if np.isfinite([low, high]).all() else Scale(0.0, 0)
    set_scale(ax.xaxis, Scale(0.0, scale.power))
    ax.set_xlabel(axis_label("t", scaled_unit("s", scale.power)))


def scaled_unit(unit: str, power: int) -> str:
    """A unit with a power of ten before it."""
    return f"$10^{{{power}}}$ {UnitLabel(unit).behind_a_number()}".rstrip() if power else unit


def plain_ticks(axis: Axis) -> None:
    """Ticks as plain numbers."""
    set_scale(axis, Scale(0.0, 0))


def set_scale(axis: Axis, scale: Scale) -> None:
    """Ticks at round values of the scale."""
    from semidirect.analysis.pictures.ticks import Places, Texts

    axis.set_major_locator(Places(scale))
    axis.set_major_formatter(Texts(scale))
