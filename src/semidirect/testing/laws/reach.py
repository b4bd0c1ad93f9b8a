"""A check that parameters and options have an effect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, ValuesView
from contextlib import suppress
from functools import partial
from typing import Any, final

import numpy as np

from semidirect.core import Blocks, symbols, user_code
from semidirect.definition import GivenMotion, SystemDefinition, Workings
from semidirect.equations import SymbolicDefinition, derived_sde, quantity_expressions
from semidirect.testing.laws.law import unless
from semidirect.testing.laws.report import Outcome, failed, ok
from semidirect.testing.laws.subject import Subject
from semidirect.testing.laws.system_variants import structures, variants

BESIDE_EQUATIONS = tuple(name for name in Workings.STATED if name != "constraint")
"""Hooks in which a parameter may be read as a number: the start, the shape, references of advected quantities."""


def nothing_declared(subject: Subject) -> str:
    """Why there is nothing that could have an effect."""
    system = subject.system
    if isinstance(system, GivenMotion):
        return "its data are arguments"
    return "" if system.values or system.workings.choices else "no parameters and no options"


@unless(nothing_declared)
def reach(subject: Subject) -> Outcome:
    """Every parameter and option reaches an equation, an observable, the start or the shape, for some options and shapes."""
    system = subject.system
    parameters, options = set(system.values), set(system.workings.choices)
    for variant in _structures_and_shapes(subject):
        if not parameters and not options:
            break
        live = _in_expressions(variant, parameters) | _read_as_numbers(variant)
        empty = {name for name in parameters - live if not np.size(system.workings.all_symbols[name])}
        if options - live or empty:
            in_symbols = _read_as_symbols(variant)
            live |= in_symbols & (options | empty)
        parameters -= live
        options -= live
    names = [*(n for n in system.values if n in parameters), *(n for n in system.workings.choices if n in options)]
    if names:
        verb = "reaches" if len(names) == 1 else "reach"
        return failed(
            f"{', '.join(names)} {verb} no equation, no observable, neither the start nor the shape",
            f"{type(system).__name__}: use self.{names[0]} where it belongs, or remove it.",
        )
    return ok(f"{len(system.values)} parameters and {len(system.workings.choices)} options reach something")


def _structures_and_shapes(subject: Subject) -> Iterator[SystemDefinition]:
    """The system with each value of each option, then with parameters of other shapes, such as further noises.

    They are those of other laws, which have derived their equations.
    """
    system = subject.system
    yield from subject.known(structures).values()
    signatures = {system.workings.signature}
    for variant in subject.known(variants).values():
        if variant.workings.choices == system.workings.choices and variant.workings.signature not in signatures:
            signatures.add(variant.workings.signature)
            yield variant


@final
class _Recorded(Mapping[str, Any]):
    """Values of parameters or options that record which of them are read."""

    def __init__(self, values: Mapping[str, Any], names: set[str]):
        self._values, self._read = values, names

    def __getitem__(self, name: str) -> Any:
        self._read.add(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def values(self) -> ValuesView[Any]:
        """All of them at once, which is no use of each."""
        return self._values.values()


def _recorded(system: SystemDefinition, values: Mapping[str, Any], names: set[str]) -> SystemDefinition:
    """A copy with these values that records what is read."""
    twin = object.__new__(type(system))
    twin.__dict__.update(_values=_Recorded(values, names), _options=_Recorded(system.workings.choices, names))
    return twin


def _read_as_numbers(system: SystemDefinition) -> set[str]:
    """The parameters and options that are read beside the equations: for the start, the shape, references, existence."""
    names: set[str] = set()
    twin, observables = _recorded(system, system.values, names), type(system).workings.declared_observables().values()
    references = {name: quantity.reference for name, quantity in system.advected.items()}
    calls: list[Callable[[], Any]] = [partial(twin.workings.stated, name) for name in BESIDE_EQUATIONS]
    calls += [lambda: list(twin.initial.values()), lambda: twin.configuration(Blocks(references))]
    calls += [partial(o.needs, twin) for o in observables if o.needs is not None]
    for one in calls:
        with suppress(Exception):  # other laws report it
            one()
    return names


def _read_as_symbols(system: SystemDefinition) -> set[str]:
    """The parameters and options that functions of the definition and observables read."""
    names: set[str] = set()
    twin, scope = (
        _recorded(system, system.workings.symbolic.values, names),
        derived_sde(system, variables="velocity").scope,
    )
    twin.__dict__["_numbers"] = system  # at which constraints are joined
    with user_code.tracing():
        SymbolicDefinition.of(twin.workings.define_with(()))
        for quantity in system.workings.quantities(derived=False).values():
            quantity.method(twin, scope)
    return names


def _in_expressions(system: SystemDefinition, names: Collection[str]) -> set[str]:
    """Those parameters of which a symbol occurs in what the equations or, if any is left, observables are made of."""
    sde = derived_sde(system, variables="velocity")
    free = sde.program.needed()

    def present() -> set[str]:
        return {name for name in names if not free.isdisjoint(np.ravel(system.workings.all_symbols[name]).tolist())}

    if present() != set(names):
        expressions = [sde.energy, *(x for rows in sde.contact.values() for x in np.ravel(rows))]
        expressions += [
            x for o in system.observables().values() for x in quantity_expressions.component_expressions(system, o, sde)
        ]
        expressions += [x for z in sde.definition.internal_states for x in symbols.exact_rows(z.initial)]
        free = free | sde.program.with_outputs(e=expressions).needed()
    return present()
