"""The unit of a quantity, a component or an expression of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from semidirect.definition import labels
from semidirect.expressions import UnitLabel, expression_text


def unit_of_quantity(text: str, units: Mapping[str, str], component: Callable[[str], tuple[str, int] | None],
                     size: Callable[[str], int]) -> str:  # fmt: skip
    """The unit, a list of them where components differ; empty where it is not known, or an expression is not homogeneous.

    Parameters
    ----------
    text : str
        A name, a component such as ``Omega1``, or an expression.
    units : mapping name → str
        Those of quantities, and of parameters as ``parameter.mass``.
    component : callable(name) → (name, int) or None
        The quantity, and the number from 0 of the component, that a name stands for.
    size : callable(name) → int
        The number of components of a quantity.
    """

    def of_name(name: str) -> str:
        if name in unit_table:
            return unit_table[name]
        part = component(name)
        return "" if part is None else UnitLabel(units.get(part[0], "")).of_component(part[1], size(part[0]))

    text = expression_text.spaced_difference(text, lambda part: part in units or component(part)) or text
    if text in units or not expression_text.is_expression(text):
        unit_table = units
        return of_name(text)
    parameters = {
        name.removeprefix(labels.PARAMETER): unit for name, unit in units.items() if name.startswith(labels.PARAMETER)
    }
    unit_table = {
        "t": "s", "pi": "1", **{name: unit for name, unit in parameters.items() if ", " not in unit},
        **{name.replace("-", "_"): unit for name, unit in units.items() if not name.startswith(labels.PARAMETER)},
    }  # fmt: skip
    return expression_text.unit_of_expression(text, of_name)
