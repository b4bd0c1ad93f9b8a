"""Rows of values at sites, and the same on lanes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import final

import numpy as np

from semidirect.lattices.site_kinds import SiteKinds


@final
class SiteRows:
    """Rows ``(count, paths)``, of each component at all sites of its kind one after another, and lanes ``(d, cells · paths)``.

    Attributes
    ----------
    of_rows : tuple of int
        The kind of site of each component of a cell.
    """

    def __init__(self, kinds: SiteKinds, of_rows: Sequence[int]):
        self.kinds, self.of_rows = kinds, tuple(of_rows)
        self.lengths = [kinds.counts[kind] for kind in self.of_rows]
        self.count = sum(self.lengths)

    @cached_property
    def places(self) -> np.ndarray:
        """The row of each component in each cell ``(d, cells)``, where cells of few sites have the last one."""
        starts = np.concatenate([[0], np.cumsum(self.lengths)])[:-1].astype(np.intp)
        several = [start + self.kinds.in_cells(kind) for start, kind in zip(starts, self.of_rows, strict=True)]
        return np.array(several, dtype=np.intp).reshape(len(self.of_rows), self.kinds.cells)

    def as_lanes(self, rows: np.ndarray) -> np.ndarray:
        """``(multiple · count, paths)`` on lanes."""
        paths, cells = rows.shape[1], self.kinds.cells
        if not self.kinds.uneven:
            return np.ascontiguousarray(rows).reshape(len(rows) // cells if cells else 0, cells * paths)
        several = rows.reshape(-1 if self.count else 0, self.count, paths)
        return np.ascontiguousarray(several[:, self.places].reshape(-1, cells * paths))

    def as_sites(self, lanes: np.ndarray, paths: int) -> np.ndarray:
        """Lanes ``(d, cells · paths)`` as rows, without the copies in cells."""
        if not self.kinds.uneven:
            return lanes.reshape(self.count, paths)
        several = lanes.reshape(len(lanes), self.kinds.cells, paths)
        return np.concatenate([one[:n] for one, n in zip(several, self.lengths, strict=True)])
