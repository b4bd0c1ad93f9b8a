"""The identity of the equations of a run, in JSON's types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.core import PerPath

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model import NumericalSDE

EQUATIONS = ("system", "parameters", "options", "principle", "form", "variables")
PER_PATH = "per path"
"""Stands for a parameter whose values differ from path to path."""
DIRECTIONS = "directions"
"""The entry with the directions along which a run is differentiated, if there are any."""


def equations_of(system: SystemDefinition, model: NumericalSDE) -> dict[str, Any]:
    """System, parameters, options, principle, form and state variables: two models that agree in them step the same vector."""
    kind, shape = type(system), model.structure.shape
    values = system.values.items()
    along = {} if model.tangents is None else {DIRECTIONS: model.tangents.described()}
    return {
        "system": f"{kind.__module__}:{kind.__qualname__}",
        "parameters": {k: PER_PATH if isinstance(v, PerPath) else v.tolist() for k, v in values},
        "options": dict(system.choices),
        "principle": shape.principle,
        "form": shape.form,
        "variables": [v.name for v in shape.variables],
        **along,
    }
