"""Specifications of runs that are made once for all calls that differ by their seed alone.

Of a short run, most of the time would go into what depends on the other arguments only: names and values are validated, the
method is found, the state is completed, tables are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semidirect.definition.system_definition import SystemDefinition
from semidirect.ensemble.spec import RunSpec
from semidirect.random.drivers.wiener import Wiener
from semidirect.random.registry import DRIVERS
from semidirect.state.final import Final
from semidirect.state.state import key_of_state

LARGEST_REMEMBERED, MOST_REMEMBERED = 4096, 16
"""Times saved by a specification, and specifications of a system, that are kept to be used again."""
SPECIFICATIONS = "specifications"
PLAIN = frozenset({type(None), bool, int, float, str})


def key_of_call(system: SystemDefinition, arguments: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """What the arguments of a run say, the seed left out; ``None`` where they are not a few plain values."""
    plain = dict(arguments)
    state, keep, driver = (plain.pop(name, None) for name in ("state", "keep", "driver"))
    if keep is not None and not (isinstance(keep, (list, tuple)) and all(type(name) is str for name in keep)):
        return None
    kinds = (type(system.method), *map(type, plain.values()))
    if not PLAIN.issuperset(kinds) or isinstance(state, Final) or not isinstance(state, Mapping | None):
        return None
    if not (type(driver) in PLAIN or (isinstance(driver, Wiener) and driver.covariance is None)):
        return None
    start = key_of_state(system, state or {})
    return (
        None
        if start is None
        else (system.method, start, driver, type(driver), None if keep is None else tuple(keep), kinds, *plain.items())
    )


def remembered(system: SystemDefinition, key: tuple[Any, ...] | None) -> RunSpec | None:
    """The specification of an earlier call, if there is one."""
    found: RunSpec | None = system.cache.get(SPECIFICATIONS, {}).get(key)
    return found


def remember(system: SystemDefinition, key: tuple[Any, ...] | None, spec: RunSpec) -> None:
    """Keep a specification for the next call."""
    found_by_name = (spec.method, *spec.reductions)  # another package may define its own anew
    ours = all(type(x).__module__.startswith("semidirect.") for x in found_by_name)
    ours = ours and spec.asked["noise"]["kind"] in {"none", *DRIVERS.built_in}
    if key is None or len(spec.visited) > LARGEST_REMEMBERED or not ours:
        return
    known = system.cache.setdefault(SPECIFICATIONS, {})
    if len(known) >= MOST_REMEMBERED:
        known.clear()
    known[key] = spec
