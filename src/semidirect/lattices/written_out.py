"""A lattice of few sites as one system on a product of their groups, whose equations are written out in scalars."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import Blocks, PerPath, errors, user_code
from semidirect.definition import Parameter, parameter
from semidirect.groups import DirectProduct
from semidirect.lattices.coupled_site import definition_of_site
from semidirect.lattices.linked_parameters import linked_parameters
from semidirect.lattices.product_plan import ProductPlan, product_system, refuse_not_in_a_product
from semidirect.model import NumericalSDE

if TYPE_CHECKING:
    from semidirect.definition import Definition
    from semidirect.system import System

LARGEST = 256
"""Rows of the state of a lattice that is written out; their derivation takes seconds."""


def name_at(name: str, site: int, size: int) -> str:
    """The name of a variable at a site, counted from 0, whose components have the names of the lattice's."""
    return f"{name}{site + 1}" if size == 1 else f"{name}{site + 1}_"


def written_out(lattice: Any) -> System:
    """One system on the product of the groups of the sites.

    Raises
    ------
    DefinitionError
        For more than :data:`LARGEST` rows, and for sites with constraints, internal states, tables or dissipation.
    """
    plan = Plan(lattice)
    kind = product_system(plan, type(lattice), {**plan.parameters, "initial": plan.initial, "__reduce__": _reduced})
    return kind(**plan.values)


@final
class Plan(ProductPlan):
    """The plan of a lattice that is written out: its sites, one kind after another, their parameters and names of variables.

    Attributes
    ----------
    lattice : :class:`~semidirect.lattices.Lattice`
    members : list of (int, int)
        The kind of each member, and its number among those of its kind.
    """

    def __init__(self, lattice: Any):
        what = f"{type(lattice).__name__} written out"
        if lattice.workings.paths is not None:
            raise errors.DefinitionError(what, expected="one value of each parameter", got="parameters per path",
                                         hint="Write out the lattice of one path, lattice.at_path(0).")  # fmt: skip
        self.lattice = lattice
        energies = lattice.edge_energies()
        self.velocities = energies.velocities
        self.of_kinds, self.systems = lattice.site_kinds(), lattice.site_systems()
        definitions = [definition_of_site(site, type(lattice).__name__) for site in self.systems]
        for one, site in zip(definitions, self.systems, strict=True):
            refuse_not_in_a_product(what, one, site)
        counts = self.of_kinds.counts
        sizes = [one.group.dimension + sum(q.dimension for q in one.advected.values()) for one in definitions]
        size = sum(n * count for n, count in zip(sizes, counts, strict=True))
        if size > LARGEST:
            raise errors.DefinitionError(
                what, expected=f"at most {LARGEST} velocities and advected quantities", got=str(size),
                hint="Take fewer sites: the same class with a smaller number of them.",
            )  # fmt: skip
        self.members = [(kind, i) for kind, count in enumerate(counts) for i in range(count)]
        self.common = bool(lattice.common_noise)
        self._members(
            what, [definitions[k] for k, _ in self.members], [k for k, _ in self.members], energies.of_momenta
        )
        endings = [self.of_kinds.names[k] for k, _ in self.members] if self.of_kinds.several else []
        self.group = DirectProduct(*[one.group for one in self.ones], kinds=endings, numbered=True)
        self.pairs = lattice.edge_pairs()
        self.links = [linked_parameters(lattice, kind) for kind in range(len(counts))]
        self.parameters, self.values = self._parameters()

    # -- names -----------------------------------------------------------------------------------------------------

    def name_at(self, name: str, member: int, size: int) -> str:
        """As in the lattice, with the number of the site of its kind."""
        kind, number = self.members[member]
        return name_at(self.of_kinds.label(kind, name), number, size)

    def _momenta_of(self, kind: int) -> dict[str, str]:
        """Velocities and momenta of a kind, by their names in the lattice."""
        one = definition_of_site(self.systems[kind], "")
        label = self.of_kinds.label
        return {label(kind, name): label(kind, one.momentum_name(name)) for name in one.group.blocks}

    @property
    def initial(self) -> dict[str, Any]:
        """The start of the lattice, with velocities where momenta are not what a site starts from."""
        if self.velocities:
            self._refuse_momenta(self.lattice.initial)
        rows = self._with_velocities(self.model.initial_rows())
        return self.by_site({name: part[:, 0] for name, part in rows.items()})

    def _with_velocities(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """The values of a start: velocities, unless sites are stated by momenta, and advected quantities."""
        rows: dict[str, np.ndarray] = self.model.variables(y)
        if self.ones[0].by_hamiltonian:
            return rows
        pairs = {
            name: momentum for kind in range(len(self.systems)) for name, momentum in self._momenta_of(kind).items()
        }
        rows = {name: part for name, part in rows.items() if name not in {*pairs, *pairs.values()}}
        return {**rows, **{name: self.model.named_rows(name, y, 0.0) for name in pairs}}

    def _refuse_momenta(self, state: Mapping[str, Any]) -> None:
        for kind in range(len(self.systems)):
            for velocity, momentum in self._momenta_of(kind).items():
                if momentum in state:
                    raise errors.InputError(
                        f"a start of {type(self.lattice).__name__}", expected=f"velocities, {velocity}",
                        got=f"momenta, {momentum}",
                        hint="Its edges read velocities, so momenta of a site are not its own; a start of lattice.written_out() "
                        f"takes those of all sites, {name_at(momentum, 0, 3)}, …",
                    )  # fmt: skip

    def start(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """A start of the lattice by the names of this system."""
        from semidirect.lattices.lattice_start import start_of_sites

        if not self.velocities:
            return self.by_site(start_of_sites(self.lattice, state, validate=True, t=0.0))
        self._refuse_momenta({**self.lattice.initial, **state})
        several = start_of_sites(self.uncoupled, state, validate=True, t=0.0)
        parts = [x.values.T if isinstance(x, PerPath) else np.asarray(x)[:, None] for x in several.values()]
        rows = self._with_velocities(np.concatenate(parts))
        return self.by_site(
            {name: part[:, 0] if part.shape[1] == 1 else PerPath(part.T) for name, part in rows.items()}
        )

    @property
    def model(self) -> Any:
        """The equations of the lattice; without its edges where these read velocities."""
        return NumericalSDE.of(self.uncoupled)

    @property
    def uncoupled(self) -> Any:
        """The lattice, or the same without energies of its edges where these read velocities."""
        if not self.velocities:
            return self.lattice
        lattice = self.lattice
        kind: Any = type(lattice)
        apart: dict[str, Any] = {
            "coupling": lambda self, left, right: 0,
            "__module__": kind.__module__,
            "__doc__": kind.__doc__,
        }

        def made() -> Any:
            return type(kind)(kind.__name__, (kind,), apart)(**lattice.values, **lattice.workings.choices)

        return lattice.workings.known((Plan, "uncoupled"), made)

    def by_site(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        """Rows of the lattice, or such rows for each path, by the names of this system."""
        out = dict[str, Any]()
        for name, value in rows.items():
            numbers = np.asarray(value.values if isinstance(value, PerPath) else value)
            count = self.of_kinds.counts[self.of_kinds.kind_of(name)]
            size = numbers.shape[-1] // count
            of_sites = numbers.reshape(*numbers.shape[:-1], size, count)
            for i in range(count):
                part = of_sites[..., i] if size > 1 else of_sites[..., 0, i]
                out[name_at(name, i, size)] = PerPath(part) if isinstance(value, PerPath) else part
        return out

    # -- parameters ------------------------------------------------------------------------------------------------

    def _parameters(self) -> tuple[dict[str, Parameter], dict[str, Any]]:
        """Those of the lattice, and those of the sites that are none of it.

        One of the lattice that the sites use in another way than as it is would have two meanings; then it is that of edges.
        """
        own, values = dict[str, Parameter](), dict[str, Any]()
        self.labels, self.of_sites = dict[str, str](), [dict[str, str]() for _ in self.systems]
        changed = set[str]().union(*(link.changed for link in self.links))
        for name, declared in type(self.lattice).workings.parameters().items():
            label = f"{name}_of_edges" if name in changed else name
            own[label], values[label], self.labels[name] = copy.copy(declared), self.lattice.values[name], label
            if label != name:
                own[label].symbol = label
        stems = {self.lattice.workings.symbol_stem(name) for name in self.labels}
        for kind, site in enumerate(self.systems):
            for name, declared in type(site).workings.parameters().items():
                same = self.links[kind].same.get(name)
                if same is not None and same not in changed:
                    self.of_sites[kind][name] = same
                    continue
                label = self.of_kinds.label(kind, name)
                label = f"{label}_of_sites" if label in own else label
                value = site.values[name]
                several = isinstance(value, PerPath)
                value = np.asarray(value.values) if isinstance(value, PerPath) else value
                own[label] = (
                    parameter(value, unit=declared.unit, doc=declared.doc, shape=np.shape(value))
                    if several
                    else copy.copy(declared)
                )
                stem = self.of_kinds.label(kind, site.workings.symbol_stem(name))
                own[label].symbol = label if stem in stems else stem
                values[label], self.of_sites[kind][name] = value, label
        return own, values

    def sites(self, system: Any) -> list[Definition]:
        """The definitions of all sites with the parameters of a written-out system."""
        several: list[Definition] = system.workings.known((Plan, "sites"), lambda: list(self._sites(system)))
        return several

    def _sites(self, system: Any) -> Iterator[Definition]:
        alike: dict[int, Definition] = {}
        for kind, number in self.members:
            site: Any = self.systems[kind]
            of_sites = {name for name, value in site.values.items() if isinstance(value, PerPath)}
            if kind not in alike or of_sites:
                values = {
                    name: system.values[label][number] if name in of_sites else system.values[label]
                    for name, label in self.of_sites[kind].items()
                }
                alike[kind] = self.as_solved(site.workings.with_values(values)._define_with(()))
            yield alike[kind]

    # -- edges -----------------------------------------------------------------------------------------------------

    def edges(self, system: Any) -> Iterator[tuple[int, int, Any]]:
        """The members at both ends of each edge, and the lattice with the parameters of that edge."""
        lattice, kinds = self.lattice, self.of_kinds
        member = {place: number for number, place in enumerate(self.members)}
        at = [member[int(k), int(i)] for k, i in zip(kinds.of_site, kinds.number, strict=True)]
        for number, (i, j) in enumerate(self.pairs):
            values = {
                name: system.values[label][number] if name in lattice.per_edge else system.values[label]
                for name, label in self.labels.items()
            }
            yield at[i], at[j], lattice.workings.with_values(values)

    def of_edges(self, system: Any, **at: Any) -> Any:
        """The sum of the energies of the edges."""
        total: Any = 0
        names = self.of_kinds.names
        for i, j, edge in self.edges(system):
            kinds = names[self.kinds[i]], names[self.kinds[j]]
            left, right = self._end(i, **at), self._end(j, **at)
            total = total + user_code.call(edge.coupling, left=left, right=right, t=at["t"], kinds=kinds)
        return total

    def _end(self, member: int, a: Any, t: Any, xi: Any = None, p: Any = None) -> Blocks:
        """The values at an end of an edge: momenta or velocities, and advected quantities."""
        here = self.values_at(member, a=a, **({"xi": xi} if p is None else {"p": p}))
        moving = dict(here["xi"]) if p is None else {
            self.ones[member].momentum_name(name): value for name, value in here["p"].items()
        }  # fmt: skip
        return Blocks({**moving, **here["a"]}, "quantity of a site")


def _reduced(self: Any) -> tuple[Any, ...]:
    return _again, (self._plan.lattice, dict(self.values))


def _again(lattice: Any, values: Mapping[str, Any]) -> System:
    return written_out(lattice).workings.with_values(dict(values))
