"""Derivatives at an event, whose time moves with what a path is differentiated by.

A step of the length τ from t takes the state x to Φ(x, t, τ). At an event h(Φ, t + τ) is at a level, so that along any direction

    δτ = −(δh at fixed τ) / (dh/dτ),   δx⁺ = (δΦ at fixed τ) + (∂Φ/∂τ) δτ.

All derivatives are those of the numerical step, so that they are those of the located event, whatever the step.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from semidirect.core import SIXTH_ORDER, dual, errors, exact
from semidirect.engines.events.partial_step import PartialStep
from semidirect.model import Differentiable, NumericalSDE, sensitivities
from semidirect.quantities import Quantities
from semidirect.random import DrivingProcess
from semidirect.specification import conditions

DURATION = sensitivities.Direction("duration", "none", -1, "duration")
"""The length of the step, which is one more direction."""
DIFFERENCE = 2.0**-6
"""Of the differences by which a driving path is differentiated, relative to the part of the step."""
SHORT = 2.0**-4
"""The shortest part to which they are relative: increments of a shorter one have few digits."""


def refuse_without_slopes(model: NumericalSDE, contents: Quantities, conditions: Iterable[conditions.Condition],
                          process: DrivingProcess | None) -> None:  # fmt: skip
    """Raise a :class:`MethodError` if a run is to have derivatives at located events that have none."""
    located = [one for one in conditions if one.locate] if model.tangents is not None else []
    for one in located:
        if process is not None and process.increment_law is not None:
            raise errors.MethodError(
                f"no derivatives at an event that is located under noise ({one.label})",
                expected="a run without noise, or events at the steps",
                got="sensitivity= and a Wiener process, which has no derivative by the time of the event, which moves",
                hint="Run with driver=0, stop at steps, sd.Stop(…, locate=False), or leave sensitivity= out: differences of two "
                "runs with one seed give derivatives of means.",
            )  # fmt: skip
        if one.name.startswith(sensitivities.SENSITIVITY):
            raise errors.MethodError(f"the time at which {one.name!r} reaches a level has no derivatives",
                                     expected="a quantity of the first order", got="second derivatives",
                                     hint="Stop at steps, sd.Stop(…, locate=False).")  # fmt: skip
        kink = sensitivities.kink_of(model, one.name, contents.everything[one.name])
        if kink:
            raise errors.MethodError(f"the time of {one.label} is not differentiable", got=f"{kink} in {one.name}",
                                     hint="Use a smooth quantity, or sd.Stop(…, locate=False).")  # fmt: skip


class EventSlopes(NamedTuple):
    """Derivatives ``(K, d + r, n)`` of state and coordinates of s at an event, and those of its time ``(K, n)``."""

    state: np.ndarray
    time: np.ndarray

    def below(self, y: np.ndarray) -> np.ndarray:
        """The rows of states with their derivatives."""
        return np.concatenate([y, self.state.reshape(-1, y.shape[1])])


def slopes_at_event(step: PartialStep, share: np.ndarray, begin: np.ndarray | None = None) -> EventSlopes:
    """The derivatives where the quantity of a step reaches its level after a share of it.

    They are nan where the quantity only touches the level.

    Parameters
    ----------
    step : PartialStep
        Whose states have derivatives.
    share : array (n,)
    begin : array (K, n), optional
        The derivatives of the time at which the step begins, 0 where it is on the grid.
    """
    motion = _Moved(step, share, begin)
    of_quantity = motion.quantity()
    with np.errstate(all="ignore"):
        longer = -of_quantity[:-1] / np.where(of_quantity[-1] == 0, np.nan, of_quantity[-1])
    return motion.after(longer)


def slopes_on_grid(step: PartialStep, share: np.ndarray, begin: np.ndarray) -> EventSlopes:
    """The derivatives after a share of a step that ends at a time that nothing moves, whenever the step begins."""
    return _Moved(step, share, begin).after(-begin)


class _Moved:
    """A part of a step with the derivatives along all directions at a fixed length, and by the length."""

    def __init__(self, step: PartialStep, share: np.ndarray, begin: np.ndarray | None):
        model, tangents = step.model, step.model.tangents
        assert tangents is not None
        count, n = len(tangents.directions), len(share)
        self._step = step
        self._model = model.differentiated(sensitivities.Tangents((*tangents.directions, DURATION)))
        assert self._model.tangents is not None
        lifted = Differentiable(self._model, self._model.tangents, len(step.stored), scalars=False)
        self.begin = np.zeros((count, n)) if begin is None else begin
        begin_slopes = np.concatenate([self.begin, np.zeros((1, n))])
        along = np.zeros((count + 1, n))
        along[-1] = 1.0
        dW = step.driven(share)
        rates = driven_slopes(step, share) if step.spec.driver is not None else np.zeros(dW.shape)
        y = np.concatenate([step.y, np.zeros((model.dimension + len(step.stored), n))])
        state, coordinates = lifted.state(y, step.stored)
        t: Any = dual.Dual(lifted.directions, step.begin + np.zeros(n), {0: begin_slopes})
        length: Any = dual.Dual(lifted.directions, share * step.length, {0: along})
        increments = exact.objects(
            [dual.Dual(lifted.directions, x, {0: along * rate}) for x, rate in zip(dW, rates, strict=True)]
        )
        method = step.spec.method
        with np.errstate(all="ignore"):
            outcome = method.step(lifted.model, state, t, length, increments)
            stored_after = lifted.model.reconstruct(coordinates, outcome.v, method.retraction(model))
        self._y, self._stored = lifted.rows(outcome.y, stored_after, n)
        self._time = step.begin + share * step.length
        self._time_slopes = begin_slopes + along
        self._tangent = self._y[model.dimension :].reshape(count + 1, -1, n)

    def quantity(self) -> np.ndarray:
        """The derivatives of the quantity, ``(K + 1, n)``."""
        rows = [sensitivities.Slope(self._step.row, k) for k in range(len(self._tangent))]
        return self._model.read(self._y, self._stored, self._time, {"quantity": rows}, self._time_slopes)["quantity"]

    def after(self, longer: np.ndarray) -> EventSlopes:
        """The derivatives of a step whose length has these derivatives, ``(K, n)``."""
        with np.errstate(all="ignore"):
            state = self._tangent[:-1] + self._tangent[-1] * longer[:, None]
        return EventSlopes(state, self.begin + longer)


def driven_slopes(step: PartialStep, share: np.ndarray) -> np.ndarray:
    """The derivatives of the rows of a driving path by the length of the step, by differences of order 6."""
    h = DIFFERENCE * np.maximum(share, SHORT)
    total = np.sum([c * (step.driven(share + k * h) - step.driven(share - k * h)) for k, c in SIXTH_ORDER], axis=0)
    slopes: np.ndarray = total / (h * step.length)
    return slopes
