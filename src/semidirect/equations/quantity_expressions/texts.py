"""A quantity given as text, as expressions of the program of the equations."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors
from semidirect.definition import labels
from semidirect.equations.quantity_expressions.components import component_expressions
from semidirect.expressions import component_names, expression_sizes, expression_text

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.definition import SystemDefinition
    from semidirect.equations.sde import StratonovichSDE

REACTION = "reaction"
"""The quantity that every system with a constraint has, unless it declares another one of that name."""


def text_expressions(
    system: SystemDefinition,
    text: str,
    sde: StratonovichSDE,
    limits: expression_sizes.SizeLimits = expression_sizes.AT_POINTS,
) -> list[sp.Expr]:
    """The components of a name, or of an expression of names; ``limits`` are for expressions.

    Raises
    ------
    UnknownNameError
        For a name that the system does not have.
    InputError
        For a text that is not an expression.
    """
    quantities = {**system.workings.quantities(derived=True), **system.observables()}
    if text in quantities:
        return component_expressions(system, quantities[text], sde)
    if text in sde.named or text in sde.contact:
        return list(sde.named[text] if text in sde.named else sde.contact[text])
    if text in sde.coordinates:
        return [sde.coordinates[text]]
    if text in (several := _several_coordinates(sde)):
        return list(several[text])
    alone = not expression_text.is_expression(text)

    def read(line: str) -> list[sp.Expr]:
        return component_expressions(
            system,
            lambda state: expression_text.evaluate_expression(line, names_in_text(system, sde, state), limits),
            sde,
        )

    try:
        return read(component_names.identifier(text) if alone else text)
    except errors.UnknownNameError as error:
        if alone and "-" in text:
            with suppress(errors.UnknownNameError):
                return read(text)  # M1-M2
        system.workings.refuse_absent(text if alone else error.name)
        absent = absent_quantities(sde)
        if alone:
            names_of = (*quantities, *sde.contact, *sde.named, *_several_coordinates(sde), *sde.coordinates)
            raise errors.unknown_quantity("observable", text, names_of, absent) from None
        name = component_names.hyphenated(str(error.name))
        raise errors.unknown_quantity("quantity", name, (), absent) if name in absent else error from None


def names_in_text(system: SystemDefinition, sde: StratonovichSDE, state: Any) -> Mapping[str, Any]:
    """The names for expressions, and those of components: the state, parameters, observables (``_`` for ``-``)."""
    names: dict[str, Any] = {}
    for name, rows in sde.contact.items():
        names[component_names.identifier(name)] = rows if len(rows) > 1 else rows[0]
    for name, method in {**system.workings.quantities(derived=True), **system.observables()}.items():
        names[component_names.identifier(name)] = lambda method=method: method.method(system.workings.symbolic, state)
    for name, symbols in system.workings.parameter_symbols.items():
        names[name] = symbols if symbols.ndim else symbols.item()
    for name, rows in sde.named.items():
        values = np.asarray(rows, dtype=object)
        names[name] = values if len(values) > 1 else values[0]
    coordinates = {name: rows for name, rows in _several_coordinates(sde).items() if name not in names}
    return names | coordinates | dict(sde.coordinates) | {"t": sde.setting.t}


def _several_coordinates(sde: StratonovichSDE) -> dict[str, np.ndarray]:
    """The coordinates of s that form one quantity of a run, such as ``g`` and ``x``."""
    rows, places = list(sde.coordinates.values()), component_names.grouped(tuple(sde.coordinates))
    return {stem: np.array([rows[i] for i in where], dtype=object) for stem, where in places.items() if len(where) > 1}


def absent_quantities(sde: StratonovichSDE) -> dict[str, str]:
    """Quantities of constraints and contacts that an SDE does not have, with the reason."""
    free = "nothing is constrained" if sde.definition.has_energy else "no Lagrangian is stated"
    absent = {} if REACTION in sde.named else {REACTION: free}
    if sde.setting.parts is not None:
        return absent | _absent_of_parts(sde)
    contact = sde.setting.contact
    if contact is None:
        reason = "no contact is stated: Rolling is one, other constraints need contact=sd.Contact(linear, normal)"
    else:
        reason = contact.absent
    return absent | {name: reason or "its point is not stated" for name in labels.OF_CONTACT if name not in sde.contact}


def _absent_of_parts(sde: StratonovichSDE) -> dict[str, str]:
    """Quantities of single constraints that an SDE does not have, with the reason."""
    parts = sde.setting.parts
    assert parts is not None
    absent: dict[str, str] = {}
    for name in parts.rows:
        terms = parts.contacts.get(name)
        reason = (
            "no contact is stated: give the constraint contact=sd.Contact(linear, normal)"
            if terms is None
            else terms.absent
        )
        absent |= {f"{name}-{one}": reason or "its point is not stated" for one in labels.OF_CONTACT}
    several = "there are several constraints: put the name of one before it, such as "
    first = next(iter(parts.contacts), next(iter(parts.rows)))
    absent |= {one: f"{several}{first}-{one}" for one in labels.OF_CONTACT}
    return {name: reason for name, reason in (absent | dict(parts.undetermined)).items() if name not in sde.contact}
