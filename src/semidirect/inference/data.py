"""Data of observations: as a user has them, a data set, a table or arrays, checked, and ordered by time.

Values that have labels are found by them. What has none is taken in its order.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.core import arguments, errors, messages
from semidirect.definition import a_system
from semidirect.expressions import component_names
from semidirect.inference.observation import Sight, observations_of
from semidirect.inference.sighting import Sighting
from semidirect.results import data_set
from semidirect.specification import schedule

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["Labelled", "Series", "validated_columns", "with_data"]

SECONDS = ("", "s", "sec", "second", "seconds")
TIME, PATH = "time", "path"
MARK, COMPONENT = "mark", "component"

Columns = Mapping[str, str]
"""Quantity, or component of one, or ``time`` → label in the data."""
MOST_STEPS = 1_000_000
"""Between two observations: more of them come from times in another unit."""


def with_data(system: SystemDefinition, observation: Any, data: Any, dt: float, t_start: float, columns: Any = None
              ) -> tuple[list[Sight], list[Sighting]]:  # fmt: skip
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
    given = list(data) if isinstance(data, list) else [data]
    if len(given) != len(several):
        raise errors.InputError(
            "data", expected=f"a list with data of each of {len(several)} observations", got=f"{len(given)}"
        )
    sights = [Sight.of(one, system, f"observation {i}") for i, one in enumerate(several)]
    labels = validated_columns(columns, sights)
    series = [Series.of(one, sight, dt, first, labels) for one, sight in zip(given, sights, strict=True)]
    steps = np.unique(np.concatenate([one.steps for one in series])).tolist()
    return sights, [Sighting(schedule.label(step, dt), _data_at(step, sights, series)) for step in steps]


def _data_at(step: int, sights: list[Sight], series: list[Series]) -> list[tuple[Sight, np.ndarray]]:
    found = []
    for sight, one in zip(sights, series, strict=True):
        at = int(np.searchsorted(one.steps, step))
        if at < len(one.steps) and one.steps[at] == step:
            found.append((sight, one.values[at]))
    return found


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
        raise errors.InputError(
            f"times of the {name}", expected="finite numbers (T,), at least one", got=f"shape {times.shape}"
        )
    steps, off = schedule.nearest_steps(times, dt)
    if off.any():
        raise errors.InputError(f"times of the {name}", expected=f"multiples of dt = {dt:g} s", got=f"{times[off][0]:.12g}",
                                hint="Are they in seconds?")  # fmt: skip
    gaps = np.diff(np.concatenate([[first], steps]))
    if gaps[0] < 0 or (gaps[1:] <= 0).any():
        at = 0 if gaps[0] < 0 else int(np.argmax(gaps[1:] <= 0)) + 1
        raise errors.InputError(f"times of the {name}", expected=f"ascending times from t_start = {first * dt:g} s on",
                                got=f"{times[at]:g}", where=f"index {at}")  # fmt: skip
    if gaps.max() > MOST_STEPS:
        raise errors.InputError(f"times of the {name}", expected=f"at most {MOST_STEPS} steps from one to the next",
                                got=f"{gaps.max():.0f}", hint=f"They are in seconds, and dt = {dt:g} s.")  # fmt: skip
    return steps.astype(np.int64)


def _check(values: np.ndarray, times: np.ndarray, sight: Sight) -> None:
    """Raise an error for infinite values, for parts of marks that are missing, and for marks that may not be missing."""
    name, lost = sight.observation.name, np.isnan(values)
    if np.isinf(values).any():
        i = int(np.argwhere(np.isinf(values))[0][0])
        raise errors.InputError(f"data of the {name}", expected="finite numbers", got="∞", where=f"t = {times[i]:g}")
    partly = lost.any(axis=2) & ~lost.all(axis=2)
    if partly.any():
        i, mark = map(int, np.argwhere(partly)[0])
        raise errors.InputError(
            f"data of the {name}", expected="all components of a mark, or nan for all of them", got=str(values[i, mark]),
            where=f"t = {times[i]:g}, mark {mark + 1}",
            hint="Values of which each can be missing alone are marks of their own: return rows of one component.",
        )  # fmt: skip
    if lost.any() and not sight.observation.may_miss:
        i = int(np.argwhere(lost)[0][0])
        raise errors.InputError(
            f"data of the {name}",
            expected="numbers",
            got="nan",
            where=f"t = {times[i]:g}",
            hint="Leave out times without data, or give lost=, the probability that a mark is missing.",
        )


@final
@dataclass(frozen=True, eq=False)
class Labelled:
    """Times and values with the labels that they have.

    Attributes
    ----------
    times : array (T,)
        Times [s].
    values : array (T, …)
        Values.
    labels : tuple, or None
        Those of the last axis.
    marks : tuple, or None
        Those of the axis before it, of three.
    no_numbers : tuple of str
        Labels of which the values are no numbers, so that they cannot be used.
    """

    times: np.ndarray
    values: np.ndarray
    labels: tuple[Any, ...] | None = None
    marks: tuple[Any, ...] | None = None
    no_numbers: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Any, name: str, columns: Columns) -> Self:
        """The data that a user gives for the observation with a name: an xarray ``DataArray``, a pandas ``DataFrame`` or
        (times, values).

        Raises
        ------
        InputError
            For anything else, for times without numbers or in another unit, and for data of several paths.
        """
        if hasattr(data, "dims") and hasattr(data, "coords") and not hasattr(data, "data_vars"):
            return cls._of_array(data, name, columns)
        if hasattr(data, "columns") and hasattr(data, "to_numpy"):
            return cls._of_table(data, name, columns)
        if not (isinstance(data, tuple) and len(data) == 2):
            raise errors.InputError(
                f"data of the {name}",
                expected="an xarray DataArray, a pandas DataFrame, or (times, values)",
                got=messages.shortened(type(data).__name__ if hasattr(data, "dims") else reprlib.repr(data)),
                hint="Of a Dataset give one variable: data['x']." if hasattr(data, "data_vars") else "",
            )
        return cls(
            arguments.validated_array(f"times of the {name}", data[0]),
            arguments.validated_array(f"data of the {name}", data[1]),
        )

    @classmethod
    def _of_array(cls, data: Any, name: str, columns: Columns) -> Self:
        time = columns.get(TIME, TIME)
        if PATH in data.dims:
            raise errors.InputError(f"data of the {name}", expected="those of one path", got=f"{data.sizes[PATH]} paths",
                                    hint="Choose one: data.isel(path=0).")  # fmt: skip
        if time not in data.coords or time not in data.dims or data.ndim > 3:
            raise errors.InputError(f"data of the {name}", expected=f"the dim {time} with its times, and at most two others",
                                    got=str(data.dims))  # fmt: skip
        rest = [dim for dim in data.dims if dim != time]
        if set(rest) == {MARK, COMPONENT}:
            rest = [MARK, COMPONENT]
        data = data.transpose(time, *rest)
        times, unit = data[time], str(data[time].attrs.get("units", ""))
        if unit.lower() not in SECONDS or times.dtype.kind not in "iuf":
            got = repr(unit) if times.dtype.kind in "iuf" else str(times.dtype)
            raise errors.InputError(f"times of the {name}", expected="seconds", got=got)
        labels = [tuple(data[dim].values.tolist()) if dim in data.coords else None for dim in rest]
        marks = labels.pop(0) if len(labels) == 2 else None
        values = arguments.validated_array(f"data of the {name}", data.values)
        return cls(arguments.validated_array("times", times.values), values, labels[0] if labels else None, marks)

    @classmethod
    def _of_table(cls, table: Any, name: str, columns: Columns) -> Self:
        known = [str(label).strip() for label in table.columns]
        time = columns.get(TIME, TIME)
        if time not in known and TIME not in columns and table.index.name == TIME:
            table, known = table.reset_index(), [TIME, *known]
        refuse_twice(f"columns of the {name}", known)
        if time not in known:
            raise errors.InputError(f"columns of the {name}", expected=f"one with the name {time!r} [s]",
                                    got=messages.shortened(", ".join(known)), hint="" if TIME in columns else
                                    "Say which it is: columns={'time': …}.")  # fmt: skip
        if PATH in known and len(set(table.iloc[:, known.index(PATH)])) > 1:
            raise errors.InputError(f"data of the {name}", expected="those of one path", got="several in the column 'path'",
                                    hint="Choose one: table[table['path'] == 0].")  # fmt: skip
        chosen = [i for i, label in enumerate(known) if label not in (time, PATH)]
        times = arguments.validated_array(f"times of the {name}", table.iloc[:, known.index(time)].to_numpy())
        values, no_numbers = np.full((len(times), len(chosen)), np.nan), []
        for k, i in enumerate(chosen):
            column = table.iloc[:, i].to_numpy()
            if column.dtype.kind in "iuf":
                values[:, k] = column
            else:
                no_numbers.append(known[i])
        return cls(times, values, tuple(known[i] for i in chosen), None, tuple(no_numbers))

    def arranged(self, sight: Sight, columns: Columns) -> np.ndarray:
        """The values ``(T, marks, components)`` in the order of an observation.

        Raises
        ------
        InputError, UnknownNameError
            For data of another shape, or whose labels are not those of the observation.
        """
        name, shape = sight.observation.name, sight.shape
        own = {n for text, parts in (sight.names or {}).items() for n in (text, *parts)}
        columns = {quantity: label for quantity, label in columns.items() if quantity in own}
        values = self.values
        if self.marks is not None:
            values = values[:, _numbered(self.marks, f"marks of the {name}")]
        where = _by_number(self.labels)
        if self.labels is not None and where is None and sight.names is not None:
            where = _by_label(self.labels, sight, columns)
        elif columns:
            raise errors.InputError(
                f"columns of the {name}",
                expected="data with labels",
                got=f"labels {self.labels}" if self.labels else "none in the data",
            )
        bad = [
            label
            for i, label in enumerate(self.labels or ())
            if label in self.no_numbers and (where is None or i in where)
        ]
        if bad:
            raise errors.InputError(f"column {bad[0]!r} of the {name}", expected="numbers, or nothing where a value is missing",
                                    got="other values")  # fmt: skip
        if where is not None:
            values = values[..., where]
        size = shape[0] * shape[1]
        rest = values.shape[1:]
        if values.shape[:1] != self.times.shape or int(np.prod(rest, dtype=int)) != size or rest not in (
            shape, (size,), (shape[0], *((1,) * (shape[1] == 1))), () if size == 1 else (size,),
        ):  # fmt: skip
            raise errors.InputError(f"data of the {name}", expected=f"shape {(len(self.times), *shape)}, times first",
                                    got=f"shape {values.shape}")  # fmt: skip
        return values.reshape(len(self.times), *shape)


def validated_columns(columns: Any, sights: Sequence[Sight]) -> dict[str, str]:
    """The labels that a user gives, by quantity or component, or ``time``; empty for ``None``.

    Raises
    ------
    InputError, UnknownNameError
        For anything else, and for a name that is not observed.
    """
    if columns is None:
        return {}
    if not isinstance(columns, Mapping) or not all(isinstance(x, str) for pair in columns.items() for x in pair):
        raise errors.InputError("columns", expected="a dict quantity → label in the data, such as {'x': 'X [m]'}",
                                got=reprlib.repr(columns))  # fmt: skip
    known = dict.fromkeys(
        [TIME, *(n for s in sights for text, parts in (s.names or {}).items() for n in (text, *parts))]
    )
    for name in columns:
        if name not in known:
            raise errors.UnknownNameError("observed quantity in columns", name, known)
    refuse_twice("columns", list(columns.values()))
    return dict(columns)


def refuse_twice(what: str, labels: Sequence[Any]) -> None:
    """Raise an :class:`InputError` if a label occurs more than once."""
    twice = next((label for i, label in enumerate(labels) if label in labels[:i]), None)
    if twice is not None:
        raise errors.InputError(what, expected="each once", got=f"{twice!r} twice")


def _by_label(labels: tuple[Any, ...], sight: Sight, columns: Columns) -> list[int]:
    """Where the values of an observation of names are among labels."""
    name = sight.observation.name
    refuse_twice(f"labels of the data of the {name}", labels)
    names = sight.names or {}
    wanted: list[str] = []
    for text, parts in names.items():
        renamed = component_names.component_names(columns[text], len(parts)) if text in columns else parts
        wanted += [columns.get(part, label) for part, label in zip(parts, renamed, strict=True)]
    refuse_twice(f"labels of the data of the {name}", wanted)
    alone = next(iter(names.values())) if len(names) == 1 else ()
    if (
        set(labels) == set(data_set.AXES[: len(alone)])
        and len(alone) in (2, 3)
        and not columns
        and not set(wanted) & set(labels)
    ):
        wanted = list(data_set.AXES[: len(alone)])  # as in the data set of a run
    missing = [label for label in wanted if label not in labels]
    if missing:
        several = "s" * (len(missing) > 1)
        example = next(iter(names))
        raise errors.InputError(
            f"labels of the data of the {name}", expected=f"the label{several} {', '.join(map(repr, missing))}",
            got=messages.shortened(", ".join(map(str, labels))),
            hint=f"Say which they are: columns={{{example!r}: {str(labels[0])!r}, …}}, or --columns {example}={labels[0]},….",
        )  # fmt: skip
    return [labels.index(label) for label in wanted]


def _by_number(labels: tuple[Any, ...] | None) -> list[int] | None:
    """Where labels that count from 1, or from 0 in their order, have the first value, the second, …; ``None`` for others."""
    if labels is None or not all(isinstance(label, int) and not isinstance(label, bool) for label in labels):
        return None
    if labels == tuple(range(len(labels))):
        return list(labels)
    if sorted(labels) != list(range(1, len(labels) + 1)):
        raise errors.InputError("labels of the data", expected=f"names, or numbers from 1 to {len(labels)}",
                                got=messages.shortened(", ".join(map(str, labels))))  # fmt: skip
    return [labels.index(number) for number in range(1, len(labels) + 1)]


def _numbered(labels: tuple[Any, ...], what: str) -> list[int]:
    refuse_twice(what, labels)
    where = _by_number(labels)
    return list(range(len(labels))) if where is None else where  # names of marks: an observation has none
