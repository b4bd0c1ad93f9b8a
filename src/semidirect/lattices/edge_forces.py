"""The forces of the edges of a lattice on its sites: values at both ends of an edge are gathered, slopes are added up."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.core import ops

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

        self.energy, self.pairs, self.sites, self.sign, self.first = energy, pairs, sites, sign, first
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

    @property
    def count(self) -> int:
        """The number of quantities of an end."""
        return len(self.energy.ends[0])

    @property
    def reads_t(self) -> bool:
        """Whether energies of edges depend on time."""
        return self.energy.t in self.energy.value.free_symbols

    @property
    def label(self) -> str:
        """Identifies the energy of an edge among those of sites of a kind."""
        text = f"{self.energy.text} {self.sign} {self.first} {self.count}"
        return hashlib.sha256(text.encode()).hexdigest()

    def of_scalars(self, y: np.ndarray, t: Any) -> list[Any]:
        """F of scalars that record, which stand for those of all sites."""
        values = [*y[self.first : self.first + self.count], *([t] if self.reads_t else [])]
        sums = next(x for x in y if isinstance(x, ops.Scalar)).of_edges(values, self.count)
        slopes = self.energy.slopes
        return [0.0 if a == b == 0 else total for a, b, total in zip(*slopes, sums, strict=True)]

    def __call__(self, y: np.ndarray, t: Any) -> list[Any]:
        """F, rows ``(lanes,)`` or 0."""
        if y.dtype == object:
            return self.of_scalars(y, t)
        count, paths = self.count, y.shape[1] // self.sites
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
