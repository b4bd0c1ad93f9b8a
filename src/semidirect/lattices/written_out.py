"""A lattice of few sites as one system on a product of their groups, whose equations are written out in scalars."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import Blocks, PerPath, errors, ops, user_code
from semidirect.definition import (
    ConstantNoise,
    FormalNoise,
    Parameter,
    PrescribedNoise,
    StateNoise,
    Unconstrained,
    parameter,
)
from semidirect.groups import Advected, DirectProduct, Pullback
from semidirect.lattices.linked_parameters import linked_parameters
from semidirect.lattices.stated_in_momenta import refuse_not_quadratic, stated_in_momenta
from semidirect.model import NumericalSDE
from semidirect.system import System

if TYPE_CHECKING:
    from semidirect.definition import Definition

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
    own: dict[str, Any] = {
        **plan.parameters, "group": plan.group, "advected": plan.advected, "initial": plan.initial, "_plan": plan,
        "momentum_names": plan.momentum_names, "units": plan.units, "constraint": _constraint,
        "__doc__": lattice.__doc__, "__module__": type(lattice).__module__,
        "__qualname__": f"<locals>.{type(lattice).__qualname__}", "__reduce__": _reduced,
    }  # fmt: skip
    functions: dict[str, Callable[..., Any]] = {
        "lagrangian": _lagrangian, "hamiltonian": _hamiltonian, "noise_hamiltonian": _noise_hamiltonian, "force": _force,
        "noise_force": _noise_force, "independent_force": _independent_force,
    }  # fmt: skip
    own |= {name: functions[name] for name in plan.stated}
    made_of: Any = type(System)
    kind: Any = made_of(type(lattice).__name__, (System,), own)
    return kind(**plan.values)


@final
class Plan:
    """The plan of a lattice that is written out: the sites, their parameters, and the names of all variables.

    Attributes
    ----------
    lattice : :class:`~semidirect.lattices.Lattice`
    stated : list of str
        Names of the functions that the sites state.
    """

    def __init__(self, lattice: Any):
        what = f"{type(lattice).__name__} written out"
        if lattice.workings.paths is not None:
            raise errors.DefinitionError(what, expected="one value of each parameter", got="parameters per path",
                                         hint="Write out the lattice of one path, lattice.at_path(0).")  # fmt: skip
        self.lattice = lattice
        self.count: int = lattice.site_count()
        self.site = lattice.checked_site()
        energy = lattice.edge_energy()
        self.velocities = energy.velocities
        self.in_momenta: bool = energy.of_momenta
        definition = self.of_site(self.site, 0)
        if self.in_momenta:
            refuse_not_quadratic(definition, what)
        self.one = definition = self.as_solved(definition)
        _refuse(what, definition, self.site)
        size = definition.group.dimension + sum(q.dimension for q in definition.advected.values())
        if self.count * size > LARGEST:
            raise errors.DefinitionError(
                what, expected=f"at most {LARGEST} velocities and advected quantities", got=str(self.count * size),
                hint="Take fewer sites: the same class with a smaller number of them.",
            )  # fmt: skip
        self.group = DirectProduct(*[definition.group] * self.count, numbered=True)
        self.sizes = {name: part.stop - part.start for name, part in definition.group.blocks.items()}
        self.pairs = lattice.edge_pairs()
        self.links = linked_parameters(lattice, self.site)
        self.parameters, self.values = self._parameters()
        self.stated = [
            name for name, has in (
                ("lagrangian", definition.lagrangian), ("hamiltonian", definition.hamiltonian),
                ("noise_hamiltonian", definition.noise_hamiltonian), ("force", definition.forces.drift),
                ("noise_force", definition.forces.noise), ("independent_force", definition.forces.independent),
            ) if has is not None
        ]  # fmt: skip

    @staticmethod
    def of_site(site: Any, index: int) -> Definition:
        """The definition of a site with its numbers."""
        one = site if site.workings.paths is None else site.at_path(index)
        definition: Definition = one.workings.definition()
        return definition

    def as_solved(self, definition: Definition) -> Definition:
        """A site as it is solved: by its Hamiltonian where edges read momenta."""
        return stated_in_momenta(definition) if self.in_momenta else definition

    # -- names -----------------------------------------------------------------------------------------------------

    @property
    def advected(self) -> dict[str, Advected]:
        """Those of all sites, of one site after another."""

        def at(q: Advected, site: int) -> Advected:
            pulled = Pullback(q.representation, self.group, self.blocks(site))
            return Advected(pulled, q.exact_reference, q.unit)

        quantities = self.one.advected.items()
        return {name_at(name, i, q.dimension): at(q, i) for i in range(self.count) for name, q in quantities}

    def blocks(self, site: int) -> tuple[str, ...]:
        """The blocks of a site."""
        return tuple(name_at(name, site, size) for name, size in self.sizes.items())

    @property
    def momentum_names(self) -> dict[str, str]:
        """As at the sites."""
        return {
            name_at(name, i, size): name_at(self.one.momentum_name(name), i, size)
            for i in range(self.count) for name, size in self.sizes.items()
        }  # fmt: skip

    @property
    def units(self) -> dict[str, str]:
        """As at the sites; of coordinates they are not stated."""
        sizes = {**self.sizes, **{self.one.momentum_name(n): k for n, k in self.sizes.items()}}
        return {name_at(n, i, sizes[n]): u for n, u in self.one.units.items() if n in sizes for i in range(self.count)}

    @property
    def initial(self) -> dict[str, Any]:
        """The start of the lattice, with velocities where momenta are not what a site starts from."""
        if self.velocities:
            self._refuse_momenta(self.lattice.initial)
        rows = self._with_velocities(self.model.initial_rows())
        return self.by_site({name: part[:, 0] for name, part in rows.items()})

    def _with_velocities(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """What a start gives: velocities, unless sites are stated by momenta, and advected quantities."""
        rows: dict[str, np.ndarray] = self.model.variables(y)
        if self.one.by_hamiltonian:
            return rows
        momenta = {self.one.momentum_name(name) for name in self.sizes}
        rows = {name: part for name, part in rows.items() if name not in momenta | self.sizes.keys()}
        return {**rows, **{name: self.model.named_rows(name, y, 0.0) for name in self.sizes}}

    def _refuse_momenta(self, state: Mapping[str, Any]) -> None:
        momenta = {self.one.momentum_name(name): name for name in self.sizes}
        for name in momenta.keys() & dict(state).keys():
            raise errors.InputError(
                f"a start of {type(self.lattice).__name__}", expected=f"velocities, {momenta[name]}", got=f"momenta, {name}",
                hint="Its edges read velocities, so momenta of a site are not its own; a start of lattice.written_out() takes "
                f"those of all sites, {name_at(name, 0, self.sizes[momenta[name]])}, …",
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
            size = numbers.shape[-1] // self.count
            of_sites = numbers.reshape(*numbers.shape[:-1], size, self.count)
            for i in range(self.count):
                part = of_sites[..., i] if size > 1 else of_sites[..., 0, i]
                out[name_at(name, i, size)] = PerPath(part) if isinstance(value, PerPath) else part
        return out

    # -- parameters ------------------------------------------------------------------------------------------------

    def _parameters(self) -> tuple[dict[str, Parameter], dict[str, Any]]:
        """Those of the lattice, and those of the sites that are none of it.

        One of the lattice that the sites use in another way than as it is would have two meanings; then it is that of edges.
        """
        own, values = dict[str, Parameter](), dict[str, Any]()
        self.of_edges, self.of_sites = dict[str, str](), dict[str, str]()
        for name, declared in type(self.lattice).workings.parameters().items():
            label = f"{name}_of_edges" if name in self.links.changed else name
            own[label], values[label], self.of_edges[name] = copy.copy(declared), self.lattice.values[name], label
            if label != name:
                own[label].symbol = label
        stems = {self.lattice.workings.symbol_stem(name) for name in self.of_edges}
        for name, declared in type(self.site).workings.parameters().items():
            if name in self.links.same:
                self.of_sites[name] = self.links.same[name]
                continue
            label = f"{name}_of_sites" if name in own else name
            value = self.site.values[name]
            several = isinstance(value, PerPath)
            value = np.asarray(value.values) if isinstance(value, PerPath) else value
            own[label] = (
                parameter(value, unit=declared.unit, doc=declared.doc, shape=np.shape(value))
                if several
                else copy.copy(declared)
            )
            stem = self.site.workings.symbol_stem(name)
            own[label].symbol = label if stem in stems else stem
            values[label], self.of_sites[name] = value, label
        return own, values

    def sites(self, system: Any) -> list[Definition]:
        """The definitions of all sites with the parameters of a written-out system."""
        several: list[Definition] = system.workings.known((Plan, "sites"), lambda: list(self._sites(system)))
        return several

    def _sites(self, system: Any) -> Iterator[Definition]:
        of_paths = {name for name, value in self.site.values.items() if isinstance(value, PerPath)}
        alike: Definition | None = None
        for i in range(self.count):
            if alike is None or of_paths:
                values = {
                    name: system.values[label][i] if name in of_paths else system.values[label]
                    for name, label in self.of_sites.items()
                }
                alike = self.as_solved(self.site.workings.with_values(values)._define_with(()))
            yield alike

    def edges(self, system: Any) -> Iterator[tuple[int, int, Any]]:
        """Both ends of each edge, and the lattice with the parameters of that edge."""
        lattice = self.lattice
        for number, (i, j) in enumerate(self.pairs):
            values = {
                name: system.values[label][number] if name in lattice.per_edge else system.values[label]
                for name, label in self.of_edges.items()
            }
            yield int(i), int(j), lattice.workings.with_values(values)

    # -- parts of vectors ------------------------------------------------------------------------------------------

    def at(self, blocks: Any, site: int, names: Mapping[str, int]) -> Blocks:
        """The blocks of one site among those of all sites."""
        return Blocks({name: blocks[name_at(name, site, size)] for name, size in names.items()})

    def values_at(self, site: int, **of_all: Any) -> dict[str, Any]:
        """The arguments of a function of a site."""
        advected = {name: q.dimension for name, q in self.one.advected.items()}
        names = {"xi": self.sizes, "p": self.sizes, "a": advected}
        return {k: self.at(v, site, names[k]) if k in names else v for k, v in of_all.items()}

    def embedded(self, vector: Any, site: int) -> Any:
        """A vector of the algebra of a site in that of the product."""
        size, vector = self.one.group.dimension, ops.array(vector)
        return ops.array([*[0] * (size * site), *vector, *[0] * (size * (self.count - 1 - site))])

    def in_order(self, rows: Sequence[Sequence[Any]], add: Callable[[list[Any]], Any]) -> list[Any]:
        """The values of each site for each of its noises, in the order of the noises of the lattice; common ones are added."""
        several = zip(*rows, strict=True)
        return [add(list(one)) for one in several] if self.common else [x for one in several for x in one]

    @property
    def common(self) -> bool:
        """Whether all sites have the same noise."""
        return bool(self.lattice.common_noise)


def _reduced(self: Any) -> tuple[Any, ...]:
    return _again, (self._plan.lattice, dict(self.values))


def _again(lattice: Any, values: Mapping[str, Any]) -> System:
    return written_out(lattice).workings.with_values(dict(values))


def _refuse(what: str, definition: Definition, site: Any) -> None:
    """Raise an error for sites that are not written out."""
    has = [
        (not isinstance(definition.constraint, Unconstrained), "a constraint"),
        (bool(definition.internal_states), "internal states"),
        (definition.dissipation is not None, "dissipation by transport"), (bool(site.workings.table_names), "tables"),
    ]  # fmt: skip
    for condition, words in has:
        if condition:
            raise errors.DefinitionError(
                what, expected="sites without constraints, internal states, tables and dissipation", got=words,
                hint="State the few sites as one sd.System on sd.DirectProduct.",
            )  # fmt: skip


# -- the functions of the system, which has a _plan ----------------------------------------------------------------


def _of_edges(self: Any, a: Any, t: Any, xi: Any = None, p: Any = None) -> Any:
    """The sum of the energies of the edges."""
    plan: Plan = self._plan
    moving = {name: (name, size) for name, size in plan.sizes.items()} if xi is not None else {}
    if p is not None:
        moving = {plan.one.momentum_name(name): (name, size) for name, size in plan.sizes.items()}
    vector = p if p is not None else xi

    def end(site: int) -> Blocks:
        parts = {label: vector[name_at(name, site, size)] for label, (name, size) in moving.items()}
        return Blocks({**parts, **dict(plan.values_at(site, a=a)["a"])}, "quantity of a site")

    total: Any = 0
    for i, j, edge in plan.edges(self):
        total = total + user_code.call(edge.coupling, left=end(i), right=end(j), t=t)
    return total


def _lagrangian(self: Any, xi: Any, a: Any, t: Any) -> Any:
    alone = sum(
        user_code.call(one.lagrangian, z=None, **self._plan.values_at(i, xi=xi, a=a, t=t))
        for i, one in enumerate(self._plan.sites(self))
    )
    return alone - _of_edges(self, a, t, xi=xi)


def _hamiltonian(self: Any, p: Any, a: Any, t: Any) -> Any:
    alone = sum(
        user_code.call(one.hamiltonian, z=None, **self._plan.values_at(i, p=p, a=a, t=t))
        for i, one in enumerate(self._plan.sites(self))
    )
    return alone + _of_edges(self, a, t, p=p)


def _noise_hamiltonian(self: Any, p: Any, a: Any, t: Any) -> Any:
    rows = [
        list(user_code.call(one.noise_hamiltonian, z=None, **self._plan.values_at(i, p=p, a=a, t=t)))
        for i, one in enumerate(self._plan.sites(self))
    ]
    return self._plan.in_order(rows, sum)


def _force(self: Any, xi: Any, a: Any, t: Any) -> Any:
    parts = [
        ops.array(user_code.call(one.forces.drift, z=None, **self._plan.values_at(i, xi=xi, a=a, t=t)))
        for i, one in enumerate(self._plan.sites(self))
    ]
    return ops.array([x for part in parts for x in part])


def _of_noises(self: Any, which: str, xi: Any, a: Any, t: Any) -> Any:
    plan: Plan = self._plan
    rows = [
        [
            plan.embedded(F, i)
            for F in user_code.call(getattr(one.forces, which), z=None, **plan.values_at(i, xi=xi, a=a, t=t))
        ]
        for i, one in enumerate(plan.sites(self))
    ]
    return plan.in_order(rows, sum)


def _noise_force(self: Any, xi: Any, a: Any, t: Any) -> Any:
    return _of_noises(self, "noise", xi, a, t)


def _independent_force(self: Any, xi: Any, a: Any, t: Any) -> Any:
    return _of_noises(self, "independent", xi, a, t)


def _constraint(self: Any) -> Unconstrained:
    """The noise of all sites, of the kind that it is at a site."""
    plan: Plan = self._plan
    noises = [one.constraint.noise for one in plan.sites(self)]

    def amplitudes(**at: Any) -> list[Any]:
        rows = [
            [plan.embedded(x, i) for x in noise.amplitudes(**{"z": None, **plan.values_at(i, **at)})]
            for i, noise in enumerate(noises)
        ]
        return plan.in_order(rows, sum)

    if isinstance(noises[0], ConstantNoise):
        return Unconstrained(noise=ConstantNoise(amplitudes()))
    if noises[0].formal:
        return Unconstrained(noise=FormalNoise(lambda xi, a, t: amplitudes(xi=xi, a=a, t=t)))
    if isinstance(noises[0], PrescribedNoise):
        return Unconstrained(noise=PrescribedNoise(lambda t: amplitudes(t=t)))
    return Unconstrained(noise=StateNoise(lambda a, t: amplitudes(a=a, t=t)))
