"""The systems of the library and how their observables move, worked out once for all tests of a process."""

from __future__ import annotations

from functools import cache

import semidirect as sd
from semidirect.pages.printing import evolution_text


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
