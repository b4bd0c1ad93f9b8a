"""Steps of some paths that are taken again, by a part of their length."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from semidirect.compile import Steps, Trail
from semidirect.core import ops
from semidirect.integrators import AdaptiveIntegrator, Advance, Step
from semidirect.model import NumericalSDE
from semidirect.specification import RunSpec, conditions


@final
@dataclass(frozen=True, eq=False)
class PartialStep:
    """One step of some paths, of which a part is taken by the method of the run.

    Attributes
    ----------
    spec : RunSpec
        The run.
    model : NumericalSDE
        With the parameters of these paths.
    paths : array (n,)
        Their numbers.
    step : int, or array (n,)
        The number of the step, which begins at ``step·dt``; or one for each path.
    y, stored : arrays (d, n), (r, n)
        Where they are before it.
    row : row of the structure
        The component of the quantity that is looked at.
    barrier : Barrier
        The level that it may reach.
    elapsed : array (n,) or None
        The share of the step that is over: what is taken is the rest, with increments that do not depend on those before.
    rows : array (rows, n) or None
        The rows of the whole step of a Wiener process without iterated integrals; drawn where they are needed, if not given.
    trail : Trail or None
        The compiled step, with the same bits.
    """

    spec: RunSpec
    model: NumericalSDE
    paths: np.ndarray
    step: int | np.ndarray
    y: np.ndarray
    stored: np.ndarray
    row: Any
    barrier: conditions.Barrier
    elapsed: np.ndarray | None = None
    rows: np.ndarray | None = None
    trail: Trail | None = None

    def of(self, which: np.ndarray) -> PartialStep:
        """Some of the paths, by their positions."""
        return replace(
            self, model=self.model.of_some(which), paths=self.paths[which], y=self.y[:, which], stored=self.stored[:, which],
            step=self.step[which] if isinstance(self.step, np.ndarray) else self.step,
            elapsed=None if self.elapsed is None else self.elapsed[which],
            rows=None if self.rows is None else self.rows[:, which],
        )  # fmt: skip

    @property
    def values(self) -> PartialStep:
        """The same step without derivatives."""
        model = self.model.undifferentiated()
        return self if model is self.model else replace(self, model=model, y=self.y[: model.dimension])

    @property
    def noisy(self) -> bool:
        """Whether Wiener processes drive the run, of which Brownian bridges are known."""
        return self.spec.driver is not None and self.spec.driver.increment_law == "normal"

    @property
    def begin(self) -> float | np.ndarray:
        """When the step, or the rest of it, begins [s]."""
        start: float | np.ndarray = self.step * self.spec.dt
        return start if self.elapsed is None else start + self.elapsed * self.spec.dt

    @property
    def length(self) -> float | np.ndarray:
        """How long the step, or the rest of it, is [s]."""
        return self.spec.dt if self.elapsed is None else (1 - self.elapsed) * self.spec.dt

    def driven(self, share: np.ndarray) -> np.ndarray:
        """The rows of the first part of the step, where W is taken as linear in it."""
        driver = self.spec.driver
        if driver is None:
            return np.zeros((self.model.wieners, len(self.paths)))
        if self.rows is not None:
            rows = self.rows * share
        else:
            rows = driver.part(self.paths, self.step, self.spec.dt, share)  # type: ignore[arg-type]
        return rows if self.elapsed is None else rows * ops.sqrt(1 - self.elapsed)

    def taken(self, share: np.ndarray, dW: np.ndarray) -> tuple[Step, np.ndarray]:
        """A step of the length ``share·length`` with the increments dW, and the coordinates of s after it."""
        method, model = self.spec.method, self.model
        if isinstance(method, AdaptiveIntegrator):
            y, stored = self._solved(method, share)
            return Step(y, np.zeros((model.group.dimension, len(self.paths)))), stored
        if self.trail is not None:
            steps, d, n = self._compiled(self.trail, share, dW), len(self.y), len(self.paths)
            if (steps.stuck < 0).all():
                everything = np.arange(n)
                rows = steps.at(everything, 0 * everything, slice(0, d + len(self.stored)))
                return Step(rows[:d], np.zeros((model.group.dimension, n))), rows[d:]
        with np.errstate(all="ignore"):
            return Advance(method, model)(self.y, self.stored, self.begin, share * self.length, dW)

    def end(self, share: np.ndarray, dW: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The states after a step of the length ``share·length`` with the increments dW."""
        step, stored = self.taken(share, dW)
        return step.y, stored

    def beyond(self, share: np.ndarray, dW: np.ndarray) -> np.ndarray:
        """How far the quantity is beyond the barrier then."""
        if self.trail is not None and self.row in self.trail.watched:
            steps = self._compiled(self.trail, share, dW)
            if (steps.stuck < 0).all():
                place = len(self.y) + len(self.stored) + self.trail.watched.index(self.row)
                return self.barrier.beyond(steps.of(place, len(self.paths))[0])
        y, stored = self.end(share, dW)
        values = self.model.read(y, stored, self.begin + share * self.length, {"quantity": [self.row]})["quantity"][0]
        return self.barrier.beyond(np.broadcast_to(values, share.shape))

    @cached_property
    def noise(self) -> np.ndarray:
        """The derivatives of the quantity along independent noises before the step, ``(m, n)``."""
        slopes = self.model.noise_of(self.row, self.y, self.stored, self.begin)
        lower = None if self.spec.driver is None else self.spec.driver.mixing()
        return slopes if lower is None else mixed_back(lower, slopes)

    def _compiled(self, trail: Trail, share: np.ndarray, dW: np.ndarray) -> Steps:
        """A step of the length ``share·length``."""
        return trail(self.model, self.y, self.stored, dW[None], (self.begin, 0.0, share * self.length), 1)

    def _solved(self, method: AdaptiveIntegrator, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        y, stored = self.y.copy(), self.stored.copy()
        begin, length = (np.broadcast_to(x, share.shape) for x in (self.begin, self.length))
        for i in np.flatnonzero(share > 0).tolist():
            times = np.array([begin[i], begin[i] + share[i] * length[i]])
            with np.errstate(all="ignore"):
                states, coordinates = method.solve(
                    self.model.of_path(i), self.y[:, i], self.stored[:, i], times, self.spec.driver
                )
            y[:, i], stored[:, i] = states[-1], coordinates[-1]
        return y, stored


def mixed_back(lower: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Lᵀ applied to rows ``(m, n)``, each of whose columns is computed alone."""
    out = np.zeros_like(rows)
    for i, j in zip(*np.tril_indices(len(lower)), strict=True):
        out[j] += lower[i, j] * rows[i]
    return out
