"""Methods that choose their steps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Literal, Self, final

import numpy as np

from semidirect.core import errors
from semidirect.integrators.method import Integrator, Step

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE
    from semidirect.random import DrivingProcess

Rate = Callable[[float, np.ndarray, np.ndarray], np.ndarray]
"""The rate ``f(t, x, W′)`` of x = [y; s], state and coordinates of one path."""


class AdaptiveIntegrator(Integrator):
    """A method for ordinary differential equations that controls its error by the size of its steps, path by path.

    ``dt`` only determines the times of the results. Such a method has a tolerance instead of an order in dt.
    """

    calculus: ClassVar[Literal["stratonovich", "ito", "ode"]] = "ode"

    @abstractmethod
    def solve(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, times: np.ndarray, driver: DrivingProcess | None,
              rate: Rate | None = None) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """States ``(T, d)``, coordinates ``(T, r)`` of one path at ``times``; nan after the time at which it failed.

        ``rate``: the function for the rate of x = [y; s], by default array code.
        """

    @abstractmethod
    def tightened(self, factor: float) -> Self:
        """The method with this fraction of its tolerance."""

    @final
    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """Not a one-step method of increments: see :meth:`solve`."""
        raise errors.MethodError(
            f"{self.label} takes no increments", hint="It needs no noise, or a smooth driving path W(t)."
        )
