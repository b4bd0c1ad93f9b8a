"""The state that an observable of a lattice receives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import display, errors


@final
@dataclass(frozen=True, eq=False, repr=False)
class LatticeState(display.Brief):
    """Values at the sites of some paths, by name: ``state.Gamma`` is an array ``(paths, sites, 3)``, a number ``(paths, sites)``.

    Attributes
    ----------
    t : float
        Time [s].
    """

    t: Any
    _model: Any
    _y: np.ndarray

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        shape = self._model.structure.shape
        if name not in shape.named:
            raise errors.UnknownAttributeError("state", name, (*shape.named, "energy", "t"))
        variables = self._model.variables(self._y)
        rows = variables[name] if name in variables else self._model.named_rows(name, self._y, self.t)
        return self._model.flat[name].shaped(np.ascontiguousarray(rows.T))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._model.structure.shape.named})

    @property
    def energy(self) -> Any:
        """The energies of all sites and all edges, ``(paths,)``."""
        return self._model.total_energy(self._y, self.t)

    @property
    def site_energy(self) -> Any:
        """The energy of each site alone, ``(paths, sites)``."""
        return self._model.site_energies(self._y, self.t).T
