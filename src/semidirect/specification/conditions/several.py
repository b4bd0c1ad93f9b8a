"""Conditions as a run is given them, and as a store describes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from semidirect.quantities import Quantities
from semidirect.specification.conditions.condition import Condition, one_or_several
from semidirect.specification.conditions.crossing import Crossing
from semidirect.specification.conditions.stop import Stop


def validated_stops(stop: Any, contents: Quantities) -> tuple[Condition, ...]:
    """One or several conditions that stop a path, of quantities that exist; none for ``None``."""
    several = one_or_several("stop", stop, (Stop, Crossing), "sd.Stop('energy', above=1)")
    return tuple(one.by_name(contents) for one in several)


def validated_crossings(crossings: Iterable[Crossing], contents: Quantities) -> list[Crossing]:
    """Crossings to record, of quantities that exist; raises UnknownNameError or InputError."""
    complete = [crossing.by_name(contents) for crossing in crossings]
    for crossing in complete:
        for name in crossing.keep or ():
            if name not in contents.everything:
                raise contents.unknown("quantity to record at a crossing", name)
    return complete


def described(conditions: tuple[Condition, ...]) -> Any:
    """In JSON's types: what the only one is, or a list."""
    return conditions[0].described() if len(conditions) == 1 else [one.described() for one in conditions]


def from_description(form: Any) -> tuple[Condition, ...]:
    """The reverse of :func:`described`."""
    return tuple(_one(entry) for entry in (form if isinstance(form, list) else [form]))


def _one(entry: Mapping[str, Any]) -> Condition:
    return Crossing(**entry) if "level" in entry else Stop(**entry)
