"""How a quantity of the configuration changes along each element of the algebra: its rate is linear in the velocity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import sympy as sp

from semidirect.core import exact

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE, Row

__all__ = ["Slopes", "slopes_along_group"]


class Slopes(NamedTuple):
    """The gradient ∂q̇/∂ξ ``(n, paths)`` of the rate of a quantity, and which elements of the algebra leave it as it is ``(n,)``.

    An element of which that is not known by symbols alone counts as one that changes the gradient.
    """

    gradient: np.ndarray
    still: np.ndarray


def slopes_along_group(
    model: NumericalSDE, row: Row | sp.Expr, y: np.ndarray, stored: np.ndarray, t: Any
) -> Slopes | None:
    """The slopes of a quantity at states, or ``None`` if it depends on velocities or internal states.

    ``row``: of the structure, or an expression of the program, as of :meth:`.NumericalSDE.read`. The derivatives are symbolic.
    """
    n = model.group.dimension

    def outputs() -> tuple[Any, list[sp.Expr]]:
        sde, expressions = model.sde, tuple(model.structure.expressions([row]))
        moving = [x for v in sde.variables if v.kind != "advected" for x in v.symbols]
        if sde.program.depends(expressions, moving):
            return sde.program, [sp.Integer(0)] * (1 + 2 * n)
        program, slopes = sde.program.with_outputs(), list[sp.Expr]()
        for i in range(n):
            along = sde.program.with_outputs(q=expressions).jvp(_turn(model, i), f"'{i + 1}")
            program, slopes = program.joined(along), [*slopes, *along.outputs["q"]]
        gradient = program.with_outputs(q=tuple(slopes))
        again = [gradient.jvp(_turn(model, i), f'"{i + 1}').outputs["q"] for i in range(n)]
        still = [sp.Integer(all(x == 0 for x in rows)) for rows in again]
        return program, [sp.Integer(1), *slopes, *still]

    s = tuple(stored) if model.reconstructs else (np.nan,) * len(model.group.stored_names)
    keep = model.structure.keeps([row])
    rows = model.rows(f"slopes along the group of {row}", outputs, y, t, s, stored=True, keep=keep)
    if not rows[0].all():
        return None
    return Slopes(rows[1 : n + 1], np.all(rows[n + 1 :], axis=1))


def _turn(model: NumericalSDE, i: int) -> dict[sp.Symbol, sp.Expr]:
    """The change of all that is advected, −ρ(e_i)a, and of the coordinates of s, along the i-th element of the algebra."""
    sde, d = model.sde, model.definition
    element = exact.objects([int(i == j) for j in range(model.group.dimension)])
    changes: dict[sp.Symbol, sp.Expr] = {}
    for name, part in d.advected_layout.items():
        a = np.array(sde.setting.a[part], dtype=object)
        changes |= zip(a, (-x for x in d.advected[name].representation.action(element, a)), strict=True)
    symbols = list(sde.coordinates.values())
    if symbols:
        rates = model.group.flow_entries(np.array(symbols, dtype=object), element)
        changes |= zip(symbols, rates, strict=True)
    return {x: sp.sympify(e) for x, e in changes.items()}
