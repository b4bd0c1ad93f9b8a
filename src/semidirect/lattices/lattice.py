"""Lattices: many copies of a system that interact along edges."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from semidirect.core import arguments, errors
from semidirect.definition import Definition, observable
from semidirect.groups import RealSpace
from semidirect.lattices.cell import cell
from semidirect.lattices.coupled_site import coupled_site, definition_of_site
from semidirect.lattices.edge_energies import EdgeEnergies
from semidirect.lattices.edges import pairs
from semidirect.lattices.site_kinds import SiteKinds
from semidirect.system import System

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semidirect.definition import ArrayStatement
    from semidirect.lattices.lattice_state import LatticeState

MOST_SITES = 2**24
"""A start of that many tops takes 800 MB."""


class Lattice(System):
    """Copies of a system, the sites, that interact along edges.

    A subclass states :attr:`sites`, :attr:`edges`, :meth:`site` and :meth:`coupling`. The equations are derived once, whatever
    the number of sites. Values at the sites are arrays ``(paths, sites, …)``, in a run ``(paths, times, sites, …)``.

    Attributes
    ----------
    sites : int
        The number of sites; an option or a property, if it may differ.
    edges : str or array (edges, 2)
        ``"line"``, ``"ring"``, ``"all"``, or pairs of sites, counted from 0.
    kinds : sequence of str
        The kind of each site, or a pattern that repeats, where :meth:`site` returns systems by name.
    per_edge : sequence of str
        Parameters of :meth:`coupling` that have a value for each edge, along their first axis.
    common_noise : bool
        Whether all sites have the same noise. By default each has its own.
    """

    group = RealSpace(1, ("no_velocity",), ("no_configuration",))
    sites: Any
    edges: Any = "line"
    kinds: Any = ()
    per_edge: ClassVar[Sequence[str]] = ()
    common_noise: bool = False
    _states_arrays: ClassVar[bool] = True

    @observable()
    def energy(self, state: LatticeState) -> Any:
        """The energies of all sites and all edges."""
        return state.energy

    # -- stated by a subclass --------------------------------------------------------------------------------------

    def site(self) -> System | Mapping[str, System]:
        """The system at each site, or a system by the name of each kind of site. A parameter that is a ``sd.PerPath`` of as many
        values as sites (of that kind) differs from site to site.
        """
        raise errors.DefinitionError(
            f"{type(self).__name__} defines no site", hint="Define site(self), which returns a system."
        )

    def coupling(self, left: Any, right: Any) -> Any:
        """The energy of an edge, subtracted from the Lagrangian or added to the Hamiltonian: a function of the advected
        quantities of both ends, ``left.Gamma``, of their momenta and of ``t``; of velocities, if few sites are written out. With
        several kinds of sites, ``kinds`` are the names of both.
        """
        raise errors.DefinitionError(
            f"{type(self).__name__} defines no coupling",
            hint="Define coupling(self, left, right), the energy of an edge.",
        )

    def written_out(self) -> System:
        """The lattice as one system on the product of the groups of its sites, with equations in scalars, for a few sites.

        Components have the names that they have in the lattice, ``Gamma4_2``.
        """
        from semidirect.lattices.written_out import written_out

        return self.workings.known((Lattice, "written out"), lambda: written_out(self))

    # -- what the package asks of it -------------------------------------------------------------------------------

    def one_path(self) -> Lattice:
        """The lattice itself, or that of the first path where parameters differ."""
        one: Lattice = self.workings.of_one_path
        return one

    def site_count(self) -> int:
        """The number of sites."""
        name = type(self).__name__
        if not hasattr(self.one_path(), "sites"):
            raise errors.DefinitionError(f"{name} states no sites", hint="Write sites = 100, for example.")
        try:
            return arguments.validated_whole(
                f"the number of sites of {name}", self.one_path().sites, least=1, most=MOST_SITES
            )
        except errors.InputError as error:
            raise errors.DefinitionError(error.what, expected=error.expected, got=error.got) from error

    def edge_pairs(self) -> np.ndarray:
        """The edges as pairs ``(edges, 2)`` of sites."""
        key = (Lattice, "pairs")
        return self.workings.known(key, lambda: pairs(self.one_path().edges, self.site_count(), type(self).__name__))

    def site_kinds(self) -> SiteKinds:
        """The kinds of the sites."""

        def made() -> SiteKinds:
            one, count, name = self.one_path(), self.site_count(), type(self).__name__
            site = one.site()
            if isinstance(site, Mapping):
                return SiteKinds.of(one.kinds, tuple(site), count, name)
            if len(one.kinds):
                raise errors.DefinitionError(
                    f"{name}.kinds", expected="none, as site() returns one system", got=reprlib.repr(one.kinds),
                    hint="Return a system by the name of each kind, {'a': …, 'b': …}.",
                )  # fmt: skip
            return SiteKinds.one(count)

        return self.workings.known((Lattice, "kinds"), made)

    def site_systems(self) -> tuple[System, ...]:
        """The system of each kind of one path."""

        def made() -> tuple[System, ...]:
            name, site, kinds = type(self).__name__, self.one_path().site(), self.site_kinds()
            several = tuple(site.values()) if isinstance(site, Mapping) else (site,)
            for one, count, kind in zip(several, kinds.counts, kinds.names, strict=True):
                what = f"{name}.site" + (f", kind {kind!r}" if kind else "")
                if not isinstance(one, System) or one._states_arrays:
                    raise errors.DefinitionError(
                        what, expected="a system whose equations are written out in scalars", got=repr(one)
                    )
                if one.workings.paths not in (None, count):
                    raise errors.DefinitionError(
                        what, expected=f"parameters of {count} sites", got=f"of {one.workings.paths}"
                    )
            return several

        return self.workings.known((Lattice, "systems"), made)

    def cell(self) -> System:
        """The site of one path; with several kinds, one of each as one system."""
        kinds, systems = self.site_kinds(), self.site_systems()
        if not kinds.several:
            return systems[0]
        return self.workings.known((Lattice, "cell"), lambda: cell(self.one_path(), kinds, systems))

    def coupled(self) -> System:
        """The site with the forces of its edges as parameters, of one path."""

        def made() -> System:
            edges = self.edge_energies()
            edges.refuse_velocities()
            return coupled_site(self.cell(), {k: part.stop - part.start for k, part in edges.layout.items()})

        return self.workings.known((Lattice, "coupled"), made)

    def edge_energies(self) -> EdgeEnergies:
        """The energies of the edges with their derivatives, one for each pair of kinds of sites."""
        return self.workings.known((Lattice, "edge"), lambda: EdgeEnergies(self.one_path()))

    def edge_energy_is_of_h(self, *, of_all: bool = False) -> bool:
        """Whether sites are solved by h, to which the energy of an edge is added; or all of them are stated by it."""
        systems = self.site_systems() if of_all else (self.cell(),)
        return all(definition_of_site(one, type(self).__name__).by_hamiltonian for one in systems)

    def _define_with(self, parameters: Sequence[Any]) -> Definition:
        from semidirect.lattices.lattice_sde import variables_of

        kinds = self.site_kinds()
        rows = {name: size * kinds.counts[kinds.kind_of(name)] for name, size in variables_of(self).items()}
        return self._define_arrays(rows, parameters)

    def _checked(self) -> None:
        super(System, self)._checked()
        kind = type(self)
        if kind.site is Lattice.site and kind.coupling is Lattice.coupling:  # as a system without a group
            return
        edges = len(self.edge_pairs())
        for name in self._names_per_edge():
            shape = self.workings.value_shape(name)
            if shape[:1] != (edges,):
                raise errors.InputError(
                    f"{name} of {kind.__name__}", expected=f"a value for each of {edges} edges", got=f"shape {shape}",
                    hint="" if shape else f"Declare it with an axis of edges, {name} = sd.parameter(…, shape=(None,)).",
                )  # fmt: skip
        for one in self._of_some_paths():
            one.edge_energies()
            one.cell()

    def _names_per_edge(self) -> Sequence[str]:
        names = arguments.validated_names(f"{type(self).__name__}.per_edge", self.per_edge) if self.per_edge else ()
        for name in names:
            if name not in self.values:
                raise errors.DefinitionError(
                    f"{type(self).__name__}.per_edge",
                    expected=f"names of parameters: {', '.join(self.values)}",
                    got=repr(name),
                )
        return tuple(names)

    @property
    def _has_energy(self) -> bool:
        return True

    @property
    def _derives_energy(self) -> bool:
        """Whether the observable of this name is the sum of all energies."""
        return type(self).energy.method is Lattice.energy.method

    def _stated_by_arrays(self) -> ArrayStatement:
        from semidirect.lattices.lattice_statement import LatticeStatement

        return LatticeStatement(self)
