"""The components of a quantity as expressions of a derived program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from semidirect.core.errors import DefinitionError, InputError
from semidirect.core.signatures import apply
from semidirect.definition.observables import Observable

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.equations.sde import StratonovichSDE


def component_expressions(
    system: SystemDefinition, quantity: Observable | Callable[..., Any], sde: StratonovichSDE
) -> list[Any]:
    """An observable of a system, or a function of the state, as expressions of the program of its equations.

    Raises
    ------
    InputError
        For anything that is neither.
    DefinitionError
        For a quantity without components.
    """
    from semidirect.core.symbols import exact_rows
    from semidirect.core.tracing import tracing

    if not (isinstance(quantity, Observable) or callable(quantity)):
        raise InputError("a quantity", expected="a name, an expression or a function of the state", got=repr(quantity))
    function = partial(quantity.method, system.workings.symbolic) if isinstance(quantity, Observable) else quantity
    what = f"the observable {quantity.method.__name__!r}" if isinstance(quantity, Observable) else "the quantity"
    with tracing():
        rows = list(exact_rows(apply(function, sde.scope, what), what))
    if not rows:
        raise DefinitionError(f"{what} has no component")
    return rows
