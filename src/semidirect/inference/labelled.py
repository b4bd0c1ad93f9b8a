"""Data as a user has them: files, tables, arrays with and without labels."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.core import arguments, errors, messages
from semidirect.expressions import component_names
from semidirect.inference.labels import (
    TIME,
    Columns,
    by_label,
    by_number,
    numbered,
    stem_and_unit,
    time_label,
)
from semidirect.inference.stamps import Stamps
from semidirect.inference.tables import PARQUET, TEXTS, read_table, refuse_twice
from semidirect.results import data_set

if TYPE_CHECKING:
    from semidirect.inference.observation import Sight

__all__ = ["COMPONENT", "PATH", "Labelled"]

PATH, COMPONENT, MARK = data_set.PATH, data_set.COMPONENT, "mark"

EXPECTED = "an xarray DataArray or Dataset, a pandas DataFrame, the name of a .csv or .parquet, or (times, values)"


@final
@dataclass(frozen=True, eq=False)
class Labelled:
    """Times and values with the labels that they have.

    Attributes
    ----------
    stamps : Stamps
        Times (T,).
    values : array (T, …)
        Values.
    labels : tuple, or None
        Those of the last axis.
    marks : tuple, or None
        Those of the axis before it, of three.
    no_numbers : tuple of str
        Labels of which the values are no numbers, so that they cannot be used.
    units : dict label → unit
        The units that data state; that of all values has the label ``None``.
    """

    stamps: Stamps
    values: np.ndarray
    labels: tuple[Any, ...] | None = None
    marks: tuple[Any, ...] | None = None
    no_numbers: tuple[str, ...] = ()
    units: Mapping[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Any, name: str, columns: Columns) -> Self:
        """The data that a user gives for the observation with a name: an xarray ``DataArray`` or ``Dataset``, a pandas
        ``DataFrame`` or ``Series``, the name of a file, or (times, values).

        Raises
        ------
        InputError
            For anything else, for times without numbers or in another unit, and for data of several paths.
        """
        if isinstance(data, (str, Path)):
            path = Path(data)
            if path.suffix.lower() not in (*TEXTS, *PARQUET):
                raise errors.InputError(f"data of the {name}", expected=EXPECTED, got=reprlib.repr(data))
            return cls._of_table(read_table(path), name, columns)
        if hasattr(data, "data_vars"):
            return cls._of_table(_table_of(data, name, columns), name, columns)
        if hasattr(data, "dims") and hasattr(data, "coords"):
            return cls._of_array(data, name, columns)
        if hasattr(data, "to_frame") and hasattr(data, "to_numpy"):
            data = data.to_frame()
        if hasattr(data, "columns") and hasattr(data, "to_numpy"):
            return cls._of_table(data, name, columns)
        if not (isinstance(data, tuple) and len(data) == 2):
            raise errors.InputError(
                f"data of the {name}", expected=EXPECTED,
                got=messages.shortened(type(data).__name__ if hasattr(data, "dims") else reprlib.repr(data)),
            )  # fmt: skip
        return cls(
            Stamps.of(data[0], f"times of the {name}"), arguments.validated_array(f"data of the {name}", data[1])
        )

    @classmethod
    def _of_array(cls, data: Any, name: str, columns: Columns) -> Self:
        if PATH in data.dims:
            raise errors.InputError(f"data of the {name}", expected="those of one path", got=f"{data.sizes[PATH]} paths",
                                    hint="Choose one: data.isel(path=0).")  # fmt: skip
        time = _time_of(data, columns)
        if time not in data.coords or time not in data.dims or data.ndim > 3:
            raise errors.InputError(f"data of the {name}", expected=f"the dimension {time} with its times and at most two others",
                                    got=str(data.dims))  # fmt: skip
        rest = [dim for dim in data.dims if dim != time]
        if set(rest) == {MARK, COMPONENT}:
            rest = [MARK, COMPONENT]
        data = data.transpose(time, *rest)
        stamps = Stamps.of(data[time], f"times of the {name}", str(data[time].attrs.get("units", "")))
        labels = [tuple(data[dim].values.tolist()) if dim in data.coords else None for dim in rest]
        marks = labels.pop(0) if len(labels) == 2 else None
        values = arguments.validated_array(f"data of the {name}", data.values)
        units = {None: data.attrs["units"]} if "units" in data.attrs else {}
        return cls(stamps, values, labels[0] if labels else None, marks, (), units)

    @classmethod
    def _of_table(cls, table: Any, name: str, columns: Columns) -> Self:
        table, column_labels, time = _with_times(table, columns)
        units = table.attrs.get("units", {})
        units = dict(units) if isinstance(units, Mapping) else {None: units}
        refuse_twice(f"columns of the {name}", column_labels)
        time = time_label(column_labels, columns, f"columns of the {name}") if time is None else time
        if PATH in column_labels and len(set(table.iloc[:, column_labels.index(PATH)])) > 1:
            raise errors.InputError(f"data of the {name}", expected="those of one path", got="several in the column 'path'",
                                    hint="Choose one: table[table['path'] == 0].")  # fmt: skip
        column_numbers = [i for i, label in enumerate(column_labels) if label not in (time, PATH)]
        stamps = Stamps.of(table.iloc[:, column_labels.index(time)], f"times of the {name}",
                           str(units.pop(time, "") or stem_and_unit(time)[1]))  # fmt: skip
        values, no_numbers = np.full((len(stamps.numbers), len(column_numbers)), np.nan), []
        for k, i in enumerate(column_numbers):
            column = (
                table.iloc[:, i].to_numpy(dtype=float, na_value=np.nan)
                if _nullable(table, i)
                else table.iloc[:, i].to_numpy()
            )
            if column.dtype.kind in "iuf":
                values[:, k] = column
            else:
                no_numbers.append(column_labels[i])
        labels = tuple(column_labels[i] for i in column_numbers)
        units |= {label: unit for label, unit in ((one, stem_and_unit(one)[1]) for one in labels) if unit}
        return cls(stamps, values, labels, None, tuple(no_numbers), units)

    def arranged(self, sight: Sight, columns: Columns) -> np.ndarray:
        """The values ``(T, marks, columns)`` in the order of an observation, in its units.

        Raises
        ------
        InputError, UnknownNameError
            For data of another shape, or whose labels or units are not those of the observation.
        """
        name, shape = sight.observation.name, (sight.shape[0], sight.columns)
        own = {n for text, parts in (sight.names or {}).items() for n in (text, *parts)}
        columns = {quantity: label for quantity, label in columns.items() if quantity in own}
        values = self.values
        # labels decide the order where there are any; otherwise the data have that of the observation
        if self.marks is not None:
            values = values[:, numbered(self.marks, f"marks of the {name}")]
        where = by_number(self.labels)
        if self.labels is not None and where is None and sight.names is not None:
            where = by_label(self.labels, sight, columns)
        elif columns:
            raise errors.InputError(
                f"columns of the {name}",
                expected="data with labels",
                got=f"labels {self.labels}" if self.labels else "none in the data",
            )
        # a column that is no number matters only if the observation uses it
        bad = [
            label
            for i, label in enumerate(self.labels or ())
            if label in self.no_numbers and (where is None or i in where)
        ]
        if bad:
            raise errors.InputError(f"column {bad[0]!r} of the {name}", expected="numbers, or nothing where a value is missing",
                                    got="other values")  # fmt: skip
        self._refuse_other_units(sight, where)
        if where is not None:
            values = values[..., where]
        # one component, one mark or a matrix may come with its own shape
        size = shape[0] * shape[1]
        rest, count = values.shape[1:], len(self.stamps.numbers)
        as_matrix = (3, 3) if sight.difference.names is not None and shape == (1, 9) else shape
        if values.shape[:1] != (count,) or int(np.prod(rest, dtype=int)) != size or rest not in (
            shape, (size,), (shape[0], *((1,) * (shape[1] == 1))), () if size == 1 else (size,), as_matrix,
        ):  # fmt: skip
            raise errors.InputError(f"data of the {name}", expected=f"shape {(count, *shape)}, times first",
                                    got=f"shape {values.shape}")  # fmt: skip
        return values.reshape(count, *shape)

    def _refuse_other_units(self, sight: Sight, where: list[int] | None) -> None:
        """Raise an error if the data say that values have another unit than the observation."""
        if not self.units or sight.difference.names is not None:
            return
        labels = self.labels or ()
        for k, unit in enumerate(sight.units):
            at = where[k] if where is not None else k
            label = labels[at] if at < len(labels) else None
            unit.refuse_other(self.units.get(label, self.units.get(None, "")), f"data of the {sight.observation.name}"
                              + f", {label!r}" * (label is not None))  # fmt: skip


def _nullable(table: Any, i: int) -> bool:
    """Whether a column holds numbers of pandas that can be missing."""
    dtype = table.dtypes.iloc[i]
    return not isinstance(dtype, np.dtype) and getattr(dtype, "kind", "O") in "iuf"


def _time_of(data: Any, columns: Columns) -> Any:
    """The dimension of the times of an array: the one that is called so, or the only one with dates."""
    if TIME in columns or TIME in data.dims:
        return columns.get(TIME, TIME)
    for name in ("t", "timestamp"):
        if name in data.dims:
            return name
    dates = [dim for dim in data.dims if dim in data.coords and data[dim].dtype.kind in "mM"]
    return dates[0] if len(dates) == 1 else TIME


def _with_times(table: Any, columns: Columns) -> tuple[Any, list[str], str | None]:
    """A table with its index as a column if it is that of the times, the labels of its columns, and that of the index."""
    column_labels = [str(label).strip() for label in table.columns]
    index, attrs = table.index, table.attrs
    dates = getattr(index.dtype, "kind", "O") in "mM" or getattr(index.dtype, "tz", None) is not None
    label = str(index.name).strip() if index.name is not None else TIME if dates else None
    if label is None or label in column_labels:
        return table, column_labels, None
    is_time = columns.get(TIME) == label
    if not is_time and TIME not in columns:
        try:
            time_label(column_labels, columns, "")
        except errors.InputError:
            try:
                is_time = dates or time_label([label], columns, "") == label
            except errors.InputError:
                is_time = False
    if not is_time:
        return table, column_labels, None
    table = table.rename_axis(index=label).reset_index()
    table.attrs = attrs
    return table, [label, *column_labels], label


def _table_of(data: Any, name: str, columns: Columns) -> Any:
    """The variables of a data set that depend on time, as a table; a vector has a column for each component."""
    import pandas as pd

    if PATH in data.dims:
        raise errors.InputError(f"data of the {name}", expected="those of one path", got=f"{data.sizes[PATH]} paths",
                                hint="Choose one: data.isel(path=0).")  # fmt: skip
    time = _time_of(data, columns)
    if time not in data.coords or time not in data.dims:
        raise errors.InputError(f"data of the {name}", expected=f"the dimension {time} with its times", got=str(tuple(data.dims)),
                                hint="Say which it is: time=….")  # fmt: skip
    units: dict[str, Any] = {str(time): data[time].attrs.get("units", "")}
    table: dict[str, Any] = {str(time): data[time].to_series().reset_index(drop=True)}
    for label, variable in data.data_vars.items():
        if time not in variable.dims or variable.dtype.kind not in "iuf":
            continue
        parts = variable.transpose(time, ...).values.reshape(variable.sizes[time], -1)
        for part, column in zip(component_names.component_names(str(label), parts.shape[1]), parts.T, strict=True):
            table[part] = column
            if "units" in variable.attrs:
                units[part] = variable.attrs["units"]
    frame = pd.DataFrame(table)
    frame.attrs["units"] = {label: unit for label, unit in units.items() if unit}
    return frame
