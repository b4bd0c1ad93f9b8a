"""A cell of a lattice of several kinds of sites: one site of each kind, as one system whose equations are derived once."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final
from weakref import WeakKeyDictionary

import numpy as np

from semidirect.core import Blocks, ForkSafeLock, PerPath, errors, ops, user_code
from semidirect.definition import ConstantNoise, PrescribedNoise
from semidirect.groups import DirectProduct
from semidirect.lattices.coupled_site import OF_EDGES, definition_of_site
from semidirect.lattices.product_plan import ProductPlan, amplitudes_at, listed, product_system, refuse_not_in_a_product
from semidirect.model import NumericalSDE
from semidirect.state import InitialState

if TYPE_CHECKING:
    from semidirect.definition import Definition
    from semidirect.lattices.site_kinds import SiteKinds
    from semidirect.system import System

_CELLS: WeakKeyDictionary[type, dict[Any, type[System]]] = WeakKeyDictionary()
_LOCK = ForkSafeLock()


def cell(lattice: Any, kinds: SiteKinds, systems: Sequence[System]) -> System:
    """The cell of a lattice; parameters that differ from site to site are those of each cell."""
    of_kinds, values = _class_of(lattice, kinds, systems), dict[str, Any]()
    for number, site in enumerate(systems):
        for name, value in site.values.items():
            several = isinstance(value, PerPath)
            values[kinds.label(number, name)] = PerPath(value.values[kinds.in_cells(number)]) if several else value
    system = of_kinds(**values)
    _refuse_noises(type(lattice).__name__, system)
    return system


def _class_of(lattice: Any, kinds: SiteKinds, systems: Sequence[System]) -> type[System]:
    """Made once for systems of these kinds, which their options may change."""
    common = bool(lattice.common_noise)

    def made() -> type[System]:
        plan, own = CellPlan(type(lattice).__name__, kinds.names, systems, common), dict[str, Any]()
        for number, site in enumerate(systems):
            for name, declared in type(site).workings.parameters().items():
                label = kinds.label(number, name)
                own[label] = copy.copy(declared)
                own[label].symbol = kinds.label(number, site.workings.symbol_stem(name))
        return product_system(plan, type(lattice), {**own, "initial": property(_initial)})

    try:
        choices = [pickle.dumps(dict(site.workings.choices)) for site in systems]
    except (pickle.PicklingError, TypeError, AttributeError):
        return made()
    key = (kinds.names, common, *map(type, systems), *choices)
    with _LOCK:
        by_key = _CELLS.setdefault(type(lattice), {})
        if key not in by_key:
            by_key[key] = made()
        return by_key[key]


@final
class CellPlan(ProductPlan):
    """The plan of a cell: its kinds of sites, and the names of their variables."""

    def __init__(self, lattice: str, names: Sequence[str], systems: Sequence[System], common: bool):
        self.names, self.systems, self.common = tuple(names), tuple(systems), common
        definitions = [definition_of_site(site, lattice) for site in systems]
        for name, definition, site in zip(names, definitions, systems, strict=True):
            refuse_not_in_a_product(f"the kind {name!r} of {lattice}", definition, site)
        by_h = [one.by_hamiltonian for one in definitions]
        self._members(f"the kinds of {lattice}", definitions, range(len(systems)), any(by_h) and not all(by_h))
        self.group = DirectProduct(*[one.group for one in definitions], kinds=self.names)

    def name_at(self, name: str, member: int, size: int) -> str:
        """Its own name, then that of the kind."""
        return f"{name}_{self.names[member]}"

    def site(self, system: Any, member: int) -> Any:
        """A site with the parameters of a cell."""
        site = self.systems[member]
        return site.workings.with_values({name: system.values[self.name_at(name, member, 0)] for name in site.values})

    def sites(self, system: Any) -> Sequence[Definition]:
        """The definitions of the kinds."""

        def made() -> list[Definition]:
            return [self.as_solved(self.site(system, i)._define_with(())) for i in range(len(self.systems))]

        several: list[Definition] = system.workings.known((CellPlan, "sites"), made)
        return several


def _initial(self: Any) -> dict[str, Any]:
    """The starts of the kinds, each completed alone: by velocities, or where the cell has none by momenta."""
    plan: CellPlan = self._plan
    sites = [plan.site(self, i) for i in range(len(plan.systems))]
    definitions = [site.workings.of_one_path.workings.definition() for site in sites]
    by_velocities = not any(one.by_hamiltonian for one in definitions)
    out = dict[str, Any]()
    for i, (site, one) in enumerate(zip(sites, definitions, strict=True)):
        model = NumericalSDE.of(site).reduced()
        pushed = {} if by_velocities or one.by_hamiltonian else _pushed(self, i, site, one)
        y = np.asarray(InitialState.of(site, pushed or None, located=False).vector(model, 0.0)).reshape(
            model.dimension, -1
        )
        kinds = ("advected",) if by_velocities else ("advected", "momentum")
        start = {
            part.name: y[rows, 0] if y.shape[1] == 1 else PerPath(y[rows].T)
            for part, rows in _rows(model) if part.kind in kinds
        }  # fmt: skip
        start |= {n: site.initial[n] for n in one.velocities if n in site.initial} if by_velocities else {}
        out |= {plan.name_at(name, i, 0): value for name, value in start.items()}
    return out


def _pushed(self: Any, kind: int, site: Any, definition: Definition) -> dict[str, Any]:
    """The velocities of a start less what edges add to them, where these have a force on momenta."""
    plan, out = self._plan, dict[str, Any]()
    for name in definition.velocities:
        force = self.values.get(f"{plan.name_at(definition.momentum_name(name), kind, 0)}_{OF_EDGES}")
        value = site.initial.get(name)
        numbers = np.asarray(
            force.values if isinstance(force, PerPath) else force if force is not None else 0.0, dtype=float
        )
        if value is None or not numbers.any():
            continue
        own = np.asarray(value.values if isinstance(value, PerPath) else value, dtype=float)
        own = own if isinstance(value, PerPath) else np.atleast_1d(own)[None]
        rows = own.reshape(len(own), -1) - numbers.reshape(-1, numbers.shape[-1])
        out[name] = PerPath(rows) if len(rows) > 1 else rows[0]
    return out


def _rows(model: Any) -> list[tuple[Any, slice]]:
    out, begin = [], 0
    for part in model.structure.shape.variables:
        out.append((part, slice(begin, begin + part.dimension)))
        begin += part.dimension
    return out


def noise_kinds(system: Any) -> list[int]:
    """The kind of site of each noise of a cell, in their order: transport noise, noise Hamiltonians, independent forces."""
    return [kind for several in _noises(system) for kind, count in enumerate(several) for _ in range(count)]


def _noises(system: Any) -> list[list[int]]:
    """The number of noises of each kind of site, of each sort."""
    plan, one = type(system)._plan, system.workings.of_one_path
    definition = one.workings.definition()
    ones = np.ones(definition.group.dimension)
    xi = Blocks.split(ones, definition.group.blocks)
    a = Blocks.split(definition.orbit_point(definition.group.identity), definition.advected_layout)
    out: list[list[int]] = [[], [], []]
    for i, site in enumerate(plan.sites(one)):
        here = plan.values_at(i, xi=xi, p=xi, a=a, t=0.0)
        out[0].append(len(amplitudes_at(site.constraint.noise, here)))
        out[1].append(len(listed(site.noise_hamiltonian, here)))
        out[2].append(len(listed(site.forces.independent, here)))
        forces = len(listed(site.forces.noise, here))
        if forces > out[0][-1]:
            raise errors.DefinitionError(
                f"noise_force of the kind {plan.names[i]!r}", expected=f"as many forces as transport noises, {out[0][-1]}",
                got=str(forces), hint="Add transport noises of zeros, or write independent_force.",
            )  # fmt: skip
    return out


def _refuse_noises(lattice: str, system: Any) -> None:
    """Raise an error for noises of several kinds of sites that are not put together."""
    plan, counts = type(system)._plan, _noises(system)
    noises = [site.constraint.noise for site in plan.sites(system.workings.of_one_path)]
    if any(noise.formal for noise in noises) and any(
        not isinstance(noise, ConstantNoise | PrescribedNoise) and not noise.formal for noise in noises
    ):
        raise errors.DefinitionError(
            f"the kinds of {lattice}", expected="noise that is formal at all of them, or at none", got="formal and varied noise",
            hint="See sd.noise.FormalNoise.",
        )  # fmt: skip
    if plan.common and len({tuple(bool(of_kind[i]) for of_kind in counts) for i in range(len(plan.names))}) > 1:
        raise errors.DefinitionError(
            f"common_noise of {lattice}", expected="kinds of sites whose noise is stated in the same way",
            got="transport noise, noise Hamiltonians or forces at some of them alone",
            hint="State it for all kinds by constraint(), noise_hamiltonian or independent_force, with zeros if there is none.",
        )  # fmt: skip


def energy_of_kind(system: Any, kind: int, state: Any) -> Any:
    """The energy of the site of a kind in a cell whose edges have no force, h or ⟨p, ξ⟩ − l."""
    plan = type(system)._plan
    one, names = plan.sites(system.workings.symbolic)[kind], plan.sizes(kind)
    p = Blocks({name: state[plan.momentum_names[plan.name_at(name, kind, size)]] for name, size in names.items()})
    a = {name: state[plan.name_at(name, kind, q.dimension)] for name, q in one.advected.items()}
    if one.by_hamiltonian:
        return user_code.call(one.hamiltonian, p=p, a=Blocks(a), t=state.t, z=None)
    xi = plan.at(state, kind, names)
    return ops.dot(p.vector, xi.vector) - user_code.call(one.lagrangian, xi=xi, a=Blocks(a), t=state.t, z=None)
