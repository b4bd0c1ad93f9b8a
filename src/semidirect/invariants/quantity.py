"""A name, an observable, a function or a text as expressions of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from semidirect.core import Blocks, errors
from semidirect.definition import Observable
from semidirect.equations import quantity_expressions
from semidirect.expressions import component_names, expression_sizes

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE

QuantityLike: TypeAlias = "str | Observable | Callable[[Blocks], Any]"
"""The name of an observable or of a state variable, an expression as text, or a function of the state."""


def expressions(system: SystemDefinition, quantity: QuantityLike, sde: StratonovichSDE,
                limits: expression_sizes.SizeLimits = expression_sizes.AT_POINTS) -> list[sp.Expr]:  # fmt: skip
    """A quantity's components as expressions of the program of ``sde``; ``limits`` apply to text.

    Raises
    ------
    UnknownNameError
        For a name that the system does not have.
    InputError
        For a text that is not an expression.
    """
    if not isinstance(quantity, str):
        return quantity_expressions.component_expressions(system, quantity, sde)
    return quantity_expressions.text_expressions(system, quantity, sde, limits)


def scalar(system: SystemDefinition, quantity: QuantityLike, sde: StratonovichSDE, what: str) -> list[sp.Expr]:
    """The same for a quantity that must have one component."""
    rows = expressions(system, quantity, sde)
    if len(rows) != 1:
        raise errors.InputError(what, expected="a scalar", got=f"{len(rows)} components")
    return rows


def quantity_name(quantity: QuantityLike) -> str:
    """The name of a quantity in a report."""
    if isinstance(quantity, str):
        return quantity
    name = getattr(quantity.method if isinstance(quantity, Observable) else quantity, "__name__", "Q")
    return "Q" if name == "<lambda>" else component_names.hyphenated(name)
