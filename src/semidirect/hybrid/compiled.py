"""Whether the paths of a hybrid system are stepped by kernels between events."""

from __future__ import annotations

from collections.abc import Sequence

from semidirect.core import errors
from semidirect.engines import stepping
from semidirect.hybrid.mode import Mode
from semidirect.integrators import AdaptiveIntegrator
from semidirect.machine import NotCompiledError
from semidirect.specification import RunSpec

COMPILED, ARRAY_CODE = "compiled", "numpy"
WORTH_COMPILING, WORTH_LOADING = 3.0, 0.2
"""Seconds of array code above which kernels are used: the first run compiles those of all modes, later ones load them."""
LONGER = 10.0
"""By which factor it takes longer to compile the steps of derivatives, too."""


def is_compiled(engine: str, modes: Sequence[Mode], spec: RunSpec) -> bool:
    """Whether kernels are used, which are compiled now: as asked for, or where they save more time than it takes to make them.

    Methods that choose their steps are stepped by array code, and so are systems with functions that kernels do not have.

    Raises
    ------
    InputError
        For the engine of another package.
    MethodError
        If kernels are asked for that cannot be compiled.
    """
    if engine not in (stepping.AUTO, ARRAY_CODE, COMPILED):
        raise errors.InputError("engine of a hybrid system", expected=f"{stepping.AUTO}, {ARRAY_CODE} or {COMPILED}",
                                got=repr(engine))  # fmt: skip
    adaptive = next((m for m in modes if isinstance(m.spec.method, AdaptiveIntegrator)), None)
    if adaptive is not None or engine == ARRAY_CODE:
        return False
    if not (engine == COMPILED or _saves_time(modes, spec)):
        return False
    try:
        for mode in modes:
            _ = mode.trail
    except (NotCompiledError, TypeError) as error:
        if engine == COMPILED:
            raise errors.MethodError(
                f"no kernel for the steps of {mode.name}: {error}", hint='Use engine="auto" or "numpy".'
            ) from error
        return False
    return True


def _saves_time(modes: Sequence[Mode], spec: RunSpec) -> bool:
    """Whether array code is estimated to take longer than it takes to make the kernels."""
    tangents = modes[0].tangents
    worth = WORTH_COMPILING * (1 if tangents is None else LONGER)
    seconds = stepping.seconds_of_array_code(spec, worth) * (1 if tangents is None else 1 + len(tangents.directions))
    if seconds <= WORTH_LOADING or seconds > worth:
        return seconds > worth
    return all(mode.is_known for mode in modes)
