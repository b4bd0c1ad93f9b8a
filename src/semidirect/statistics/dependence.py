"""How the paths of a run depend on each other, and what error of a mean that leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import errors

__all__ = ["Dependence", "spread"]


@final
@dataclass(frozen=True)
class Dependence:
    """How the paths of a run depend on each other.

    Attributes
    ----------
    one_noise : bool
        Whether several of them have one realisation of the noise.
    replications : int
        The number of independent replications, each of paths that depend on each other; 0 for independent paths.
    """

    one_noise: bool = False
    replications: int = 0

    def refuse(self, what: str) -> None:
        """An :class:`InputError` for an error that is that of independent paths."""
        self.refuse_one_noise(what)
        if self.replications:
            raise errors.InputError(
                what, expected="independent paths", got=f"{self.replications} replications of paths that depend on each other",
                hint="Use driver=sd.Wiener(), or statistics of the run, reduce=…, whose errors come from the replications.",
            )  # fmt: skip

    def refuse_one_noise(self, what: str) -> None:
        """An :class:`InputError` for an error that paths with one realisation of the noise cannot tell."""
        if self.one_noise:
            raise errors.InputError(
                what, expected="paths whose noises are independent", got="one noise for all or for several of them",
                hint="The spread of these paths is that of their starts, not of the noise: means are conditional on it. Give "
                "each path its own noise, or average over time, sd.TimeAverage.",
            )  # fmt: skip

    def error_of_mean(self, values: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """The standard error of the mean of values of the paths with these numbers, nan if there are too few.

        From means of replications, if there are any, each of which needs a path.
        """
        count, replications = len(values), self.replications
        empty = np.full(values.shape[1:], np.nan)
        with np.errstate(over="ignore", invalid="ignore"):
            if not replications:
                return (
                    self.without_rounding(values.std(axis=0, ddof=1) / np.sqrt(count), values) if count > 1 else empty
                )
            each = [values[numbers % replications == r] for r in range(replications)]
            if any(not len(one) for one in each):
                return empty
            error: np.ndarray = np.std([one.mean(axis=0) for one in each], axis=0, ddof=1) / np.sqrt(replications)
        return self.without_rounding(error, values)

    @staticmethod
    def without_rounding(error: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The error of a mean of values, first axis; 0 where all are equal, whose mean differs from them by rounding."""
        return np.where((values == values[:1]).all(axis=0), 0.0, error)


def spread(result: Any, value: Callable[[Any], Any]) -> np.ndarray:
    """The standard error of a value of a statistic, from its values in the replications: of their mean."""
    each = np.array([value(one) for one in result.replications])
    with np.errstate(all="ignore"):
        return Dependence.without_rounding(np.std(each, axis=0, ddof=1) / np.sqrt(len(each)), each)
