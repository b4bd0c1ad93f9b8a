"""Data of an observation: values at times, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np

from semidirect.core.errors import InputError
from semidirect.core.time_labels import nearest_steps
from semidirect.inference.labelled import Labelled
from semidirect.inference.sight import Sight

__all__ = ["Series"]

MOST_STEPS = 1_000_000
"""Between two observations: more of them come from times in another unit."""


@final
@dataclass(frozen=True, eq=False)
class Series:
    """Data of an observation.

    Attributes
    ----------
    steps : int array (T,)
        Numbers of the steps, counted from t = 0, at whose ends there are data.
    values : array (T, marks, components)
        Data, nan where marks are missing.
    """

    steps: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, data: Any, sight: Sight, dt: float, first: int, columns: Mapping[str, str]) -> Self:
        """The data that a user gives for an observation, see :meth:`.Labelled.of`; ``columns`` are labels of quantities.

        Raises
        ------
        InputError
            For data of another shape or with other labels, infinite data, nan where nothing may be missing, times that are not
            ascending multiples of dt from the step ``first`` on, or that have a unit other than the second.
        """
        name = sight.observation.name
        given = Labelled.of(data, name, columns)
        times = given.times
        steps = _steps(times, dt, first, name)
        values = given.arranged(sight, columns)
        _check(values, times, sight)
        return cls(steps, values)


def _steps(times: np.ndarray, dt: float, first: int, name: str) -> np.ndarray:
    """The numbers of the steps at these times."""
    if times.ndim != 1 or not len(times) or not np.isfinite(times).all():
        raise InputError(
            f"times of the {name}", expected="finite numbers (T,), at least one", got=f"shape {times.shape}"
        )
    steps, off = nearest_steps(times, dt)
    if off.any():
        raise InputError(f"times of the {name}", expected=f"multiples of dt = {dt:g} s", got=f"{times[off][0]:.12g}",
                         hint="Are they in seconds?")  # fmt: skip
    gaps = np.diff(np.concatenate([[first], steps]))
    if gaps[0] < 0 or (gaps[1:] <= 0).any():
        at = 0 if gaps[0] < 0 else int(np.argmax(gaps[1:] <= 0)) + 1
        raise InputError(f"times of the {name}", expected=f"ascending times from t_start = {first * dt:g} s on",
                         got=f"{times[at]:g}", where=f"index {at}")  # fmt: skip
    if gaps.max() > MOST_STEPS:
        raise InputError(f"times of the {name}", expected=f"at most {MOST_STEPS} steps from one to the next",
                         got=f"{gaps.max():.0f}", hint=f"They are in seconds, and dt = {dt:g} s.")  # fmt: skip
    return steps.astype(np.int64)


def _check(values: np.ndarray, times: np.ndarray, sight: Sight) -> None:
    """Raise an error for infinite values, for parts of marks that are missing, and for marks that may not be missing."""
    name, lost = sight.observation.name, np.isnan(values)
    if np.isinf(values).any():
        i = int(np.argwhere(np.isinf(values))[0][0])
        raise InputError(f"data of the {name}", expected="finite numbers", got="∞", where=f"t = {times[i]:g}")
    partly = lost.any(axis=2) & ~lost.all(axis=2)
    if partly.any():
        i, mark = map(int, np.argwhere(partly)[0])
        raise InputError(
            f"data of the {name}", expected="all components of a mark, or nan for all of them", got=str(values[i, mark]),
            where=f"t = {times[i]:g}, mark {mark + 1}",
            hint="Values of which each can be missing alone are marks of their own: return rows of one component.",
        )  # fmt: skip
    if lost.any() and not sight.observation.may_miss:
        i = int(np.argwhere(lost)[0][0])
        raise InputError(f"data of the {name}", expected="numbers", got="nan", where=f"t = {times[i]:g}",
                         hint="Leave out times without data, or give lost=, the probability that a mark is missing.")  # fmt: skip
