"""The arguments of a run, with their types: functions that run paths take some of them, under the same names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Required, TypeAlias, TypedDict

from semidirect.ensemble.checks import Checks
from semidirect.ensemble.condition import Condition
from semidirect.ensemble.default_method import MethodLike
from semidirect.ensemble.execution import Execution
from semidirect.ensemble.formulation import Formulation
from semidirect.ensemble.reduce import Reduce
from semidirect.ensemble.reductions.reduction import Statistic
from semidirect.ensemble.save import Save
from semidirect.ensemble.seeds import DEFAULT, Seed

__all__ = ["DEFAULTS", "EnsembleArguments", "RunArguments", "Schedule", "Statistics", "Stops"]

Schedule: TypeAlias = str | Sequence[float] | Save
Statistics: TypeAlias = str | Statistic | Sequence[str | Statistic] | Reduce
Stops: TypeAlias = Condition | Sequence[Condition]


class EnsembleArguments(TypedDict, total=False):
    """Those of paths that are advanced step by step, of :meth:`.System.ensemble`."""

    dt: Required[float]
    t_start: float | None
    paths: int | None
    seed: Seed
    method: MethodLike | None
    state: Mapping[str, Any] | None
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


DEFAULTS: Mapping[str, Any] = MappingProxyType({
    "t_start": None, "paths": None, "seed": DEFAULT, "method": None, "state": None, "driver": None, "save": "all", "reduce": None,
    "stop": None, "checks": None, "execution": None, "formulation": None,
})  # fmt: skip
"""What those that may be left out are then."""
