"""Jacobians of the fields at a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.core import SIXTH_ORDER, errors
from semidirect.equations import derived_sde, emission
from semidirect.model import NumericalSDE
from semidirect.state.state import one_state

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model import NumericalSDE


def linearise(
    system: SystemDefinition, state: Mapping[str, Any] | None = None, t: float | None = None
) -> dict[str, np.ndarray]:
    """Jacobians (d, d) of the drift and of each noise in the velocity variables, by exact differentiation of each stage; for
    a system that is stated by functions of arrays, by central differences of the sixth order.

    Raises
    ------
    InputError
        For a state or a parameter given per path, and for arrays of more than 1024 numbers.
    """
    start, t = one_state(system, state, t, "linearise", located=False)
    model = NumericalSDE.of(system, variables="velocity")
    if system._states_arrays:
        return _by_differences(model, start.vector(model, t)[:, 0], t)
    sde = derived_sde(system, variables="velocity", lettered=True)  # shorter where there are letters
    y = start.vector(model, t)[:, 0]
    direction = [sp.Symbol(f"delta_{x.name}", real=True) for x in sde.state]
    out = {"state": y}
    for k in range(sde.wieners + 1):
        column = sde.column(k)
        tangent = column.with_outputs(c=column.outputs["state"]).jvp(dict(zip(sde.state, direction, strict=True)), "'")
        inputs = (*sde.state, sde.setting.t, *sde.definition.parameters, *direction)
        function = emission.numerical_function(tangent, tangent.outputs["c"], inputs)
        rows = function(*y, t, *model.parameters, *np.eye(len(y)))
        out[f"noise{k}" if k else "drift"] = np.array(
            [np.broadcast_to(r, (len(y),)) for r in rows], dtype=float
        ).reshape(len(y), len(y))
    return out


LARGEST = 1024
"""Rows of a state whose Jacobian is made by differences: it has as many columns."""
SHORT = 1e-3
"""Of differences of the sixth order, relative to the largest entry: their error is about as large as rounding."""


def _by_differences(model: NumericalSDE, y: np.ndarray, t: float) -> dict[str, np.ndarray]:
    d = len(y)
    if d > LARGEST:
        raise errors.InputError("the Jacobian of functions of arrays", expected=f"at most {LARGEST} rows", got=str(d),
                                hint="Take differences along the directions that you need, system.drift(y).")  # fmt: skip
    step, out = SHORT * max(float(np.max(np.abs(y), initial=0.0)), 1e-8), {"state": y}
    for k in range(model.wieners + 1):
        total = np.zeros((d, d))
        for multiple, weight in SIXTH_ORDER:
            for sign in (1, -1):
                total += sign * weight * model.column(k, y[:, None] + sign * multiple * step * np.eye(d), t)
        out[f"noise{k}" if k else "drift"] = total / step
    return out
