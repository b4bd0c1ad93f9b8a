"""A cache of run specifications for calls that differ only by their seed.

A short run would spend most of its time on work that depends on the other arguments only: validating names and values,
finding the method, completing the state, making tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from semidirect.definition import SystemDefinition
from semidirect.engines import Execution
from semidirect.ensemble.run_arguments import Start, Stops
from semidirect.random import Wiener, drivers
from semidirect.specification import Checks, Formulation, MethodLike, Reduce, RunSpec, Save
from semidirect.state import Final, InitialState

LARGEST_REMEMBERED, MOST_REMEMBERED = 4096, 16
"""The most times saved by a cached specification, and the most cached specifications of a system."""
SPECIFICATIONS = "specifications"
PLAIN = frozenset({type(None), bool, int, float, str})


class Call(NamedTuple):
    """The arguments of a run, the seed and what computes it left out; arguments that are objects are here as these objects."""

    t_end: float
    dt: float
    t_start: float | None
    paths: int | None
    method: MethodLike | None
    state: Start
    driver: Any
    save: Save
    reduce: Reduce
    stop: Stops | None
    checks: Checks
    engine: str
    formulation: Formulation

    @classmethod
    def of(cls, items: Mapping[str, Any]) -> Call:
        """All arguments of a run, with objects for what stands for them."""
        return cls(
            items["t_end"], items["dt"], items["t_start"], items["paths"], items["method"], items["state"], items["driver"],
            Save.of(items["save"]), Reduce.of(items["reduce"]), items["stop"], Checks.of(items["checks"]),
            Execution.of(items["execution"]).engine, Formulation.of(items["formulation"]),
        )  # fmt: skip


def key_of_call(system: SystemDefinition, call: Call) -> tuple[Any, ...] | None:
    """The key of the arguments of a run; ``None`` where they are not a few plain values and objects of values."""
    t_end, dt, t_start, paths, method, state, driver, save, reduce, stop, checks, engine, formulation = call
    kinds = (type(system.method), type(t_end), type(dt), type(t_start), type(paths), type(method))
    if not PLAIN.issuperset(kinds) or type(save.times) is not str or stop is not None or save.crossings:
        return None
    if not (state is None or type(state) is dict) and (isinstance(state, Final) or not isinstance(state, Mapping)):
        return None
    if not (type(driver) in PLAIN or (isinstance(driver, Wiener) and driver.covariance is None)):
        return None
    start = InitialState.key(system, state or {})
    if start is None:
        return None
    return (
        system.method, start, driver, type(driver), save.times, save.names, reduce, checks, engine, formulation, kinds,
        t_end, dt, t_start, paths, method,
    )  # fmt: skip


def remembered(system: SystemDefinition, key: tuple[Any, ...] | None) -> RunSpec | None:
    """The specification of an earlier call with the same key, if there is one."""
    spec: RunSpec | None = system.workings.cache.get(SPECIFICATIONS, {}).get(key)
    return spec


def remember(system: SystemDefinition, key: tuple[Any, ...] | None, spec: RunSpec) -> None:
    """Cache a specification for the next call."""
    found_by_name = (spec.method, *spec.reduce.chosen)  # another package may redefine its engine
    ours = all(type(x).__module__.startswith("semidirect.") for x in found_by_name)
    ours = ours and spec.noise["kind"] in {"none", *drivers.DRIVERS.built_in}
    if key is None or len(spec.recorded_steps) > LARGEST_REMEMBERED or not ours:
        return
    cache = system.workings.cache.setdefault(SPECIFICATIONS, {})
    if len(cache) >= MOST_REMEMBERED:
        cache.clear()
    cache[key] = spec
