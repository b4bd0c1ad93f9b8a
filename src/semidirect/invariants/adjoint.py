"""The adjoint of the generator applied to a density e^{−βE}, as a program."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, final

import sympy as sp

from semidirect.invariants.pieces import Pieces

if TYPE_CHECKING:
    from semidirect.equations import Program, StratonovichSDE


@final
class Adjoint:
    """L*P/P for P = e^{−βE}: −div f + βf·E + ½ Σ (c_k² + g_k·c_k) with c_k = div g_k − βg_k·E; and −β∂E/∂t.

    Attributes
    ----------
    sde : StratonovichSDE
    beta : Fraction
    energy : Expr
        E.
    program : Program
        With the outputs ``defect`` and ``clock`` = −β∂E/∂t.
    moved : list of lists of Expr
        The rates of the state by f − ½ Σ c_k g_k, which moves P, and by each g_k.
    pieces : Pieces
        Of ``defect`` and ``clock``, and of what they are made of.
    """

    def __init__(self, sde: StratonovichSDE, beta: Fraction, energy: sp.Expr):
        self.sde, self.beta, self.energy = sde, beta, energy
        b = sp.Rational(beta.numerator, beta.denominator)
        program, total = sde.program, sp.Integer(0)
        flow: list[sp.Expr] = []
        for k in range(sde.wieners + 1):
            column = list(sde.column(k).outputs["state"])
            rates = dict(zip(sde.state, column, strict=True))
            program, divergence = sde.column_divergence(k, program)
            slope = program.with_outputs(c=[energy]).jvp(rates, f"!{k}")
            program, c = program.joined(slope), divergence - b * slope.outputs["c"][0]
            if k == 0:
                total, flow = total - c, column
                continue
            flow = [x - c * y / 2 for x, y in zip(flow, column, strict=True)]
            second = program.with_outputs(c=[c]).jvp(rates, f"?{k}")
            program, total = program.joined(second), total + (c**2 + second.outputs["c"][0]) / 2
        clock = program.with_outputs(c=[energy]).jvp({sde.setting.t: sp.Integer(1)}, "~t")
        program = program.joined(clock)
        noise = [list(sde.column(k + 1).outputs["state"]) for k in range(sde.wieners)]
        self.moved = [flow, *noise]
        self.program = program.with_outputs(defect=[total], clock=[-b * clock.outputs["c"][0]])
        reads = [
            energy,
            *(x for rates in self.moved for x in rates),
        ]  # a step of E leaves no trace in its derivatives
        self.pieces = Pieces.of(program.with_outputs(**self.program.outputs, read=reads))

    def across(self) -> Program:
        """The energy, and the rates of each condition of the pieces by what moves P and by each noise, one after the other."""
        program, slopes = self.program, list[sp.Expr]()
        for i, condition in enumerate(self.pieces.conditions):
            for k, rates in enumerate(self.moved):
                along = dict(zip(self.sde.state, rates, strict=True))
                slope = program.with_outputs(c=[condition]).jvp(along, f"#{i}_{k}")
                program, slopes = program.joined(slope), [*slopes, slope.outputs["c"][0]]
        return program.with_outputs(across=[self.energy, *slopes])
