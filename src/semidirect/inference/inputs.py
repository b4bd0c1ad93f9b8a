"""Inputs that were recorded with the data, such as wheel speeds and commands: columns that become tables of the system."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors, messages
from semidirect.inference.labelled import Labelled
from semidirect.inference.labels import TIME, stem_and_unit
from semidirect.inference.stamps import Origin

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["Inputs", "source_of_inputs", "tables_of_inputs"]

ROUNDING = 1e-6
"""Of an interval: by so much the first and the last time of inputs are moved outward."""

Inputs = Mapping[str, str] | tuple[Any, Mapping[str, str]]
"""Table of the system → column, ``time`` for that of the times; with data of their own, or of those of the first observation."""


def source_of_inputs(
    inputs: Any, system: SystemDefinition, data: Any, time: str | None
) -> tuple[Labelled, Mapping[str, str]]:
    """Where inputs are, and which column each table is.

    Raises
    ------
    InputError, UnknownNameError
        For anything but names of tables and columns.
    """
    source, names = inputs if isinstance(inputs, tuple) and len(inputs) == 2 else (data, inputs)
    if (
        not isinstance(names, Mapping)
        or not names
        or not all(isinstance(x, str) for pair in names.items() for x in pair)
    ):
        raise errors.InputError("inputs", expected="a dict table of the system → column, or (data, dict)",
                                got=reprlib.repr(inputs))  # fmt: skip
    tables = system.workings.table_names
    for name in names:
        if name not in tables:
            hint = "Declare it: sd.table(…)." if not tables else ""
            if name in system.values:
                raise errors.InputError(
                    f"inputs: {name!r}", expected="a table of the system", got="a number", hint=hint
                )
            raise errors.UnknownNameError("table of the system", name, tables)
    return Labelled.of(source, "inputs", {} if time is None else {TIME: time}), names


def tables_of_inputs(source: Labelled, names: Mapping[str, str], origin: Origin) -> dict[str, np.ndarray]:
    """The tables, on the clock of the data; rows in which an input is missing are left out.

    Raises
    ------
    InputError
        For columns that do not exist, no numbers, and fewer than two rows.
    """
    labels = list(source.labels or ())
    stems = [stem_and_unit(label)[0] for label in labels]
    columns: dict[str, np.ndarray] = {}
    times = origin.seconds(source.stamps)
    for name, label in names.items():
        if label == TIME:
            columns[name] = times
            continue
        where = labels.index(label) if label in labels else stems.index(label) if stems.count(label) == 1 else None
        if where is None or source.values.ndim != 2:
            raise errors.InputError(f"inputs: column of {name!r}", expected=f"the label {label!r}",
                                    got=messages.shortened(", ".join(map(str, [TIME, *labels]))))  # fmt: skip
        if labels[where] in source.no_numbers:
            raise errors.InputError(f"inputs: column {label!r}", expected="numbers", got="other values")
        columns[name] = source.values[:, where]
    there = np.isfinite(np.array(list(columns.values()))).all(axis=0)
    if np.count_nonzero(there) < 2:
        raise errors.InputError(
            "inputs", expected="at least two rows with all of them", got=f"{np.count_nonzero(there)}"
        )
    tables = {name: np.array(values[there]) for name, values in columns.items()}
    for name, label in names.items():
        if label == TIME:  # the time of a step may be beyond the last data by rounding
            nodes = tables[name]
            first, last = ROUNDING * (nodes[1] - nodes[0]), ROUNDING * (nodes[-1] - nodes[-2])
            nodes[0], nodes[-1] = nodes[0] - first, nodes[-1] + last
    return tables
