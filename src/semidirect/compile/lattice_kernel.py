"""The compiled kernel of a lattice: one for each kind of site, edge and method, whatever the number of sites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.compile.kernels import LINE, kernel_of, label_of
from semidirect.compile.lattice_variant import LatticeVariant
from semidirect.compile.load_function import loaded
from semidirect.integrators import Integrator
from semidirect.machine import address_of

if TYPE_CHECKING:
    from semidirect.compile.loop_function import LoopFunction

__all__ = ["LatticeKernel"]


@dataclass(frozen=True)
class LatticeKernel:
    """A compiled kernel.

    Attributes
    ----------
    code : callable
        The machine code.
    variant : LatticeVariant
    of_tile, local, iterations : int
        Rows of a tile, rows that all tiles use in turn, iterations of a step.
    """

    code: Callable[..., None]
    variant: LatticeVariant
    of_tile: int
    local: int
    iterations: int

    @classmethod
    def of(cls, model: Any, method: Integrator, variant: LatticeVariant) -> LatticeKernel:
        """The kernel of the equations of a lattice under a method."""

        def step() -> LoopFunction:
            from semidirect.compile.lattice_function import lattice_function

            return lattice_function(model, method, variant)

        def load(description: str, function: Callable[[], LoopFunction], purpose: str) -> LatticeKernel:
            code, facts = loaded(description, function, purpose)
            return cls(code, variant, facts["of_tile"], facts["local"], facts["iterations"])

        return kernel_of(model.equations, method, _label(model, method, variant), step, load)

    @staticmethod
    def is_known(model: Any, method: Integrator, variant: LatticeVariant) -> bool:
        """Whether it was compiled before, so that it can be loaded in a fraction of a second."""
        label = _label(model, method, variant)
        return label is not None and model.equations.knows(label)

    def tiles(self, sites: int) -> int:
        """The number of tiles of so many sites."""
        beside = self.variant.lanes // self.variant.paths
        return -(-sites // beside)

    def memory(self, sites: int) -> tuple[np.ndarray, int, int, np.ndarray, np.ndarray]:
        """An array to keep, the addresses in it of what stays in tiles and of what does not, and two arrays of masks."""
        tiles, lanes = self.tiles(sites), self.variant.lanes
        memory = np.empty((tiles * self.of_tile + self.local) * lanes + LINE)
        of_tile = -(-address_of(memory) // (8 * LINE)) * 8 * LINE  # from the start of a line of the cache
        masks = np.empty((tiles, max(1, self.iterations), lanes), dtype=np.int64)
        return (
            memory,
            of_tile,
            of_tile + 8 * tiles * self.of_tile * lanes,
            masks,
            np.empty((tiles, lanes), dtype=np.int64),
        )

    def offsets(self, sites: int) -> np.ndarray:
        """Where the first lane of each site begins in its tile, as numbers of the first row of all tiles."""
        beside = self.variant.lanes // self.variant.paths
        tile, place = np.divmod(np.arange(sites), beside)
        return tile * self.of_tile * self.variant.lanes + place * self.variant.paths


def _label(model: Any, method: Integrator, variant: LatticeVariant) -> str | None:
    label = label_of(method, variant)
    return None if label is None else f"lattice {label}: {model.stepped.forces.label}"
