"""The ensemble at the start of a filter."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import PerPath, errors
from semidirect.engines import Execution, stepping
from semidirect.ensemble import specify
from semidirect.inference.prior import DrawnStart
from semidirect.stepper import Stepper, stepper

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["Prior", "started"]

Prior = Mapping[str, Any] | Callable[[np.random.Generator, int], Mapping[str, Any]]
"""A start: values, common to all particles or one per particle, or a function that draws them."""


def started(system: SystemDefinition, state: Prior | None, count: int, seed: int, *, execution: Execution | None, last: int,
            dt: float, t_start: float, **arguments: Any) -> tuple[Stepper, DrawnStart | None]:  # fmt: skip
    """The ensemble at the start, with the engine that is faster for the whole, and how it was drawn, if it can be moved."""
    executed, first = Execution.of(execution), round(t_start / dt)
    common = {"dt": dt, "t_start": t_start, "paths": count, "seed": seed, **arguments}

    def ensemble(start_state: Any) -> Stepper:
        try:
            return paths_of(start_state)
        except errors.InputError as error:
            if error.what != "paths":
                raise
            least = error.expected.partition(",")[0]
            raise errors.InputError("particles", expected=error.expected, got=error.got,
                                    hint=f"Give particles={least}, or one value for all particles.") from None  # fmt: skip

    def paths_of(start_state: Any) -> Stepper:
        nonlocal executed
        if not (start_state is None or isinstance(start_state, Mapping)):
            raise errors.InputError(
                "state",
                expected="a dict, or a function (rng, particles) that returns one",
                got=reprlib.repr(start_state),
            )
        values = dict(start_state or {})
        parameters = {k: values.pop(k) for k in [*values] if k in system.values}
        per_path = {k: v if isinstance(v, PerPath) else PerPath(v) for k, v in parameters.items()}
        particular = system.replace(**per_path) if per_path else system
        if executed.engine == stepping.AUTO:
            whole = specify(particular, t_end=max(last, first + 1) * dt, save="final", execution=executed,
                            state=values or None, **common)  # fmt: skip
            executed = replace(executed, engine=whole.engine)
        return stepper(particular, execution=executed, state=values or None, **common)

    if not callable(state):
        return ensemble(state), None
    start = DrawnStart(state, count, seed, ensemble)
    begin = ensemble(start.values)
    movable = start.numbers is not None and not any(k in system.values for k in start.values)
    return begin, start if movable else None
