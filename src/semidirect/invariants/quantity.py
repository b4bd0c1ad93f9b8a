"""What a name, an observable, a function or a text says as expressions of a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from semidirect.core.blocks import Blocks
from semidirect.core.component_names import hyphenated, identifier
from semidirect.core.errors import InputError, UnknownNameError, unknown_quantity
from semidirect.core.expression import AT_POINTS, SizeLimits, evaluate_expression
from semidirect.definition.observables import Observable
from semidirect.equations.component_expressions import component_expressions
from semidirect.model.derived_equations import absent_quantities

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.equations.sde import StratonovichSDE

QuantityLike: TypeAlias = "str | Observable | Callable[[Blocks], Any]"
"""The name of an observable or of a state variable, an expression as text, or a function of the state."""


def expressions(system: SystemDefinition, quantity: QuantityLike, sde: StratonovichSDE,
                limits: SizeLimits = AT_POINTS) -> list[sp.Expr]:  # fmt: skip
    """A quantity's components as expressions of the program of ``sde``; ``limits`` are for what is given as text.

    Raises
    ------
    UnknownNameError
        For a name that the system does not have.
    InputError
        For a text that is not an expression.
    """
    if not isinstance(quantity, str):
        return component_expressions(system, quantity, sde)
    known = {**system.quantities(derived=True), **system.observables()}
    if quantity in known:
        return component_expressions(system, known[quantity], sde)
    if quantity in sde.named or quantity in sde.contact:
        return list(sde.named[quantity] if quantity in sde.named else sde.contact[quantity])
    if quantity in sde.coordinates:
        return [sde.coordinates[quantity]]
    if identifier(quantity).isidentifier() and quantity not in names(system, sde, sde.scope):
        system.refuse_absent(quantity)
        names_of = (*known, *sde.contact, *sde.named, *sde.coordinates)
        raise unknown_quantity("observable", quantity, names_of, absent_quantities(sde))
    try:
        return component_expressions(
            system, lambda state: evaluate_expression(quantity, names(system, sde, state), limits), sde
        )
    except UnknownNameError as error:
        system.refuse_absent(error.name)
        absent = absent_quantities(sde)
        name = hyphenated(str(error.name))
        raise unknown_quantity("quantity", name, (), absent) if name in absent else error from None


def scalar(system: SystemDefinition, quantity: QuantityLike, sde: StratonovichSDE, what: str) -> list[sp.Expr]:
    """The same of a quantity that has to have one component."""
    rows = expressions(system, quantity, sde)
    if len(rows) != 1:
        raise InputError(what, expected="a scalar", got=f"{len(rows)} components")
    return rows


def quantity_name(quantity: QuantityLike) -> str:
    """How to call a quantity in a report."""
    if isinstance(quantity, str):
        return quantity
    name = getattr(quantity.method if isinstance(quantity, Observable) else quantity, "__name__", "Q")
    return "Q" if name == "<lambda>" else hyphenated(name)


def names(system: SystemDefinition, sde: StratonovichSDE, state: Any) -> Mapping[str, Any]:
    """What may stand in an expression: the state and its components, parameters, observables (``_`` for ``-``)."""
    found: dict[str, Any] = {}
    for name, rows in sde.contact.items():
        found[identifier(name)] = rows if len(rows) > 1 else rows[0]
    for name, method in {**system.quantities(derived=True), **system.observables()}.items():
        found[identifier(name)] = lambda method=method: method.method(system.symbolic, state)
    for name, symbols in system.parameter_symbols.items():
        found[name] = symbols if symbols.ndim else symbols.item()
    for name, rows in sde.named.items():
        values = np.asarray(rows, dtype=object)
        found |= {f"{name}{i + 1}": x for i, x in enumerate(values)} if len(values) > 1 else {}
        found[name] = values if len(values) > 1 else values[0]
    return found | dict(sde.coordinates) | {"t": sde.setting.t}
