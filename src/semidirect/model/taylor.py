"""The stochastic Taylor increments of order 1: derivatives of noise fields along noise fields, staged, by jvp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from semidirect.equations import Program

if TYPE_CHECKING:
    from semidirect.equations import StratonovichSDE


def milstein(sde: StratonovichSDE) -> tuple[Program, list[sp.Expr]]:
    """[f dt + g dW + ½ D(g dW)[g dW]; the same of v], g dW = Σ g_i dW^i: the increment of commuting noise fields."""
    s = sde.setting
    fields = (*sde.program.outputs["state"], *sde.program.outputs["v"])
    noise = sde.program.call({s.dt: 0}, "@W")
    outputs = (*noise.outputs["state"], *noise.outputs["v"])
    second = noise.with_outputs(c=outputs).jvp(dict(zip(sde.state, noise.outputs["state"], strict=True)), "'W")
    program = sde.program.joined(second)
    return program, [e + c / 2 for e, c in zip(fields, second.outputs["c"], strict=True)]


def area_symbols(m: int) -> tuple[sp.Symbol, ...]:
    """A_ij, i < j, in the order of :func:`semidirect.random.iterated_integrals.pairs`."""
    return tuple(sp.Symbol(f"A{i + 1}_{j + 1}", real=True) for i in range(m) for j in range(i + 1, m))


def milstein_with_areas(sde: StratonovichSDE) -> tuple[Program, list[sp.Expr], Sequence[sp.Symbol]]:
    """As :func:`milstein` with Σ_{i<j} A_ij [g_i, g_j], and the inputs A_ij."""
    program, totals = milstein(sde)
    brackets, rows, symbols = area_brackets(sde)
    return program.joined(brackets), [a + b for a, b in zip(totals, rows, strict=True)], symbols


def area_brackets(sde: StratonovichSDE) -> tuple[Program, list[sp.Expr], Sequence[sp.Symbol]]:
    """Σ_{i<j} A_ij [g_i, g_j], components of the state and of the algebra, and the inputs A_ij.

    With A antisymmetric the sum is Σ_j Dg_j[u_j], u_j = Σ_i A_ij g_i. On the group, ds = s Σ v_i∘dW^i, the brackets have the
    components Dv_j[g_i] − Dv_i[g_j] + [v_i, v_j], of which the last give ½ Σ_j [Σ_i A_ij v_i, v_j].
    """
    s, m, group, d = sde.setting, sde.wieners, sde.definition.group, len(sde.state)
    symbols = area_symbols(m)
    A = np.zeros((m, m), dtype=object)
    A[np.triu_indices(m, 1)] = symbols
    A = A - A.T
    program, totals = sde.program, [sp.Integer(0)] * (d + group.dimension)
    for j in range(m):
        swept = sde.program.call({s.dt: 0, **dict(zip(s.dW, A[:, j], strict=True))}, f"@A{j + 1}")
        column = sde.column(j + 1)
        fields = (*column.outputs["state"], *column.outputs["v"])
        direction = dict(zip(sde.state, swept.outputs["state"], strict=True))
        bracket = swept.joined(column).with_outputs(c=fields).jvp(direction, f"'A{j + 1}")
        program = program.joined(bracket)
        commutator = group.bracket(*(np.array(p.outputs["v"], dtype=object) for p in (swept, column)))
        more = [*[sp.Integer(0)] * d, *(sp.sympify(c) / 2 for c in commutator)]
        totals = [e + c + b for e, c, b in zip(totals, bracket.outputs["c"], more, strict=True)]
    return program, totals, symbols
