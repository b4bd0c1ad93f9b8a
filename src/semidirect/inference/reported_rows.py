"""The rows of the quantities that a filter reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from semidirect.core import arguments
from semidirect.inference.observation import observations_of
from semidirect.inference.summary import ELEMENT
from semidirect.model import NumericalSDE
from semidirect.quantities import Quantities

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["reported_rows", "with_observed"]


def reported_rows(system: SystemDefinition, names: Sequence[str] | None) -> dict[str, Sequence[Any]]:
    """The rows of the quantities to report; those of the configuration are the coordinates of s."""
    model = NumericalSDE.of(system)
    if names is None:
        shape = NumericalSDE.of(system, variables="velocity").structure.shape
        element = [ELEMENT] if model.coordinates else []
        names = [*shape.first, *shape.matrices, *model.definition.advected, *element]
        names = names or [variable.name for variable in shape.variables]  # of kinematics without a configuration
    names = arguments.validated_names("quantities", names, least=1)
    contents = Quantities.of(system, model, [name for name in names if name != ELEMENT])
    return {name: model.coordinate_rows if name == ELEMENT else contents.everything[name] for name in names}


def with_observed(system: SystemDefinition, observation: Any) -> list[str]:
    """The usual quantities, after those that are observed by name."""
    names: list[str] = []
    for one in observations_of(observation):
        if not callable(one.values):
            names += [one.values] if isinstance(one.values, str) else one.values
    return list(dict.fromkeys([*names, *reported_rows(system, None)]))
