"""Stepping a block of paths from start to end."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event

import numpy as np

from semidirect.ensemble.driver import Driver
from semidirect.ensemble.record import Record
from semidirect.integrators.dop853 import DOP853
from semidirect.integrators.integrator import Integrator
from semidirect.kernels.model import Model
from semidirect.noise.driving_path import DrivingPath

STEPS_AT_ONCE = 32


@dataclass(frozen=True)
class March:
    """How all paths of a run go: method, driver, number and length of steps, and the record that they fill.

    Setting ``stopped`` ends all threads within some steps; what they leave is not a run.
    """

    method: Integrator
    driver: Driver | None
    steps: int
    dt: float
    record: Record
    stopped: Event = field(default_factory=Event)

    def run(self, model: Model, y: np.ndarray, stored: np.ndarray, chunk: range) -> None:
        """Run the paths ``chunk`` from states ``(d, paths or 1)``."""
        if isinstance(self.method, DOP853):
            self._solve(self.method, model, y, stored, chunk)
        else:
            self._step(model, spread(y, chunk), spread(stored, chunk), chunk)

    def _step(self, model: Model, y: np.ndarray, stored: np.ndarray, chunk: range) -> None:
        retraction = self.method.retraction(model)
        self.record.save(model, chunk, 0, y, stored)
        nothing = np.zeros((model.wieners, len(chunk)))
        for first in range(0, self.steps, STEPS_AT_ONCE):
            if self.stopped.is_set():
                return
            count = min(STEPS_AT_ONCE, self.steps - first)
            with np.errstate(all="ignore"):
                block = None if self.driver is None else self.driver.block(chunk, first, count, self.dt)
            for n in range(first, first + count):
                dW = nothing if block is None else block[n - first]
                with np.errstate(all="ignore"):
                    step = self.method.step(model, y, n * self.dt, self.dt, dW)
                    y, stored = step.y, model.reconstruct(stored, step.v, retraction)
                self.record.watch(chunk, n + 1, y, stored, step.converged)
                self.record.save(model, chunk, n + 1, y, stored)

    def locate(
        self, model: Model, y: np.ndarray, stored: np.ndarray, paths: np.ndarray, first: int, count: int
    ) -> None:
        """Step some paths from the step ``first`` on to note in the record where each of them fails."""
        retraction = self.method.retraction(model)
        for n in range(first, first + count):
            with np.errstate(all="ignore"):
                driver = self.driver
                dW = np.zeros((model.wieners, len(paths))) if driver is None else driver.block(paths, n, 1, self.dt)[0]
                step = self.method.step(model, y, n * self.dt, self.dt, dW)
                y, stored = step.y, model.reconstruct(stored, step.v, retraction)
            self.record.watch(paths, n + 1, y, stored, step.converged)

    def _solve(self, method: DOP853, model: Model, y: np.ndarray, stored: np.ndarray, chunk: range) -> None:
        drive = self.driver if isinstance(self.driver, DrivingPath) else None
        shared = model.system.paths is None and y.shape[1] == stored.shape[1] == 1
        count = 1 if shared else len(chunk)
        y, stored = (spread(x, chunk)[:, :count] for x in (y, stored))
        kept = np.unique([0, *self.record.steps])
        ys = np.empty((len(kept), len(y), len(chunk)))
        ss = np.empty((len(kept), len(stored), len(chunk)))
        for p in range(count):
            if self.stopped.is_set():
                return
            path = slice(None) if shared else slice(p, p + 1)
            with np.errstate(all="ignore"):
                states, coordinates = method.solve(model.of_path(p), y[:, p], stored[:, p], kept * self.dt, drive)
            ys[:, :, path], ss[:, :, path] = states[:, :, None], coordinates[:, :, None]
        for i, n in enumerate(kept):
            self.record.watch(chunk, int(n), ys[i], ss[i], None)
            self.record.save(model, chunk, int(n), ys[i], ss[i])


def spread(rows: np.ndarray, chunk: range) -> np.ndarray:
    """The rows of some paths, ``(d, paths)``, from one state for all or one a path."""
    if rows.shape[1] == 1:
        return np.repeat(rows, len(chunk), axis=1)
    return np.ascontiguousarray(rows[:, chunk.start : chunk.stop])
