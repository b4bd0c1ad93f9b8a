"""The arguments of a run, with their types: functions that run paths take some of them, under the same names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Required, TypeAlias, TypedDict

from semidirect.engines import Execution
from semidirect.random import StartNumbers
from semidirect.specification import Checks, Formulation, MethodLike, Reduce, Save, conditions, seeds
from semidirect.statistics import Statistic

__all__ = ["DEFAULTS", "EnsembleArguments", "RunArguments", "Schedule", "Start", "Statistics", "Stops"]

Start: TypeAlias = Mapping[str, Any] | Callable[[StartNumbers, int], Mapping[str, Any]] | None
Schedule: TypeAlias = str | Sequence[float] | Save
Statistics: TypeAlias = str | Statistic | Sequence[str | Statistic] | Reduce
Stops: TypeAlias = conditions.Condition | Sequence[conditions.Condition]


class EnsembleArguments(TypedDict, total=False):
    """The arguments of :meth:`.System.ensemble`, whose paths are advanced step by step."""

    dt: Required[float]
    t_start: float | None
    paths: int | None
    seed: seeds.Seed
    method: MethodLike | None
    state: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None
    driver: Any
    checks: Checks | None
    execution: Execution | None
    formulation: Formulation | None


class RunArguments(EnsembleArguments, total=False):
    """Those of a run, of :meth:`.System.simulate`, whose documentation says what they mean and which defaults they have."""

    t_end: Required[float]
    save: Schedule
    reduce: Statistics | None
    stop: Stops | None


DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "t_start": None,
        "paths": None,
        "seed": seeds.DEFAULT,
        "method": None,
        "state": None,
        "driver": None,
        "save": "all",
        "reduce": None,
        "stop": None,
        "checks": None,
        "execution": None,
        "formulation": None,
    }
)
"""What those that may be left out are then."""
