"""A site with the forces of its edges: what is derived once for all sites of a kind."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from semidirect.core import ForkSafeLock, errors, ops, parameter, user_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semidirect.definition import Definition, SystemDefinition
    from semidirect.system import System

FORCES, VELOCITIES = "forces_of_edges", "velocities_of_edges"
STEMS = {FORCES: ("F", "F_e", "F_edge", "F_edges"), VELOCITIES: ("V", "V_e", "V_edge", "V_edges")}
"""Symbols, the first that the site does not have."""
_KINDS: WeakKeyDictionary[type, type] = WeakKeyDictionary()
_LOCK = ForkSafeLock()


def coupled_site(site: SystemDefinition, name: str) -> System:
    """The site whose Lagrangian has ⟨F, a⟩ in addition, or whose Hamiltonian has ⟨F, a⟩ + ⟨p, V⟩.

    The equations read the first derivatives of both by a and p alone, so with F and V the derivatives of the energies of edges
    they are those of the site in its lattice, whatever these energies are. F and V are parameters.
    """
    one = site if site.paths is None else site.at_path(0)
    definition = one.workings.definition()
    if not definition.has_energy:
        raise errors.DefinitionError(
            f"{name}.site", expected="a system with a Lagrangian or a Hamiltonian", got=type(site).__name__,
            hint="Energies of edges move momenta, and a motion that is given has none.",
        )  # fmt: skip
    sizes = {FORCES: sum(q.dimension for q in definition.advected.values()),
             VELOCITIES: sum(definition.first.values()) if definition.by_hamiltonian else 0}  # fmt: skip
    more = {key: np.zeros(size) for key, size in sizes.items()}
    return _kind(type(site))(**site.values, **site.choices, **more)


def _kind(kind: type) -> type[System]:
    """The class of the site with these parameters, made once."""
    with _LOCK:
        if kind not in _KINDS:
            _KINDS[kind] = _made(kind)
        return _KINDS[kind]


def _made(kind: Any) -> Any:
    class Coupled(kind):  # type: ignore[misc]
        forces_of_edges = parameter((), shape=(None,), doc="F, the sum of −∂V/∂a or ∂h/∂a over the edges")
        velocities_of_edges = parameter((), shape=(None,), doc="V, the sum of ∂h/∂p over the edges")

        def _define_with(self, parameters: Sequence[Any]) -> Definition:
            stated = super()._define_with(parameters)
            F, V = self.forces_of_edges, self.velocities_of_edges

            def linear(a: Any) -> Any:
                return ops.dot(F, a.vector) if len(F) else 0

            def lagrangian(xi: Any, a: Any, t: Any, z: Any) -> Any:
                return user_code.call(stated.lagrangian, xi=xi, a=a, t=t, z=z) + linear(a)

            def hamiltonian(p: Any, a: Any, t: Any, z: Any) -> Any:
                own = user_code.call(stated.hamiltonian, p=p, a=a, t=t, z=z) + linear(a)
                return own + ops.dot(V, p.vector) if len(V) else own

            by_h = stated.by_hamiltonian
            more: Any = {"hamiltonian": hamiltonian} if by_h else {"lagrangian": lagrangian}
            return replace(stated, **more).made_by(partial(self._define_with, parameters))

        def _symbol_stem(self, name: str) -> str:
            if name not in STEMS:
                return str(super()._symbol_stem(name))
            own = {super(Coupled, self)._symbol_stem(other) for other in self.values if other not in STEMS}
            return next(stem for stem in (*STEMS[name], f"{name}_") if stem not in own)

    Coupled.__name__, Coupled.__qualname__ = kind.__name__, f"<locals>.{kind.__qualname__}"
    Coupled.__module__, Coupled.__doc__ = kind.__module__, kind.__doc__
    return Coupled
