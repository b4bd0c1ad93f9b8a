"""Several systems that do not interact, or do along edges, as one system on the product of their groups."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import Blocks, errors, ops, user_code
from semidirect.definition import (
    ConstantNoise,
    FormalNoise,
    PrescribedNoise,
    StateNoise,
    Unconstrained,
)
from semidirect.groups import Advected, LieGroup, Pullback
from semidirect.lattices.stated_in_momenta import refuse_not_quadratic, stated_in_momenta
from semidirect.system import System

if TYPE_CHECKING:
    from semidirect.definition import Definition


class ProductPlan(ABC):
    """The members of a product, the names of their variables, and the functions of the system that they are.

    Attributes
    ----------
    ones : list of :class:`~semidirect.definition.Definition`
        The members, with numbers.
    kinds : list of int
        The kind of each member.
    in_momenta : bool
        Whether members with a Lagrangian are stated by their Hamiltonians.
    common : bool
        Whether noise k of all members is the same.
    group : LieGroup
    """

    ones: list[Definition]
    kinds: list[int]
    in_momenta: bool
    common: bool
    group: LieGroup

    def _members(self, what: str, definitions: Sequence[Definition], kinds: Sequence[int], in_momenta: bool) -> None:
        """Take the members, of which none has what a product does not."""
        self.kinds, self.in_momenta = list(kinds), in_momenta
        if in_momenta:
            for kind in dict.fromkeys(kinds):
                refuse_not_quadratic(definitions[self.kinds.index(kind)], what)
        self.ones = [self.as_solved(one) for one in definitions]
        self._starts = np.concatenate([[0], np.cumsum([one.group.dimension for one in definitions])])

    def as_solved(self, definition: Definition) -> Definition:
        """A member by its Hamiltonian, where the product is stated by one."""
        return stated_in_momenta(definition) if self.in_momenta else definition

    @abstractmethod
    def name_at(self, name: str, member: int, size: int) -> str:
        """The name of a variable of a member."""

    @abstractmethod
    def sites(self, system: Any) -> Sequence[Definition]:
        """The members with the parameters of a system."""

    def of_edges(self, system: Any, **at: Any) -> Any:
        """The sum of the energies of edges between the members."""
        return 0

    # -- names -----------------------------------------------------------------------------------------------------

    def sizes(self, member: int) -> dict[str, int]:
        """The blocks of the algebra of a member."""
        return {name: part.stop - part.start for name, part in self.ones[member].group.blocks.items()}

    def _all(self) -> list[tuple[int, str, int]]:
        return [(i, name, size) for i in range(len(self.ones)) for name, size in self.sizes(i).items()]

    @property
    def advected(self) -> dict[str, Advected]:
        """Those of all members, one after another."""

        def at(q: Advected, member: int) -> Advected:
            blocks = tuple(self.name_at(name, member, size) for name, size in self.sizes(member).items())
            return Advected(Pullback(q.representation, self.group, blocks), q.exact_reference, q.unit)

        return {
            self.name_at(n, i, q.dimension): at(q, i)
            for i, one in enumerate(self.ones)
            for n, q in one.advected.items()
        }

    @property
    def momentum_names(self) -> dict[str, str]:
        """As of the members."""
        return {
            self.name_at(name, i, size): self.name_at(self.ones[i].momentum_name(name), i, size)
            for i, name, size in self._all()
        }

    @property
    def units(self) -> dict[str, str]:
        """As of the members; of coordinates they are not stated."""
        out = dict[str, str]()
        for i, one in enumerate(self.ones):
            sizes = self.sizes(i)
            sizes |= {one.momentum_name(n): k for n, k in sizes.items()}
            out |= {self.name_at(n, i, sizes[n]): u for n, u in one.units.items() if n in sizes}
        return out

    # -- parts of vectors ------------------------------------------------------------------------------------------

    def values_at(self, member: int, **of_all: Any) -> dict[str, Any]:
        """The arguments of a function of a member."""
        sizes = self.sizes(member)
        names = {"xi": sizes, "p": sizes, "a": {n: q.dimension for n, q in self.ones[member].advected.items()}}
        return {k: self.at(v, member, names[k]) if k in names else v for k, v in of_all.items()}

    def at(self, blocks: Any, member: int, names: Mapping[str, int]) -> Blocks:
        """The blocks of a member among those of all."""
        return Blocks({name: blocks[self.name_at(name, member, size)] for name, size in names.items()})

    def embedded(self, vector: Any, member: int) -> Any:
        """A vector of the algebra of a member in that of the product."""
        before, after = self._starts[member], self._starts[-1] - self._starts[member + 1]
        return ops.array([*[0] * int(before), *ops.array(vector), *[0] * int(after)])

    def in_order(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """The values of each member for each of its noises, in the order of the noises: kind after kind, of which noise k of all
        members comes before noise k + 1; common ones are added.
        """
        if self.common:
            return [sum(x for x in one if x is not None) for one in zip_longest(*rows)]
        of_kind = [
            [row for row, kind in zip(rows, self.kinds, strict=True) if kind == k] for k in dict.fromkeys(self.kinds)
        ]
        return [x for several in of_kind for one in zip(*several, strict=True) for x in one]

    @property
    def stated(self) -> dict[str, Callable[..., Any]]:
        """The functions that the members state, by the names of those of a system."""
        has = {
            "lagrangian": [one.lagrangian for one in self.ones], "hamiltonian": [one.hamiltonian for one in self.ones],
            "noise_hamiltonian": [one.noise_hamiltonian for one in self.ones],
            "force": [one.forces.drift for one in self.ones], "noise_force": [one.forces.noise for one in self.ones],
            "independent_force": [one.forces.independent for one in self.ones],
        }  # fmt: skip
        return {name: FUNCTIONS[name] for name, several in has.items() if any(f is not None for f in several)}


def product_system(plan: ProductPlan, like: Any, own: Mapping[str, Any]) -> type[System]:
    """The class of a system on the product, with the name and the documentation of another class; ``own`` has more attributes."""
    kind: Any = type(System)
    product: type[System] = kind(
        like.__name__, (System,),
        {
            "group": plan.group, "advected": plan.advected, "momentum_names": plan.momentum_names, "units": plan.units,
            "_plan": plan, "constraint": _constraint, "__doc__": like.__doc__, "__module__": like.__module__,
            "__qualname__": f"<locals>.{like.__qualname__}", **plan.stated, **own,
        },
    )  # fmt: skip
    return product


def refuse_not_in_a_product(what: str, definition: Definition, site: Any) -> None:
    """Raise an error for a system that is no factor of a product."""
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


def _energy(self: Any, which: str, **at: Any) -> Any:
    plan: ProductPlan = self._plan
    return sum(
        user_code.call(getattr(one, which), z=None, **plan.values_at(i, **at)) for i, one in enumerate(plan.sites(self))
    )


def _lagrangian(self: Any, xi: Any, a: Any, t: Any) -> Any:
    return _energy(self, "lagrangian", xi=xi, a=a, t=t) - self._plan.of_edges(self, xi=xi, a=a, t=t)


def _hamiltonian(self: Any, p: Any, a: Any, t: Any) -> Any:
    return _energy(self, "hamiltonian", p=p, a=a, t=t) + self._plan.of_edges(self, p=p, a=a, t=t)


def listed(function: Any, at: Mapping[str, Any]) -> list[Any]:
    """The list that a function of a member, if there is one, returns at these arguments."""
    return [] if function is None else list(user_code.call(function, z=None, **at))


def _noise_hamiltonian(self: Any, p: Any, a: Any, t: Any) -> Any:
    plan: ProductPlan = self._plan
    return plan.in_order(
        [listed(one.noise_hamiltonian, plan.values_at(i, p=p, a=a, t=t)) for i, one in enumerate(plan.sites(self))]
    )


def _force(self: Any, xi: Any, a: Any, t: Any) -> Any:
    plan: ProductPlan = self._plan

    def of(one: Definition, i: int) -> Any:
        if one.forces.drift is None:
            return [0] * one.group.dimension
        return ops.array(user_code.call(one.forces.drift, z=None, **plan.values_at(i, xi=xi, a=a, t=t)))

    return ops.array([x for i, one in enumerate(plan.sites(self)) for x in of(one, i)])


def _noise_force(self: Any, xi: Any, a: Any, t: Any) -> Any:
    """As many as there are transport noises of each member, whose Wiener processes they have."""
    plan: ProductPlan = self._plan
    rows = []
    for i, one in enumerate(plan.sites(self)):
        here = plan.values_at(i, xi=xi, a=a, t=t)
        own = [plan.embedded(F, i) for F in listed(one.forces.noise, here)]
        missing = len(amplitudes_at(one.constraint.noise, here)) - len(own)
        rows.append([*own, *[plan.embedded([0] * one.group.dimension, i)] * max(0, missing)])
    return plan.in_order(rows)


def amplitudes_at(noise: Any, at: Mapping[str, Any]) -> list[Any]:
    """The amplitudes of transport noise at the arguments of a function of a member."""
    return list(noise.amplitudes(**{"z": None, **at}))


def _independent_force(self: Any, xi: Any, a: Any, t: Any) -> Any:
    plan: ProductPlan = self._plan
    return plan.in_order(
        [
            [plan.embedded(F, i) for F in listed(one.forces.independent, plan.values_at(i, xi=xi, a=a, t=t))]
            for i, one in enumerate(plan.sites(self))
        ]
    )


def _constraint(self: Any) -> Unconstrained:
    """The noise of all members, of the kind that it is of them."""
    plan: ProductPlan = self._plan
    noises = [one.constraint.noise for one in plan.sites(self)]

    def amplitudes(**at: Any) -> list[Any]:
        return plan.in_order(
            [
                [plan.embedded(x, i) for x in amplitudes_at(noise, plan.values_at(i, **at))]
                for i, noise in enumerate(noises)
            ]
        )

    if all(isinstance(noise, ConstantNoise) for noise in noises):
        return Unconstrained(noise=ConstantNoise(amplitudes()))
    if any(noise.formal for noise in noises):
        return Unconstrained(noise=FormalNoise(lambda xi, a, t: amplitudes(xi=xi, a=a, t=t)))
    if all(isinstance(noise, ConstantNoise | PrescribedNoise) for noise in noises):
        return Unconstrained(noise=PrescribedNoise(lambda t: amplitudes(t=t)))
    return Unconstrained(noise=StateNoise(lambda a, t: amplitudes(a=a, t=t)))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "lagrangian": _lagrangian, "hamiltonian": _hamiltonian, "noise_hamiltonian": _noise_hamiltonian, "force": _force,
    "noise_force": _noise_force, "independent_force": _independent_force,
}  # fmt: skip
