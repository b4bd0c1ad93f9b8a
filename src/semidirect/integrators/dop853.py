"""Reference solutions of the equations without noise, or driven by a smooth path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self, final

import numpy as np

from semidirect.integrators.adaptive import AdaptiveIntegrator, Rate

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE
    from semidirect.random import DrivingProcess


@final
@dataclass(frozen=True)
class DOP853(AdaptiveIntegrator):
    """Dormand–Prince 8(5,3) of SciPy on the flat equations of y and s, step size by its own error control.

    ``dt`` only determines the times of the results.
    """

    name: ClassVar[str] = "dop853"
    deterministic_order: ClassVar[int] = 8

    rtol: float = 1e-13
    atol: float = 1e-14

    def solve(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, times: np.ndarray, driver: DrivingProcess | None,
              rate: Rate | None = None) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """States ``(T, d)``, coordinates ``(T, r)`` of one path at ``times``; nan after the time at which it failed.

        ``rate``: the function for the rate of x = [y; s], by default :meth:`.NumericalSDE.flat_rate`.
        """
        from scipy.integrate import solve_ivp

        d = model.dimension
        # W′(t), if it is constant
        steady = np.zeros(model.wieners) if driver is None else driver.derivative(times[0]) if driver.steady else None
        function = rate or model.flat_rate

        def at(t: float, x: np.ndarray) -> np.ndarray:
            return function(t, x, driver.derivative(t) if steady is None else steady)  # type: ignore[union-attr]

        start = np.concatenate([y, stored])
        out = np.full((len(times), len(start)), np.nan)
        out[0] = start
        if len(times) > 1 and np.all(np.isfinite(at(times[0], start))):  # else SciPy looks for a first step for ever
            solution = solve_ivp(
                at, (times[0], times[-1]), start, method="DOP853", t_eval=times, rtol=self.rtol, atol=self.atol
            )
            out[: solution.y.shape[1]] = solution.y.T
        return out[:, :d], out[:, d:]

    def tightened(self, factor: float) -> Self:
        """Both tolerances are reduced."""
        return replace(self, rtol=factor * self.rtol, atol=factor * self.atol)
