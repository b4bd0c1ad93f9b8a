"""The systems of the library and how their observables move, worked out once for all tests of a process."""

from __future__ import annotations

from functools import cache

import numpy as np

import semidirect as sd
from semidirect.pages.printing import evolution_text
from semidirect.state import InitialState


@cache
def loaded(name: str) -> sd.System:
    """A system, which keeps its pages and the evolutions of what it names."""
    return sd.load(name)


@cache
def evolutions(name: str) -> dict[str, tuple[str, str]]:
    """The text and the LaTeX of each observable of a system."""
    system = loaded(name)
    laws = {observable: system.evolution(observable) for observable in system.observables()}
    return {k: (evolution_text(system, e), evolution_text(system, e, latex=True)) for k, e in laws.items()}


def start_turned(system):
    """Momenta of the recommended start, moved by a fixed element of the group: where a Hamiltonian has a value."""
    g = system.group.exp(np.random.default_rng(3).uniform(-0.5, 0.5, system.group.dimension))
    return sd.representations.CoadjointRepresentation(system.group).act(g, InitialState.of(system, None).u[:, 0])
