"""Stepping a chunk of paths by array code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from semidirect.compile import ChosenRate
from semidirect.core import interpolation
from semidirect.engines.engine import Engine
from semidirect.integrators import AdaptiveIntegrator, Advance, Step
from semidirect.model import NumericalSDE

STEPS_AT_ONCE = 32


@final
@dataclass(frozen=True)
class NumpyEngine(Engine):
    """The engine of array code, to which all others are compared."""

    name = "numpy"
    usual_paths = 1024

    def run(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray) -> None:
        """Run the paths from states ``(d, paths or 1)`` of all paths."""
        if isinstance(self.spec.method, AdaptiveIntegrator):
            with model.computing():
                self._solve(self.spec.method, model, y, stored)
        else:
            self.go(model, spread(y, self.record.paths), spread(stored, self.record.paths))

    def go(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray) -> None:
        """Step the paths of the chunk from their states ``(d, paths)``."""
        with model.computing():
            self._step(model, y, stored)

    def _step(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray) -> None:
        spec, chunk = self.spec, self.record.paths
        advance = Advance(spec.method, model)
        y, stored = self.record.visit(model, self.begin, y, stored)
        nothing = np.zeros((model.wieners, len(chunk)))
        for first in range(self.begin, spec.last, STEPS_AT_ONCE):
            if self.stopped.is_set():
                return
            count = min(STEPS_AT_ONCE, spec.last - first)
            with np.errstate(all="ignore"):
                block = None if spec.driver is None else spec.driver.block(chunk, first, count, spec.dt)
            for n in range(first, first + count):
                dW = nothing if block is None else block[n - first]
                with np.errstate(all="ignore"):
                    step, moved = advance(y, stored, spec.time(n), spec.dt, dW)
                again = partial(self._again, model, y, stored, n, dW)
                self.record.watch(model, n + 1, step, moved, again=again)
                y, stored = self.record.visit(model, n + 1, step.y, moved)
            self.on_progress(count * len(chunk))

    def locate(
        self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, which: np.ndarray, first: int, count: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Step the paths at some positions from the step ``first`` on and record at which step each of them fails; returns
        their states at the end.
        """
        spec, paths = self.spec, self.record.paths.start + which
        advance = Advance(spec.method, model)
        for n in range(first, first + count):
            with np.errstate(all="ignore"):
                driver = spec.driver
                dW = np.zeros((model.wieners, len(paths))) if driver is None else driver.block(paths, n, 1, spec.dt)[0]
                step, stored_after = advance(y, stored, spec.time(n), spec.dt, dW)
            self.record.watch(model, n + 1, step, stored_after, which, partial(self._again, model, y, stored, n, dW))
            y, stored = step.y, stored_after
        return y, stored

    def _again(
        self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, n: int, dW: np.ndarray, which: np.ndarray
    ) -> None:
        """Repeat the step ``n`` of some paths."""
        t, dt = self.spec.time(n), self.spec.dt
        Advance(self.spec.method, model.of_some(which))(y[:, which], stored[:, which], t, dt, dW[..., which])

    def _solve(self, method: AdaptiveIntegrator, model: NumericalSDE, y: np.ndarray, stored: np.ndarray) -> None:
        spec, chunk = self.spec, self.record.paths
        shared = model.system.workings.paths is None and y.shape[1] == stored.shape[1] == 1
        count = 1 if shared else len(chunk)
        y, stored = (spread(x, chunk)[:, :count] for x in (y, stored))
        step_numbers = np.unique([self.begin, *spec.recorded_steps])
        rates = ChosenRate(None if spec.engine == "auto" else spec.engine == "compiled")
        ys = np.empty((len(step_numbers), len(y), len(chunk)))
        ss = np.empty((len(step_numbers), len(stored), len(chunk)))
        solved: list[Any] = []
        for p in range(count):
            if self.stopped.is_set():
                return
            path = slice(None) if shared else slice(p, p + 1)
            with np.errstate(all="ignore"):
                one = model.of_path(p)
                rate = rates.of(one)
                states, coordinates = method.solve(
                    one, y[:, p], stored[:, p], step_numbers * spec.dt, spec.driver, rate
                )
            ys[:, :, path], ss[:, :, path] = states[:, :, None], coordinates[:, :, None]
            solved.append(partial(method.solve, one, y[:, p], stored[:, p], step_numbers * spec.dt, spec.driver))

        def again(which: np.ndarray) -> None:
            outside = [interpolation.reads_outside(1, solved[0 if shared else p]) for p in which.tolist()]
            interpolation.note_outside(np.array(outside).reshape(-1))

        for i, n in enumerate(step_numbers):
            self.record.watch(
                model, int(n), Step(ys[i], np.zeros((model.group.dimension, len(chunk)))), ss[i], again=again
            )
            self.record.visit(model, int(n), ys[i], ss[i])
        self.on_progress(spec.steps * len(chunk))


def spread(rows: np.ndarray, chunk: range) -> np.ndarray:
    """The rows of some paths, ``(d, paths)``, from a common state or one per path."""
    if rows.shape[1] == 1:
        return np.repeat(rows, len(chunk), axis=1)
    return np.ascontiguousarray(rows[:, chunk.start : chunk.stop])
