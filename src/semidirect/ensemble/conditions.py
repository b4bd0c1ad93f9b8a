"""Conditions as a run is given them, and as a store describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semidirect.core.errors import InputError
from semidirect.ensemble.condition import Condition
from semidirect.ensemble.crossing import Crossing
from semidirect.ensemble.quantities import Quantities
from semidirect.ensemble.stop import Stop


def validated_stops(given: Any, contents: Quantities) -> tuple[Condition, ...]:
    """One condition that stops a path, or several, of quantities that are there; none for ``None``."""
    return _validated(given, (Stop, Crossing), "stop", "sd.Stop('energy', above=1)", contents)


def validated_crossings(given: Any, contents: Quantities) -> tuple[Crossing, ...]:
    """One crossing to record, or several; none for ``None``."""
    found = _validated(given, (Crossing,), "crossings", "sd.Crossing('energy', level=1)", contents)
    for crossing in found:
        for name in crossing.keep or ():
            if name not in contents.everything:
                raise contents.unknown("quantity to record at a crossing", name)
    return found


def _validated(
    given: Any, kinds: tuple[type[Condition], ...], what: str, example: str, contents: Quantities
) -> tuple[Any, ...]:
    several = () if given is None else tuple(given) if isinstance(given, (list, tuple)) else (given,)
    for one in several:
        if not isinstance(one, kinds):
            raise InputError(what, expected=f"such as {example}, or a list of such", got=repr(one))
        one.check(contents)
    return several


def described(conditions: tuple[Condition, ...]) -> Any:
    """In JSON's types: what the only one is, or a list."""
    return conditions[0].described() if len(conditions) == 1 else [one.described() for one in conditions]


def from_description(form: Any) -> tuple[Condition, ...]:
    """The reverse of :func:`described`."""
    return tuple(_one(entry) for entry in (form if isinstance(form, list) else [form]))


def _one(entry: Mapping[str, Any]) -> Condition:
    return Crossing(**entry) if "level" in entry else Stop(**entry)
