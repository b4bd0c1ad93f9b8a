"""The scale on which values have short ticks: a subtracted value and a power of ten."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

NARROW = 3e-4
"""A change below this, relative to the size of the values, is drawn as a change: ticks would need five figures and more."""


@final
@dataclass(frozen=True)
class Scale:
    """Values as (value − origin)/10^power."""

    origin: float
    power: int

    @classmethod
    def of(cls, low: float, high: float, start: float) -> Scale:
        """The scale on which values between low and high have short ticks; they begin at ``start``."""
        narrow = 0 < high - low < NARROW * max(abs(low), abs(high))
        origin = start if narrow else 0.0
        size = max(abs(low - origin), abs(high - origin))
        power = 3 * math.floor(math.log10(size) / 3) if size > 0 and not 1e-2 <= size < 1e4 else 0
        return cls(origin, power)

    def text(self, values: Sequence[float]) -> list[str]:
        """Texts of ticks, with as many decimals as tell them apart."""
        scaled = (np.asarray(values, dtype=float) - self.origin) / 10.0**self.power
        digits = next(
            (d for d in range(13) if np.allclose(np.round(scaled, d), scaled, rtol=0, atol=_apart(scaled))), 13
        )
        return [f"{x + 0.0:.{digits}f}".replace("-", "\N{MINUS SIGN}") for x in np.round(scaled, digits)]


def _apart(values: np.ndarray) -> float:
    """How much of the least distance of ticks a rounding may take."""
    distance = np.min(np.diff(np.sort(values)), initial=np.inf)
    return 1e-3 * distance if 0 < distance < np.inf else 1e-9
