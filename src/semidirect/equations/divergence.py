"""The divergence of the fields of a stochastic differential equation, by differentiation of its program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

if TYPE_CHECKING:
    from semidirect.equations.program import Program
    from semidirect.equations.sde import StratonovichSDE

__all__ = ["column_divergence", "mean_divergence"]


def column_divergence(sde: StratonovichSDE, k: int, program: Program) -> tuple[Program, sp.Expr]:
    """Σ ∂g_i/∂y_i of the drift (k = 0) or of the k-th noise in the coordinates of the state, and the program joined with what it
    needs.
    """
    column, terms = sde.column(k), list[sp.Expr]()
    program = program.joined(column)
    for i, x in enumerate(sde.state):
        part = column.with_outputs(c=[column.outputs["state"][i]]).jvp({x: sp.Integer(1)}, f"/{x.name}@{k}")
        program, terms = program.joined(part), [*terms, part.outputs["c"][0]]
    return program, sp.Add(*terms)


def mean_divergence(sde: StratonovichSDE) -> tuple[Program, sp.Expr]:
    """D = div f + ½ Σ g_k·∇(div g_k), the expected rate of the logarithm of a volume that moves with the flow.

    The logarithm moves by div f dt + Σ div g_k ∘ dW^k; in Itô's form the drift is D, and the rest is a martingale.
    """
    program, total = column_divergence(sde, 0, sde.program)
    for k in range(1, sde.wieners + 1):
        program, c = column_divergence(sde, k, program)
        rates = dict(zip(sde.state, sde.column(k).outputs["state"], strict=True))
        second = program.with_outputs(c=[c]).jvp(rates, f"?{k}")
        program, total = program.joined(second), total + second.outputs["c"][0] / 2
    return program, total
