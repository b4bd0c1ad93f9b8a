"""Labels of data: which column or coordinate is which value of an observation."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from semidirect.core import errors, messages
from semidirect.expressions import Unit, component_names
from semidirect.inference.tables import refuse_twice
from semidirect.results import data_set

if TYPE_CHECKING:
    from semidirect.inference.observation import Sight

__all__ = ["TIME", "Columns", "by_label", "by_number", "numbered", "stem_and_unit", "time_label", "validated_columns"]

TIME = data_set.TIME

TIMES = (TIME, "t", "timestamp")
"""What a column of times may be called, in upper or lower case, with a unit behind it or not; the first that exists is taken."""

Columns = Mapping[str, str]
"""Quantity, or component of one, or ``time`` → label in the data."""

BRACKETS = re.compile(r"^(.*?)\s*(?:\[([^\[\]]*)\]|\(([^()]*)\))\s*$")


def stem_and_unit(label: Any) -> tuple[Any, str]:
    """A label without the unit behind it in brackets, and this unit: ``x`` and ``mm`` of ``x [mm]``."""
    match = BRACKETS.match(label) if isinstance(label, str) else None
    if match is None or not match[1]:
        return label, ""
    unit = match[2] if match[2] is not None else match[3]
    return (match[1], unit) if Unit.read(unit) is not None else (label, "")


def time_label(labels: Sequence[Any], columns: Columns, what: str) -> Any:
    """The label of the times: the one that ``columns`` says, or else one of the usual names.

    Raises
    ------
    InputError
        If there is none, or several might be meant.
    """
    if TIME in columns:
        if columns[TIME] in labels:
            return columns[TIME]
        raise errors.InputError(what, expected=f"one with the name {columns[TIME]!r} [s]",
                                got=messages.shortened(", ".join(map(str, labels))))  # fmt: skip
    if TIME in labels:
        return TIME
    stems = {label: str(stem_and_unit(label)[0]).strip().lower() for label in labels}
    for name in TIMES:
        own = [label for label, stem in stems.items() if stem == name]
        if len(own) == 1:
            return own[0]
        if own:
            raise errors.InputError(what, expected="one with times", got=" and ".join(map(repr, own)),
                                    hint="Say which it is: time=….")  # fmt: skip
    raise errors.InputError(what, expected=f"one with the name {TIME!r} [s]",
                            got=messages.shortened(", ".join(map(str, labels))), hint="Say which it is: time=….")  # fmt: skip


def validated_columns(columns: Any, sights: Sequence[Sight], time: Any = None) -> dict[str, str]:
    """The labels that a user gives, by quantity or component, or ``time``; empty for ``None``.

    Raises
    ------
    InputError, UnknownNameError
        For anything else, and for a name that is not observed.
    """
    if time is not None and not isinstance(time, str):
        raise errors.InputError("time", expected="the label of the times in the data", got=reprlib.repr(time))
    if columns is None:
        return {} if time is None else {TIME: time}
    if not isinstance(columns, Mapping) or not all(isinstance(x, str) for pair in columns.items() for x in pair):
        raise errors.InputError("columns", expected="a dict quantity → label in the data, such as {'x': 'X [m]'}",
                                got=reprlib.repr(columns))  # fmt: skip
    if time is not None:
        if columns.get(TIME, time) != time:
            raise errors.InputError("time", expected=f"{columns[TIME]!r}, as columns= says", got=repr(time))
        columns = {**columns, TIME: time}
    names = dict.fromkeys(
        [TIME, *(n for s in sights for text, parts in (s.names or {}).items() for n in (text, *parts))]
    )
    for name in columns:
        if name not in names:
            raise errors.UnknownNameError("observed quantity in columns", name, names)
    refuse_twice("columns", list(columns.values()))
    return dict(columns)


def by_label(labels: tuple[Any, ...], sight: Sight, columns: Columns) -> list[int]:
    """Where the values of an observation of names are among labels."""
    name = sight.observation.name
    refuse_twice(f"labels of the data of the {name}", labels)
    names = sight.names or {}
    required_labels: list[str] = []
    for text, parts in names.items():
        renamed = component_names.component_names(columns[text], len(parts)) if text in columns else parts
        required_labels += [columns.get(part, label) for part, label in zip(parts, renamed, strict=True)]
    refuse_twice(f"labels of the data of the {name}", required_labels)
    alone = next(iter(names.values())) if len(names) == 1 else ()
    if (
        set(labels) == set(data_set.AXES[: len(alone)])
        and len(alone) in (2, 3)
        and not columns
        and not set(required_labels) & set(labels)
    ):
        required_labels = list(data_set.AXES[: len(alone)])  # as in the data set of a run
    stems = [stem_and_unit(label)[0] for label in labels]
    if stems != list(labels) and len(set(stems)) == len(stems) and set(required_labels) <= {*labels, *stems}:
        labels = tuple(label if label in required_labels else stem for label, stem in zip(labels, stems, strict=True))
    missing = [label for label in required_labels if label not in labels]
    if missing:
        several = "s" * (len(missing) > 1)
        example = next(iter(names))
        raise errors.InputError(
            f"labels of the data of the {name}", expected=f"the label{several} {', '.join(map(repr, missing))}",
            got=messages.shortened(", ".join(map(str, labels))),
            hint=f"Say which they are: columns={{{example!r}: {str(labels[0])!r}, …}}, or --columns {example}={labels[0]},….",
        )  # fmt: skip
    return [labels.index(label) for label in required_labels]


def by_number(labels: tuple[Any, ...] | None) -> list[int] | None:
    """Where labels that count from 1, or from 0 in their order, have the first value, the second, …; ``None`` for others."""
    if labels is None or not all(isinstance(label, int) and not isinstance(label, bool) for label in labels):
        return None
    if labels == tuple(range(len(labels))):
        return list(labels)
    if sorted(labels) != list(range(1, len(labels) + 1)):
        raise errors.InputError("labels of the data", expected=f"names, or numbers from 1 to {len(labels)}",
                                got=messages.shortened(", ".join(map(str, labels))))  # fmt: skip
    return [labels.index(number) for number in range(1, len(labels) + 1)]


def numbered(labels: tuple[Any, ...], what: str) -> list[int]:
    """Where marks are: those that have numbers by these, others in their order."""
    refuse_twice(what, labels)
    where = by_number(labels)
    return list(range(len(labels))) if where is None else where  # names of marks: an observation has none
