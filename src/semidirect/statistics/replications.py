"""Errors from independent replications, each of paths that depend on each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from semidirect.core import errors
from semidirect.statistics.reduction import Statistic

__all__ = ["error_of_mean", "refuse_replications", "refuse_without_errors", "spread"]


def refuse_without_errors(statistics: Sequence[Statistic], replications: int) -> None:
    """An :class:`InputError` for a statistic whose errors would be those of independent paths."""
    for one in statistics:
        if replications and not one.by_replication:
            raise errors.InputError(
                f"the statistic {one.key!r} of paths in replications", expected="one whose errors come from the replications",
                got=f"{type(one).__name__}, by_replication = False",
                hint="Use driver=sd.Wiener(), or take the errors in its result from the spread of taken.replicates.",
            )  # fmt: skip


def refuse_replications(what: str, replications: int) -> None:
    """An :class:`InputError` for an error that is that of independent paths."""
    if replications:
        raise errors.InputError(
            what, expected="independent paths", got=f"{replications} replications of paths that depend on each other",
            hint="Use driver=sd.Wiener(), or statistics of the run, reduce=…, whose errors come from the replications.",
        )  # fmt: skip


def spread(result: Any, value: Callable[[Any], Any]) -> np.ndarray:
    """The standard error of a value of a statistic, from its values in the replications: of their mean."""
    each = [value(one) for one in result.replications]
    with np.errstate(all="ignore"):
        error: np.ndarray = np.std(each, axis=0, ddof=1) / np.sqrt(len(each))
    return error


def error_of_mean(values: np.ndarray, numbers: np.ndarray, replications: int) -> np.ndarray:
    """The standard error of the mean of values of the paths with these numbers, from means of replications; nan if one has
    no path.
    """
    each = [values[numbers % replications == r] for r in range(replications)]
    if any(not len(one) for one in each):
        return np.full(values.shape[1:], np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        error: np.ndarray = np.std([one.mean(axis=0) for one in each], axis=0, ddof=1) / np.sqrt(replications)
    return error
