"""Jacobians of the fields at a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.equations import derived_sde, emission
from semidirect.model import numerical_sde
from semidirect.state.state import one_state

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition


def linearise(
    system: SystemDefinition, state: Mapping[str, Any] | None = None, t: float | None = None
) -> dict[str, np.ndarray]:
    """Jacobians (d, d) of the drift and of each noise in the velocity variables, by exact differentiation of each stage.

    Raises
    ------
    InputError
        For a state or a parameter given per path.
    """
    start, t = one_state(system, state, t, "linearise", located=False)
    model = numerical_sde(system, variables="velocity")
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
