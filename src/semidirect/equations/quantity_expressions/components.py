"""The components of a quantity as expressions of a derived program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from semidirect.core import errors, user_code
from semidirect.definition import Observable

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
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
    from semidirect.core import symbols

    if not (isinstance(quantity, Observable) or callable(quantity)):
        raise errors.InputError(
            "a quantity", expected="a name, an expression or a function of the state", got=repr(quantity)
        )
    function = partial(quantity.method, system.workings.symbolic) if isinstance(quantity, Observable) else quantity
    what = f"the observable {quantity.method.__name__!r}" if isinstance(quantity, Observable) else "the quantity"
    with user_code.tracing():
        rows = list(symbols.exact_rows(user_code.apply(function, sde.scope, what), what))
    if not rows:
        raise errors.DefinitionError(
            f"{what} has no component", expected="a number or a list of numbers", got="an empty list"
        )
    return rows
