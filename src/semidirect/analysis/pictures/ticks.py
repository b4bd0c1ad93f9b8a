"""Locator and formatter of an axis with a scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from matplotlib.ticker import Formatter, MaxNLocator

from semidirect.analysis.pictures.scale import Scale


@final
class Places(MaxNLocator):
    """Ticks where the values on the scale are round."""

    def __init__(self, scale: Scale):
        super().__init__(nbins=6, steps=[1, 2, 2.5, 5, 10])
        self.scale = scale

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Places of the ticks."""
        origin = self.scale.origin
        return np.asarray(super().tick_values(vmin - origin, vmax - origin)) + origin


@final
class Texts(Formatter):
    """Ticks as numbers on the scale."""

    def __init__(self, scale: Scale):
        self.scale = scale

    def __call__(self, x: float, pos: int | None = None) -> str:
        """The text of one tick."""
        return self.scale.text([x])[0]

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """The texts of all ticks, with equal decimals."""
        return self.scale.text(values)
