"""The forces of the edges of a lattice on its sites: values at both ends of an edge are gathered, slopes are added up."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.core import ops

if TYPE_CHECKING:
    from semidirect.lattices.edge_energies import EdgeEnergies, EdgeKind
    from semidirect.lattices.site_kinds import SiteKinds


@final
class EdgeForces:
    """F of all sites, as :func:`.coupled_site` needs them, at a state ``(d, cells · paths)``, where a cell is a site or, with
    several kinds, one of each.

    Sums are those of sparse matrices, term after term, so that the numbers of a path do not depend on the paths beside it.

    Attributes
    ----------
    pairs : int array (edges, 2)
        The cells of both ends of each edge.
    """

    def __init__(self, energies: EdgeEnergies, sites: np.ndarray, kinds: SiteKinds, sign: float, first: int):
        """``sites`` of the edges; ``sign``: of −∂V/∂a or ∂h/∂a; ``first``: the row of a state at which quantities of an edge
        start.
        """
        self.energies, self.cells, self.sign, self.first = energies, kinds.cells, sign, first
        self.pairs: np.ndarray = kinds.number[sites]
        self.parameters: Sequence[Any] = ()
        self._ends = [self._matrices(one, kinds) for one in energies.kinds]

    def _matrices(self, one: EdgeKind, kinds: SiteKinds) -> list[Any]:
        """The sums of slopes at each end as matrices, with a row for each cell."""
        from scipy.sparse import csr_array

        edges, matrices = np.arange(len(one.edges)), []
        for end, kind in zip(self.pairs[one.edges].T, one.kinds, strict=True):
            count = kinds.counts[kind]
            matrix = csr_array((np.full(len(edges), self.sign), (end, edges)), shape=(count, len(edges)))
            matrices.append(matrix if count == self.cells else matrix[kinds.in_cells(kind)])
        return matrices

    def with_parameters(self, parameters: Sequence[Any]) -> Self:
        """The same edges with other numbers."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), parameters=parameters)
        return other

    def slopes(self, y: np.ndarray, t: Any) -> list[Sequence[Any]]:
        """Of each kind of edge the energies, then their slopes by the quantities of the left and of the right end."""
        rows = y[self.first : self.first + self.count].reshape(self.count, self.cells, -1)
        time, out = t if np.ndim(t) == 0 else np.asarray(t).reshape(self.cells, -1)[0], []
        for one in self.energies.kinds:
            left, right = self.pairs[one.edges].T
            every = len(one.edges) == len(self.pairs)
            parameters = [p if every or not np.ndim(p) or len(p) == 1 else p[one.edges] for p in self.parameters]
            near, far = (rows if len(at) == self.count else rows[at] for at in one.rows)
            ends = near[:, left], far[:, right]
            out.append(one.energy.evaluate(*ends, time, parameters))
        return out

    def total(self, y: np.ndarray, t: Any) -> np.ndarray:
        """The sum of the energies of the edges ``(paths,)``."""
        values = np.empty((len(self.pairs), y.shape[1] // self.cells))
        for one, slopes in zip(self.energies.kinds, self.slopes(y, t), strict=True):
            values[one.edges] = slopes[0]
        return added(values)

    @property
    def count(self) -> int:
        """The number of quantities of a cell."""
        return self.energies.count

    @property
    def reads_t(self) -> bool:
        """Whether energies of edges depend on time."""
        return self.energies.reads_t

    @property
    def label(self) -> str:
        """Identifies the energies of edges among those of sites of a kind."""
        several = self.energies.kinds
        places = [f"{one.kinds} {one.rows[0].tolist()} {one.rows[1].tolist()}" for one in several]
        alike = len(several) == 1 and all(len(rows) == self.count for rows in several[0].rows)
        parts = [one.energy.text + ("" if alike else at) for one, at in zip(several, places, strict=True)]
        return hashlib.sha256(f"{' '.join(parts)} {self.sign} {self.first} {self.count}".encode()).hexdigest()

    def of_scalars(self, y: np.ndarray, t: Any) -> list[Any]:
        """F of scalars that record, which stand for those of all sites."""
        values = [*y[self.first : self.first + self.count], *([t] if self.reads_t else [])]
        sums = next(x for x in y if isinstance(x, ops.Scalar)).of_edges(values, self.count)
        return [total if k in self.pushed else 0.0 for k, total in enumerate(sums)]

    @property
    def pushed(self) -> set[int]:
        """The quantities of a cell that energies of edges depend on."""
        return {
            int(row)
            for one in self.energies.kinds
            for rows, slopes in zip(one.rows, one.energy.slopes, strict=True)
            for row, slope in zip(rows, slopes, strict=True)
            if slope != 0
        }

    def __call__(self, y: np.ndarray, t: Any) -> list[Any]:
        """F, rows ``(lanes,)`` or 0."""
        if y.dtype == object:
            return self.of_scalars(y, t)
        paths = y.shape[1] // self.cells
        totals: list[Any] = [0.0] * self.count
        for one, matrices, (_, *slopes) in zip(self.energies.kinds, self._ends, self.slopes(y, t), strict=True):
            places = (*((matrices[0], row) for row in one.rows[0]), *((matrices[1], row) for row in one.rows[1]))
            for (matrix, row), slope in zip(places, slopes, strict=True):
                if not (type(slope) is int and slope == 0):
                    totals[row] = totals[row] + matrix @ np.broadcast_to(slope, (len(one.edges), paths))
        return [total.reshape(-1) if isinstance(total, np.ndarray) else total for total in totals]


def added(rows: np.ndarray) -> np.ndarray:
    """The sum of rows ``(k, paths)``, one after another."""
    from scipy.sparse import csr_array

    return np.asarray((csr_array(np.ones((1, len(rows)))) @ rows)[0]) if len(rows) else np.zeros(rows.shape[1])
