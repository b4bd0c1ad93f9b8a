"""Distances of points of a group: one for each part of the matrix that has its own distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from semidirect.groups.motions.rotations import rotation_angle

Distance = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Of points (..., N, N) and (..., N, N), to (...,)."""


@final
@dataclass(frozen=True, eq=False)
class PartialDistance:
    """The distance of two points of a group in one part of the matrix.

    Attributes
    ----------
    kind : {"angle", "distance"}
        Whether it is the angle of a rotation.
    unit : str
        ``rad``, ``m``, or nothing.
    block : slice
        Rows and columns of the square block from which it is computed.
    rows, columns : slice
        The places of the compared entries.
    of_blocks : callable
        Of blocks (..., k, k) and (..., k, k), to (...,).
    """

    kind: Literal["angle", "distance"]
    unit: str
    block: slice
    rows: slice
    columns: slice
    of_blocks: Distance

    def __call__(self, g: np.ndarray, h: np.ndarray) -> np.ndarray:
        """Of points (..., N, N) and (..., N, N), to (...,)."""
        return self.of_blocks(g[..., self.block, self.block], h[..., self.block, self.block])

    def shifted(self, row: int) -> PartialDistance:
        """The same distance in a group in which this one is the block that starts at a row."""
        block, rows, columns = (slice(s.start + row, s.stop + row) for s in (self.block, self.rows, self.columns))
        return PartialDistance(self.kind, self.unit, block, rows, columns, self.of_blocks)


def of_rotations(size: int, distance: Distance = rotation_angle) -> PartialDistance:
    """The angle between two rotations of the plane or of space, in closed form; the given norm of the angles if there are
    several.
    """
    whole = slice(0, size)
    return PartialDistance("angle", "rad", whole, whole, whole, rotation_angle if size <= 3 else distance)


def of_positions(size: int, unit: str) -> PartialDistance:
    """|x − y| of the positions in the last column of a matrix: together with an angle it makes the product metric."""

    def distance(g: np.ndarray, h: np.ndarray) -> np.ndarray:
        length: np.ndarray = np.linalg.norm(g[..., :-1, -1] - h[..., :-1, -1], axis=-1)
        return length

    return PartialDistance("distance", unit, slice(0, size), slice(0, size - 1), slice(size - 1, size), distance)


def of_elements(size: int, distance: Distance) -> PartialDistance:
    """The distance in a group as a whole."""
    whole = slice(0, size)
    return PartialDistance("distance", "", whole, whole, whole, distance)
