"""What the equations of a system conserve, by proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from semidirect.core.display import Brief
from semidirect.core.errors import SemidirectError
from semidirect.invariants.prove import prove

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition

__all__ = ["Constants", "constants_of"]


@final
@dataclass(frozen=True, repr=False)
class Constants(Brief):
    """Quantities that the equations conserve, each by a proof at exact points.

    Attributes
    ----------
    along_all : tuple of str
        Neither the drift nor any noise changes them.
    along_drift : tuple of str
        The drift does not change them, and a noise does.
    undecided : tuple of str
        No proof and no counterexample was found.
    """

    along_all: tuple[str, ...]
    along_drift: tuple[str, ...]
    undecided: tuple[str, ...]


def constants_of(system: SystemDefinition, more: Sequence[str] = (), *, noise: bool = True) -> Constants:
    """The observables of a system, and more quantities, by what the equations do to them; proofs are kept with the system."""
    names = tuple(dict.fromkeys([*system.observables(), *more]))
    found: Constants = system.known((constants_of, names, noise), lambda: _proved(system, names, noise))
    return found


def _proved(system: SystemDefinition, names: Sequence[str], noise: bool) -> Constants:
    along_all, along_drift, undecided = [], [], []
    for name in names:
        try:
            verdicts = prove(system, name, along="both" if noise else "drift", symbolic=False).verdicts
        except SemidirectError:
            if name not in system.observables():  # an expression that cannot be read
                raise
            undecided.append(name)
            continue
        if all(v.holds for v in verdicts):
            along_all.append(name)
        elif verdicts[0].holds and any(v.holds is False for v in verdicts):
            along_drift.append(name)
        elif all(v.holds is not False for v in verdicts):
            undecided.append(name)
    return Constants(tuple(along_all), tuple(along_drift), tuple(undecided))
