"""A cache of run specifications for calls that differ only by their seed.

A short run would spend most of its time on work that depends on the other arguments only: validating names and values,
finding the method, completing the state, making tables.
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
"""The most times saved by a cached specification, and the most cached specifications of a system."""
SPECIFICATIONS = "specifications"
PLAIN = frozenset({type(None), bool, int, float, str})


def key_of_call(system: SystemDefinition, arguments: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """The arguments of a run without the seed, as a key; ``None`` unless they are a few plain values."""
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
    """The specification of an earlier call with the same key, if there is one."""
    found: RunSpec | None = system.cache.get(SPECIFICATIONS, {}).get(key)
    return found


def remember(system: SystemDefinition, key: tuple[Any, ...] | None, spec: RunSpec) -> None:
    """Cache a specification for the next call."""
    found_by_name = (spec.method, *spec.reductions)  # another package may redefine its engine
    ours = all(type(x).__module__.startswith("semidirect.") for x in found_by_name)
    ours = ours and spec.asked["noise"]["kind"] in {"none", *DRIVERS.built_in}
    if key is None or len(spec.visited) > LARGEST_REMEMBERED or not ours:
        return
    known = system.cache.setdefault(SPECIFICATIONS, {})
    if len(known) >= MOST_REMEMBERED:
        known.clear()
    known[key] = spec
