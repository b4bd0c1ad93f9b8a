"""Data of observations, checked, and ordered by time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.core import arguments, errors
from semidirect.definition import a_system
from semidirect.inference.inputs import source_of_inputs, tables_of_inputs
from semidirect.inference.labelled import Labelled
from semidirect.inference.labels import TIME, validated_columns
from semidirect.inference.noise import MarkwiseNoise
from semidirect.inference.observation import Sight, observations_of
from semidirect.inference.sighting import Sighting
from semidirect.inference.stamps import Origin
from semidirect.specification import schedule

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["Data", "Series", "refuse_unless_after", "with_data"]

MOST_STEPS = 1_000_000
"""Between two observations: more of them come from times in another unit."""

NEAR = 1e-6
"""Of a step: data of several observations whose times differ by less were seen at one time."""


@final
@dataclass(frozen=True, eq=False)
class Data:
    """The observed values of a system, and their times.

    Attributes
    ----------
    sights : list of Sight
        The observations of the system.
    sightings : list of Sighting
        The observations at each time, ascending.
    origin : Origin
        Which time of the data is t = 0.
    tables : dict name → array
        The tables of the system that are inputs.
    """

    sights: list[Sight]
    sightings: list[Sighting]
    origin: Origin
    tables: Mapping[str, np.ndarray]

    def without(self, times: Sequence[float]) -> list[Sighting]:
        """The data without those at some times [s].

        Raises
        ------
        InputError
            If nothing is left, or there are no data at one of the times.
        """
        out = arguments.validated_array("times without data", times) if len(times) else np.zeros(0)
        own_times = {one.t for one in self.sightings}
        for t in out.ravel().tolist():
            if t not in own_times:
                raise errors.InputError(
                    "without: a time", expected="one of the data, in seconds since t = 0", got=f"{t:g}"
                )
        left = [one for one in self.sightings if one.t not in out]
        if not left:
            raise errors.InputError("without", expected="times of some of the data", got="all of them")
        return left


def with_data(system: SystemDefinition, observation: Any, data: Any, dt: float, t_start: float, columns: Any = None,
              time: Any = None, clock: Any = None, inputs: Any = None) -> Data:  # fmt: skip
    """The observations of a system, and what was seen at each time of data.

    Raises
    ------
    InputError, UnknownNameError, DefinitionError
        As :meth:`.Sight.of` and :meth:`.Series.of`, and unless there are data of each observation.
    """
    a_system(system)
    dt = arguments.validated_time("dt", dt, positive=True)
    first = schedule.step_at("t_start", t_start, dt)
    several = observations_of(observation)
    data_of_each = list(data) if isinstance(data, list) else [data]
    if len(data_of_each) != len(several):
        raise errors.InputError(
            "data", expected=f"a list with data of each of {len(several)} observations", got=f"{len(data_of_each)}"
        )
    sights = [Sight.of(one, system, f"observation {i}") for i, one in enumerate(several)]
    labels = validated_columns(columns, sights, time)
    records = [
        Labelled.of(one, sight.observation.name, labels) for one, sight in zip(data_of_each, sights, strict=True)
    ]
    stamps = [one.stamps for one in records]
    source, names = (
        (None, {}) if inputs is None else source_of_inputs(inputs, system, data_of_each[0], labels.get(TIME))
    )
    origin = Origin.of(clock, stamps)
    if source is not None:
        Origin.of(clock, [*stamps, source.stamps])  # which have one clock
    tables = {} if source is None else tables_of_inputs(source, names, origin)
    series = [Series.of(one, sight, dt, first, labels, origin) for one, sight in zip(records, sights, strict=True)]
    return Data(sights, _by_time(sights, series, NEAR * dt), origin, tables)


def _by_time(sights: Sequence[Sight], series: Sequence[Series], near: float) -> list[Sighting]:
    """The data of all observations at each time; times that are as near to each other as rounding makes them are one."""
    events = sorted((t, i, k) for i, one in enumerate(series) for k, t in enumerate(one.times.tolist()))
    groups: list[tuple[float, dict[int, int]]] = []
    for t, i, k in events:
        if groups and t - groups[-1][0] <= near and i not in groups[-1][1]:
            groups[-1][1][i] = k
        else:
            groups.append((t, {i: k}))
    return [Sighting(t, [(sights[i], series[i].values[which[i]]) for i in sorted(which)]) for t, which in groups]


@final
@dataclass(frozen=True, eq=False)
class Series:
    """Data of an observation.

    Attributes
    ----------
    times : array (T,)
        Times since the origin [s] at which there are data; those near a multiple of dt are the label of this step.
    values : array (T, marks, components)
        Data, nan where they are missing.
    """

    times: np.ndarray
    values: np.ndarray

    @classmethod
    def of(
        cls, data: Labelled, sight: Sight, dt: float, first: int, columns: Mapping[str, str], origin: Origin
    ) -> Self:
        """The data of an observation; ``columns`` are labels of quantities.

        Raises
        ------
        InputError
            For data of another shape or with other labels, infinite data, nan where nothing may be missing, and times that are
            not ascending from the step ``first`` on.
        """
        name = sight.observation.name
        times = _times(origin.seconds(data.stamps), dt, first, name)
        values = data.arranged(sight, columns)
        if not (sight.factors == 1).all():
            values = values * sight.factors
        _check(values, times, sight)
        _refuse_jumps(values, times, sight)
        return cls(times, sight.difference.read(values, f"data of the {name}"))


def _times(times: np.ndarray, dt: float, first: int, name: str) -> np.ndarray:
    """Times [s], ascending; those of steps are their labels."""
    steps, off = schedule.nearest_steps(times, dt)
    start = schedule.label(first, dt)
    labels = np.where(off, times, schedule.labels(np.where(off, 0, steps), dt))
    gaps = np.diff(np.concatenate([[start], labels]))
    if gaps[0] < 0 or (gaps[1:] <= 0).any():
        at = 0 if gaps[0] < 0 else int(np.argmax(gaps[1:] <= 0)) + 1
        raise errors.InputError(f"times of the {name}", expected=f"ascending times from t_start = {first * dt:g} s on",
                                got=f"{times[at]:.12g}", where=f"index {at}",
                                hint="clock='first' counts them from the first one." if gaps[0] < 0 else "")  # fmt: skip
    if gaps.max() > MOST_STEPS * dt:
        raise errors.InputError(f"times of the {name}", expected=f"at most {MOST_STEPS} steps from one to the next",
                                got=f"an interval of {gaps.max():g} s", hint=f"They are in seconds, and dt = {dt:g} s. "
                                "clock='first' counts them from the first one.")  # fmt: skip
    return labels


def refuse_unless_after(t: float, before: float, *, strict: bool) -> None:
    """Raise an :class:`InputError` for a time of data that is not after those before, or before the start."""
    if t < before or (strict and t <= before):
        expected = f"a time after {before:.12g} s" if strict else f"from {before:g} s on"
        raise errors.InputError("time of the data", expected=expected,
                                got=f"{t:.12g} s", hint="Data of one time are given together.")  # fmt: skip


def _check(values: np.ndarray, times: np.ndarray, sight: Sight) -> None:
    """Raise an error for infinite values, for parts of marks that may not be missing, and for marks that may not."""
    name, lost = sight.observation.name, np.isnan(values)
    if np.isinf(values).any():
        i = int(np.argwhere(np.isinf(values))[0][0])
        raise errors.InputError(f"data of the {name}", expected="finite numbers", got="∞", where=f"t = {times[i]:g}")
    partly, whole = lost.any(axis=2) & ~lost.all(axis=2), lost.all(axis=2)
    if partly.any() and (sight.difference.names is not None or not isinstance(sight.noise, MarkwiseNoise)):
        i, mark = map(int, np.argwhere(partly)[0])
        raise errors.InputError(
            f"data of the {name}", expected="all components of a mark, or nan for all of them", got=str(values[i, mark]),
            where=f"t = {times[i]:g}, mark {mark + 1}",
            hint="Values of which each can be missing alone are marks of their own: return rows of one component.",
        )  # fmt: skip
    if whole.any() and not sight.observation.may_miss:
        i = int(np.argwhere(whole)[0][0])
        raise errors.InputError(
            f"data of the {name}",
            expected="numbers",
            got="nan",
            where=f"t = {times[i]:g}",
            hint="Leave out times without data, or give lost=, the probability that a mark is missing.",
        )


def _refuse_jumps(values: np.ndarray, times: np.ndarray, sight: Sight) -> None:
    """Raise an error if an angle of the configuration seems to wrap, and nothing says whether it does."""
    circles = sight.circles if sight.subtracts and sight.observation.wraps is False else ()
    for k in circles:
        angle = values[:, 0, k]
        there = np.isfinite(angle)
        angles = angle[there]
        wrapped = len(angles) > 1 and any(
            low - 1e-9 <= angles.min() and angles.max() <= low + 2 * np.pi + 1e-9 for low in (-np.pi, 0.0)
        )
        jumps = np.flatnonzero(np.abs(np.diff(angles)) > np.pi) if wrapped else np.zeros(0, dtype=int)
        if len(jumps):
            i = int(np.flatnonzero(there)[jumps[0] + 1])
            label = sight.labels[k]
            raise errors.InputError(
                f"data of the {sight.observation.name}: {label} jumps by more than half a turn",
                expected="an angle that counts its turns, or wraps=", got=f"{angle[i]:.4g} rad", where=f"t = {times[i]:g}",
                hint=f"Say that it wraps: sd.Observation(…, wraps={label!r}). Or count the turns by numpy.unwrap.",
            )  # fmt: skip
