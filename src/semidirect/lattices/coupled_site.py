"""A site with the forces of its edges: what is derived once for all sites of a kind."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from semidirect.core import Blocks, ForkSafeLock, errors, ops, user_code
from semidirect.definition import Unconstrained, parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from semidirect.definition import Definition, SystemDefinition
    from semidirect.system import System

OF_EDGES = "of_edges"
"""The end of the name of each parameter that the edges give."""
_KINDS: WeakKeyDictionary[type, dict[tuple[str, ...], type]] = WeakKeyDictionary()
_LOCK = ForkSafeLock()


def coupled_site(site: SystemDefinition, sizes: Mapping[str, int]) -> System:
    """The site whose Hamiltonian has ⟨F, a⟩ + ⟨p, F_p⟩ in addition; whose Lagrangian is l(ξ + F_p, a) + ⟨F, a⟩, of which the
    Legendre transform is h − ⟨p, F_p⟩ − ⟨F, a⟩.

    The equations read the first derivatives by a and p alone, so with F the derivatives of the energies of edges, or less these,
    they are those of the site in its lattice, whatever these energies are. F is a parameter for each quantity; ``sizes`` has
    their names and sizes.
    """
    more = {f"{key}_{OF_EDGES}": np.zeros(size) for key, size in sizes.items()}
    return _kind(type(site), tuple(sizes))(**site.values, **site.workings.choices, **more)


def definition_of_site(site: SystemDefinition, name: str) -> Definition:
    """The definition of a site of one path.

    Raises
    ------
    DefinitionError
        For a site without energy.
    """
    definition: Definition = site.workings.of_one_path.workings.definition()
    if not definition.has_energy:
        raise errors.DefinitionError(
            f"{name}.site", expected="a system with a Lagrangian or a Hamiltonian", got=type(site).__name__,
            hint="Energies of edges move momenta, and a motion that is given has none.",
        )  # fmt: skip
    return definition


class Quantities(NamedTuple):
    """The arguments of energies of edges, names and sizes, in the order of a state.

    Attributes
    ----------
    momenta : dict str → int
        None where the site has a constraint.
    advected : dict str → int
    velocities : dict str → int
        None where momenta alone are the state, of a Hamiltonian.
    """

    momenta: dict[str, int]
    advected: dict[str, int]
    velocities: dict[str, int]


def quantities_of_edges(definition: Definition) -> Quantities:
    """Momenta, advected quantities and velocities of a site."""
    free = isinstance(definition.constraint, Unconstrained)
    velocities = definition.velocities if free else {}
    momenta = {definition.momentum_name(name): size for name, size in velocities.items()}
    advected = {name: q.dimension for name, q in definition.advected.items()}
    return Quantities(momenta, advected, {} if definition.by_hamiltonian else velocities)


def _kind(kind: type, names: tuple[str, ...]) -> type[System]:
    """The class of the site with these parameters, made once."""
    with _LOCK:
        by_names = _KINDS.setdefault(kind, {})
        if names not in by_names:
            by_names[names] = _made(kind, names)
        return by_names[names]


def _made(kind: Any, names: tuple[str, ...]) -> Any:
    def force(system: Any, name: str) -> Any:
        return np.atleast_1d(ops.array(getattr(system, f"{name}_{OF_EDGES}")))

    def linear(system: Any, blocks: Any, named: Callable[[str], str] = str) -> Any:
        """⟨F, a⟩, or ⟨p, F_p⟩."""
        several = [(force(system, named(block)), blocks[block]) for block in blocks]
        return sum((ops.dot(F, np.atleast_1d(value)) for F, value in several), 0)

    def _define_with(self: Any, parameters: Sequence[Any]) -> Definition:
        stated = kind._define_with(self, parameters)

        def pushed(xi: Any) -> Any:
            """ξ + F_p, where the edges have a force on momenta."""
            if not any(stated.momentum_name(block) in names for block in xi):
                return xi
            return Blocks({k: _sum(v, force(self, stated.momentum_name(k))) for k, v in xi.items()})

        def lagrangian(xi: Any, a: Any, t: Any, z: Any) -> Any:
            return user_code.call(stated.lagrangian, xi=pushed(xi), a=a, t=t, z=z) + linear(self, a)

        def hamiltonian(p: Any, a: Any, t: Any, z: Any) -> Any:
            own = user_code.call(stated.hamiltonian, p=p, a=a, t=t, z=z)
            return own + linear(self, a) + linear(self, p, stated.momentum_name)

        more: Any = {"hamiltonian": hamiltonian} if stated.by_hamiltonian else {"lagrangian": lagrangian}
        return replace(stated, **more).made_by(partial(self._define_with, parameters))

    def _symbol_stem(self: Any, name: str) -> str:
        if not name.endswith(OF_EDGES):
            return str(kind._symbol_stem(self, name))
        own = {kind._symbol_stem(self, other) for other in self.values if not other.endswith(OF_EDGES)}
        stem = f"F_{name.removesuffix(OF_EDGES).rstrip('_')}"
        return stem if stem not in own else f"{stem}_e"

    forces = {
        f"{name}_{OF_EDGES}": parameter((), shape=(None,), doc=f"the force of the edges on {name}") for name in names
    }
    own = {"__module__": kind.__module__, "__doc__": kind.__doc__, "__qualname__": f"<locals>.{kind.__qualname__}"}
    return type(kind)(
        kind.__name__, (kind,), {**own, **forces, "_define_with": _define_with, "_symbol_stem": _symbol_stem}
    )


def _sum(value: Any, force: np.ndarray) -> Any:
    return ops.array(value) + force if np.ndim(value) else value + force[0]
