"""The energies of all edges of a lattice: one for each pair of kinds of sites that an edge joins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, final

import numpy as np

from semidirect.core import errors, interpolation
from semidirect.expressions import component_names
from semidirect.lattices.coupled_site import definition_of_site, quantities_of_edges
from semidirect.lattices.edge_energy import EdgeEnergy


class EdgeKind(NamedTuple):
    """Edges between sites of two kinds.

    Attributes
    ----------
    energy : EdgeEnergy
    kinds : pair of int
        The kinds of the left and of the right end.
    edges : int array
        Their numbers among all edges.
    rows : pair of int arrays
        Where the quantities of both ends are among those of a cell.
    """

    energy: EdgeEnergy
    kinds: tuple[int, int]
    edges: np.ndarray
    rows: tuple[np.ndarray, np.ndarray]


@final
class EdgeEnergies:
    """The energies of the edges, of a lattice of one path.

    Attributes
    ----------
    kinds : list of EdgeKind
    layout : dict name → slice
        The arguments of energies, of all kinds of sites in the order of a state: momenta, where a site has a Hamiltonian or
        they are read, and advected quantities.
    of_momenta : bool
        Whether momenta are in the layout.
    momenta, velocities : list of str
        Those that are read.
    """

    def __init__(self, lattice: Any):
        name, site_kinds = type(lattice).__name__, lattice.site_kinds()
        self.name = name
        definitions = [definition_of_site(site, name) for site in lattice.site_systems()]
        left, right = site_kinds.of_site[lattice.edge_pairs().T]
        count = len(definitions)
        pairs = sorted({*zip(left.tolist(), right.tolist(), strict=True)}) if site_kinds.several else [(0, 0)]
        names = site_kinds.names
        energies = [EdgeEnergy(lattice, (definitions[i], definitions[j]), (names[i], names[j])) for i, j in pairs]
        offered = [quantities_of_edges(one) for one in definitions]
        by_h = any(one.by_hamiltonian for one in definitions)
        self.momenta = momenta = sorted({name for one in energies for name in one.momenta})
        self.velocities = sorted({name for one in energies for name in one.velocities})
        if self.velocities and (momenta or by_h):
            raise errors.DefinitionError(
                f"{name}.coupling", expected="velocities of both ends, of sites with a Lagrangian, or their momenta",
                got=", ".join([*self.velocities, *(momenta or ["and a site with a Hamiltonian"])]),
                hint="An energy of velocities is subtracted from l, and one of momenta is added to h.",
            )  # fmt: skip
        self.of_momenta: bool = by_h or bool(momenta) or not any(one.advected for one in offered)
        sizes = dict[str, int]()
        for part in (*(["momenta"] if self.of_momenta else []), "advected"):
            for i in range(count):
                sizes |= {site_kinds.label(i, key): size for key, size in getattr(offered[i], part).items()}
        self.layout = component_names.layout(sizes)
        of_kind = [
            [*(one.momenta if self.of_momenta else ()), *one.advected] for one in offered
        ]  # the names of the quantities of each kind
        self.kinds = list[EdgeKind]()
        for energy, (i, j) in zip(energies, pairs, strict=True):
            if not self.velocities:
                energy.differentiate((of_kind[i], of_kind[j]))
            rows = [self._rows([site_kinds.label(k, key) for key in of_kind[k]]) for k in (i, j)]
            edges = np.flatnonzero((left == i) & (right == j))
            self.kinds.append(EdgeKind(energy, (i, j), edges, (rows[0], rows[1])))

    def _rows(self, labels: Sequence[str]) -> np.ndarray:
        return np.concatenate(
            [np.arange(self.layout[x].start, self.layout[x].stop) for x in labels] or [np.empty(0)]
        ).astype(int)

    def refuse_velocities(self) -> None:
        """Raise an error where energies depend on velocities."""
        if self.velocities:
            raise errors.DefinitionError(
                f"{self.name}.coupling", expected="momenta and advected quantities", got=", ".join(self.velocities),
                hint="With velocities, the momentum of a site contains those of its neighbours; all of them are solved for at "
                "once: lattice.written_out() does it for few sites. Or read the momenta, whose energy is added to h.",
            )  # fmt: skip

    @property
    def count(self) -> int:
        """The number of quantities of a cell."""
        return sum(part.stop - part.start for part in self.layout.values())

    @property
    def reads_t(self) -> bool:
        """Whether energies of edges depend on time."""
        return any(one.energy.t in one.energy.value.free_symbols for one in self.kinds)

    @property
    def parameters(self) -> dict[str, np.ndarray]:
        """Symbols of the parameters of an edge, which are those of the lattice."""
        return self.kinds[0].energy.parameters if self.kinds else {}

    def numbers(self, several: Sequence[Any], per_edge: Sequence[str], edges: int) -> list[Any]:
        """The parameters of all edges, each a number or an array that broadcasts to ``(edges, paths)``."""
        out: list[Any] = []
        for name, array in self.parameters.items():
            values = [np.asarray(one.values[name], dtype=float) for one in several]
            for index in np.ndindex(array.shape):
                if name in per_edge:
                    columns = [np.broadcast_to(v[(slice(None), *index)], (edges,)) for v in values]
                    out.append(np.stack(columns, axis=1))
                else:
                    numbers = np.array([v[index] for v in values])
                    out.append(numbers[0] if len(numbers) == 1 else numbers[None])
        for name in self.kinds[0].energy.tables if self.kinds else ():
            first = several[0].values[name]
            if any(not np.array_equal(one.values[name], first) for one in several):
                raise errors.InputError(
                    f"the table {name!r} of {self.name}", expected="one table for all paths", got="several"
                )
            out.append(interpolation.Table(name, first))
        return out
