"""The equations of all sites at once: those of one site, on a state with a column for each site and path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.lattices.coupled_site import OF_EDGES
from semidirect.model import NumericalSDE

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.lattices.edge_forces import EdgeForces
    from semidirect.model import DerivedEquations


@final
class LaneSDE(NumericalSDE):
    """Equations on states ``(d, sites · paths)``, the paths of a site one after another: a lane is a site of a path.

    Methods step lanes as they step paths. Whenever a function of the site is evaluated, the forces of the edges are evaluated
    at the same state.
    """

    def __init__(self, system: SystemDefinition, equations: DerivedEquations, forces: EdgeForces):
        super().__init__(system, equations)
        self.reconstructs = False
        self.forces = forces
        names = [name for name, _ in system.workings.symbol_places]
        self.of_edges = [i for i, name in enumerate(names) if name.endswith(OF_EDGES)]

    def values(self, function: Callable[..., Any], y: np.ndarray, t: Any, extra: Sequence[Any]) -> np.ndarray:
        """The rows of a function of the site at a state: ``(rows, lanes)``."""
        return self.with_forces(y, t)._values(function, y, t, extra)

    def _values(self, function: Callable[..., Any], y: np.ndarray, t: Any, extra: Sequence[Any]) -> np.ndarray:
        return super().values(function, y, t, extra)

    def with_forces(self, y: np.ndarray, t: Any) -> LaneSDE:
        """The equations with the forces of the edges at a state."""
        parameters = list(self.parameters)
        for place, row in zip(self.of_edges, self.forces(y, t), strict=True):
            parameters[place] = row
        other = object.__new__(LaneSDE)
        vars(other).update(vars(self), parameters=parameters)
        return other

    def alone(self, y: np.ndarray, t: Any, quantities: Any) -> np.ndarray:
        """Rows of quantities of the sites without their edges."""
        stored = (np.nan,) * len(self.group.stored_names)
        return self._values(self.reader(quantities), y, t, stored)

    def rows_of(self, y: np.ndarray, t: Any, quantities: Any) -> np.ndarray:
        """Rows of quantities of the sites in their lattice."""
        stored = (np.nan,) * len(self.group.stored_names)
        return self.values(self.reader(quantities), y, t, stored)
