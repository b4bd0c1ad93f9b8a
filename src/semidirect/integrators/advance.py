"""A step of a method on a state and on the coordinates of s, with their derivatives if they are carried along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import dual
from semidirect.integrators.method import Integrator, Step
from semidirect.model import Differentiable

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE


@final
class Advance:
    """The step that every engine repeats: array code on rows of paths, and on tracer scalars for kernels.

    Derivatives are those of the step itself; implicit steps are differentiated at their solution.
    """

    def __init__(self, method: Integrator, model: NumericalSDE, *, scalars: bool = False):
        """``scalars``: whether states are vectors of tracer scalars or of exact numbers."""
        self.method, self.model, self.retraction = method, model, method.retraction(model.stepped)
        tangents = model.tangents
        self._lifted = (
            None if tangents is None else Differentiable(model, tangents, len(model.coordinates), scalars=scalars)
        )

    def __call__(self, y: np.ndarray, stored: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> tuple[Step, np.ndarray]:
        """The step from ``t`` to ``t + dt``, and the coordinates of s after it."""
        lifted = self._lifted
        if lifted is None:
            step = self.model.step(self.method, y, t, dt, dW)
            return step, self.model.reconstruct(stored, step.v, self.retraction)
        state, coordinates = lifted.state(y, stored)
        t, dt = lifted.constants([t, dt])
        step = self.method.step(lifted.model, state, t, dt, lifted.constants(dW))
        coordinates_after = lifted.model.reconstruct(coordinates, step.v, self.retraction)
        after, stored = lifted.rows(step.y, coordinates_after, *y.shape[1:])
        v = dual.rows([dual.value(x) for x in step.v])
        if not lifted.scalars:
            v = np.broadcast_to(v.reshape(len(v), -1), (len(v), *y.shape[1:]))
        return Step(after, v, step.converged), stored
