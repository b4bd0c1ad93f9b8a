"""How strongly each noise moves a quantity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.model.derived_equations import Row
    from semidirect.model.numerical_model import NumericalSDE


def noise_of_quantity(model: NumericalSDE, row: Row | sp.Expr, y: np.ndarray, stored: np.ndarray, t: Any) -> np.ndarray:
    """The derivatives of a quantity along the noise fields, ``(wieners, paths)``: dq = … dt + Σ g_i∘dW^i.

    ``row``: of the structure, or an expression of the program, as of :meth:`.NumericalSDE.read`. The derivatives are symbolic.
    """
    if not model.compiles:
        return model.noise_of_row(row, y, stored, t)  # type: ignore[attr-defined]

    def outputs() -> tuple[Any, list[sp.Expr]]:
        sde = model.sde
        quantity = tuple(model.structure.expressions([row]))
        joined = sde.program.with_outputs()
        slopes: list[sp.Expr] = []
        for i in range(1, sde.wieners + 1):
            column = sde.column(i)
            tangent = dict(zip(sde.state, column.outputs["state"], strict=True))
            tangent |= dict(zip(sde.coordinates.values(), column.outputs["coordinates"], strict=True))
            along = column.with_outputs(q=quantity).jvp(tangent, f"'{i}")
            joined = joined.joined(along)
            slopes += along.outputs["q"]
        return joined, slopes

    s = tuple(stored) if model.reconstructs else (np.nan,) * len(model.group.stored_names)
    label = f"noise of {row}"
    return model.rows(label, outputs, y, t, s, stored=True, keep=model.structure.keeps([row]))
