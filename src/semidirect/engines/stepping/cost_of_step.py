"""The estimated time of array code for a run, from one measured step."""

from __future__ import annotations

import time

import numpy as np

from semidirect.engines.engine import of_chunk
from semidirect.integrators import AdaptiveIntegrator, Advance
from semidirect.specification import RunSpec

USUAL, USUAL_OF_PATH = 7e-4, 3e-6
"""Seconds of a step that evaluates the equations a few times, and of each path in it."""
PATHS_OF_STEP = 1000
"""Paths that take as long as the fixed part of a step; about the same for all methods, since both grow with the operations."""
WORTH_MEASURING = 100
"""Steps of a run from which two more are a small part."""


def seconds_of_array_code(spec: RunSpec, enough: float) -> float:
    """The estimated cost of all steps; of those that may take longer than usual one is measured, unless the usual is ``enough``.

    Methods differ by a factor of thirty: implicit ones evaluate the equations in each iteration of each stage, and derivatives
    are several equations more.
    """
    sites = spec.model.sites
    usual = spec.steps * (USUAL + USUAL_OF_PATH * spec.paths * sites)
    if usual > enough or spec.steps < WORTH_MEASURING or isinstance(spec.method, AdaptiveIntegrator):
        return usual
    step: float = spec.model.known(("seconds of a step", spec.method.label, spec.dt), lambda: seconds_of_step(spec))
    more = (1 + spec.paths * sites / PATHS_OF_STEP) / (1 + (sites - 1) / PATHS_OF_STEP)
    return max(usual, spec.steps * more * step)


def seconds_of_step(spec: RunSpec) -> float:
    """The time that this thread takes for the second step of the first path: the first one emits functions."""
    path = range(1)
    y, stored = (of_chunk(x[:, :1], path) for x in spec.begin)
    model, driver = spec.model.of_paths(path), spec.driver
    advance, seconds = Advance(spec.method, model), 0.0
    with np.errstate(all="ignore"), model.computing():
        for n in (spec.first, spec.first + 1):
            dW = np.zeros((model.wieners, 1)) if driver is None else driver.block(path, n, 1, spec.dt)[0]
            begin = time.thread_time()
            step, stored = advance(y, stored, n * spec.dt, spec.dt, dW)
            y, seconds = step.y, time.thread_time() - begin
    return seconds
