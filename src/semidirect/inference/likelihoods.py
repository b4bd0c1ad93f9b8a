"""The log-likelihoods of data for several values of parameters at once, by updates that do this faster than one by one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from semidirect.core import PerPath
from semidirect.inference.choose_update import update_of
from semidirect.inference.data import with_data
from semidirect.inference.filter import again
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.start import started
from semidirect.machine import one_blas_thread
from semidirect.stepper import Stepper

__all__ = ["log_likelihoods"]


def log_likelihoods(systems: Sequence[Any], observation: Any, data: Any, *, dt: float, particles: int, seed: int, state: Any,
                    t_start: float, method: Any, driver: Any, update: Any, execution: Any, columns: Any, time: Any, clock: Any,
                    inputs: Any, without: Sequence[float]) -> np.ndarray | None:  # fmt: skip
    """log p(data) ``(systems,)`` of systems that differ in the values of parameters, with the bits of
    :func:`~semidirect.filter`, whose valid arguments these are; ``None`` if it has to be computed one by one.

    Raises
    ------
    InputError
        If the filter of one of the systems raises it.
    """
    chosen, first, members = update_of(update), systems[0], len(systems)
    same = all(one.workings.signature == first.workings.signature for one in systems)
    if chosen.random or not same or not _common(state, first, particles):
        return None
    problem = with_data(first, observation, data, dt, t_start, columns, time, clock, inputs)
    if problem.tables:
        systems = [one.replace(**problem.tables) for one in systems]
    sightings = problem.without(without)
    options = {"dt": dt, "seed": seed, "method": method, "driver": driver}
    with one_blas_thread():
        ensemble, _ = started(_side_by_side(systems, particles), state, members * particles, t_start=t_start,
                              execution=execution, last=math.ceil(sightings[-1].t / dt - 1e-6), **options)  # fmt: skip
        one_thread = replace(ensemble.execution, threads=1)  # a step takes less time than to begin it in others

        def make(begin: Any, t: float, paths: int, formulation: Any) -> Stepper:
            system = _side_by_side(systems, paths // members)
            return again(system, begin, t, paths, formulation, execution=one_thread, **options)

        return chosen.log_likelihoods(
            FilterTask(first, ensemble, None, make, problem.sights, sightings, dt, seed, {}, np.zeros(0), 0), members
        )


def _common(state: Any, system: Any, particles: int) -> bool:
    """Whether a start is a state that all particles and systems have."""
    if state is None:
        return True
    if not isinstance(state, Mapping) or any(k in system.values for k in state):
        return False
    return not any(isinstance(v, PerPath) or (np.ndim(v) and len(v) == particles) for v in state.values())


def _side_by_side(systems: Sequence[Any], count: int) -> Any:
    """The system of as many paths of each system, one system after the other."""
    values = {}
    for name, value in systems[0].values.items():
        each = [one.values[name] for one in systems]
        if not all(one is value or np.array_equal(one, value) for one in each):
            values[name] = PerPath(np.repeat(np.array(each, dtype=float), count, axis=0))
    return systems[0].workings.with_values({**systems[0].values, **values})  # which were checked one by one
