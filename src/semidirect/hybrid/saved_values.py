"""The values that the paths of a hybrid system have at the times to save."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np

MODE = "mode"
"""The name of the modes among the saved values."""


@final
class SavedValues:
    """The saved values of the paths of a chunk, which paths fill in at their own pace.

    Attributes
    ----------
    steps : int array (T,)
        The steps to save, ascending.
    data : dict name → array (n, T, d)
        The values, nan where a path has none, and the numbers of the modes.
    """

    def __init__(self, steps: np.ndarray, paths: int, sizes: Mapping[str, int]):
        self.steps = steps
        self.data = {name: np.full((paths, len(steps), d), np.nan) for name, d in sizes.items()}
        self.data[MODE] = np.zeros((paths, len(steps), 1), dtype=np.int8)

    def places(self, after: np.ndarray, to: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The steps to save that come after some steps ``(n,)``, up to others: positions among the n, and numbers of times."""
        first, last = (np.searchsorted(self.steps, x, side="right") for x in (after, to))
        count = np.maximum(last - first, 0)
        which = np.repeat(np.arange(len(count)), count)
        return which, np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count) + first[which]

    def put(self, which: np.ndarray, place: np.ndarray, mode: int, values: Mapping[str, np.ndarray]) -> None:
        """Set the mode and quantities ``(d, k)`` of paths at times."""
        self.data[MODE][which, place, 0] = mode
        for name, rows in values.items():
            self.data[name][which, place] = np.broadcast_to(rows, (len(rows), len(which))).T
