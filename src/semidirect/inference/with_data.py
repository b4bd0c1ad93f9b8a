"""Observations of a system with their data, ordered by time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.arguments import validated_time
from semidirect.core.errors import InputError
from semidirect.core.time_labels import label
from semidirect.definition.a_system import a_system
from semidirect.ensemble.schedule import step_at
from semidirect.inference.labelled import validated_columns
from semidirect.inference.observation import observations_of
from semidirect.inference.series import Series
from semidirect.inference.sight import Sight
from semidirect.inference.sighting import Sighting

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition

__all__ = ["with_data"]


def with_data(system: SystemDefinition, observation: Any, data: Any, dt: float, t_start: float, columns: Any = None
              ) -> tuple[list[Sight], list[Sighting]]:  # fmt: skip
    """The observations of a system, and what was seen at each time of data.

    Raises
    ------
    InputError, UnknownNameError, DefinitionError
        As :meth:`.Sight.of` and :meth:`.Series.of`, and unless there are data of each observation.
    """
    a_system(system)
    dt = validated_time("dt", dt, positive=True)
    first = step_at("t_start", t_start, dt)
    several = observations_of(observation)
    given = list(data) if isinstance(data, list) else [data]
    if len(given) != len(several):
        raise InputError(
            "data", expected=f"a list with data of each of {len(several)} observations", got=f"{len(given)}"
        )
    sights = [Sight.of(one, system, f"observation {i}") for i, one in enumerate(several)]
    labels = validated_columns(columns, sights)
    series = [Series.of(one, sight, dt, first, labels) for one, sight in zip(given, sights, strict=True)]
    steps = np.unique(np.concatenate([one.steps for one in series])).tolist()
    return sights, [Sighting(label(step, dt), _data_at(step, sights, series)) for step in steps]


def _data_at(step: int, sights: list[Sight], series: list[Series]) -> list[tuple[Sight, np.ndarray]]:
    found = []
    for sight, one in zip(sights, series, strict=True):
        at = int(np.searchsorted(one.steps, step))
        if at < len(one.steps) and one.steps[at] == step:
            found.append((sight, one.values[at]))
    return found
