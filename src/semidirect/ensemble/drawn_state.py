"""The initial state of a run that is given as a function of random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from semidirect.core import arguments, errors
from semidirect.random import Driver, StartNumbers
from semidirect.state import Final

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["drawn_state"]


def drawn_state(
    system: SystemDefinition, state: Mapping[str, Any] | Callable[..., Any] | None, paths: int | None, seed: int,
    driver: Driver, components: int, steps: int,
) -> tuple[Mapping[str, Any] | None, int]:  # fmt: skip
    """The state by name, and how many coordinates of the points of paths it used; a state by name is returned as it is.

    Raises
    ------
    InputError
        If the function does not return a mapping, or a run of points would continue another run.
    """
    if isinstance(state, Final) and driver.replications:
        raise errors.InputError(
            f"the state of a run with driver {driver.name!r}", expected="a start at its own t_start",
            got="the final state of another run", hint="Its points are those of the whole time: give one run a later t_end, or "
            "continue with driver=sd.Wiener().",
        )  # fmt: skip
    if not callable(state):
        return state, 0
    count = system.workings.paths if paths is None else arguments.validated_whole("paths", paths, least=1)
    rng = StartNumbers(seed, 1 if count is None else count, driver.replications, components, steps)
    values = state(rng, rng.paths)
    if not isinstance(values, Mapping) or isinstance(values, Final):
        raise errors.InputError("the state of a function", expected="a mapping of names to values, one per path",
                                got=repr(values))  # fmt: skip
    return values, rng.of_points
