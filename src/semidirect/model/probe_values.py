"""Generic numbers, at which no quantities vanish or coincide by chance."""

from __future__ import annotations

from typing import Any, final

import numpy as np


@final
class GenericNumbers:
    """Numbers between ½ and 1½, the same in each process."""

    def __init__(self) -> None:
        self.count = 0

    def vector(self, n: int) -> np.ndarray:
        """The next n."""
        first, self.count = self.count, self.count + n
        return 0.5 + (np.arange(first + 1, self.count + 1) * 0.6180339887498949) % 1.0

    def array(self, shape: tuple[int, ...]) -> Any:
        """The next array; a square matrix is symmetric, as an inertia is."""
        values = self.vector(int(np.prod(shape))).reshape(shape)
        return 0.5 * (values + values.T) if len(shape) == 2 and shape[0] == shape[1] else values
