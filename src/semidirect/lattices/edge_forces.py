"""The forces of the edges of a lattice on its sites: values at both ends of an edge are gathered, slopes are added up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

if TYPE_CHECKING:
    from semidirect.lattices.edge_energy import EdgeEnergy


@final
class EdgeForces:
    """F of all sites, as :func:`.coupled_site` needs them, at a state ``(d, sites · paths)``.

    Sums are those of sparse matrices, term after term, so that the numbers of a path do not depend on the paths beside it.
    """

    def __init__(self, energy: EdgeEnergy, pairs: np.ndarray, sites: int, sign: float, first: int):
        """``sign``: of −∂V/∂a or ∂h/∂a; ``first``: the row of a state at which quantities of an edge start."""
        from scipy.sparse import csr_array

        self.energy, self.pairs, self.sites, self.first = energy, pairs, sites, first
        self.parameters: Sequence[Any] = ()
        edges = np.arange(len(pairs))
        self._ends = [
            csr_array((np.full(len(pairs), sign), (end, edges)), shape=(sites, len(pairs))) for end in pairs.T
        ]

    def with_parameters(self, parameters: Sequence[Any]) -> Self:
        """The same edges with other numbers."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), parameters=parameters)
        return other

    def slopes(self, y: np.ndarray, t: Any) -> Sequence[Any]:
        """The energies of the edges, then their slopes by the quantities of the left and of the right end."""
        count = len(self.energy.ends[0])
        rows = y[self.first : self.first + count].reshape(count, self.sites, -1)
        left, right = self.pairs.T
        time = t if np.ndim(t) == 0 else np.asarray(t).reshape(self.sites, -1)[0]
        return self.energy.evaluate(rows[:, left], rows[:, right], time, self.parameters)

    def total(self, y: np.ndarray, t: Any) -> np.ndarray:
        """The sum of the energies of the edges ``(paths,)``."""
        return added(np.broadcast_to(self.slopes(y, t)[0], (len(self.pairs), y.shape[1] // self.sites)))

    def __call__(self, y: np.ndarray, t: Any) -> list[Any]:
        """F, rows ``(lanes,)`` or 0."""
        count, paths = len(self.energy.ends[0]), y.shape[1] // self.sites
        slopes = self.slopes(y, t)[1:]
        rows: list[Any] = []
        for k in range(count):
            total: Any = 0.0
            for matrix, slope in zip(self._ends, (slopes[k], slopes[count + k]), strict=True):
                if not (type(slope) is int and slope == 0):
                    total = total + matrix @ np.broadcast_to(slope, (len(self.pairs), paths))
            rows.append(total.reshape(-1) if isinstance(total, np.ndarray) else total)
        return rows


def added(rows: np.ndarray) -> np.ndarray:
    """The sum of rows ``(k, paths)``, one after another."""
    from scipy.sparse import csr_array

    return np.asarray((csr_array(np.ones((1, len(rows)))) @ rows)[0]) if len(rows) else np.zeros(rows.shape[1])
