"""The balance of momentum, form by form: dP = Bᵀf + (dB)ᵀp, B_Vᵀdp = B_Vᵀf, or dp = f + C dλ with Aξ = b."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from semidirect.core import symbols
from semidirect.equations import Let, Program
from semidirect.expressions import expression_sizes

if TYPE_CHECKING:
    from semidirect.equations import StratonovichSDE


def without_transport(program: Program, stays: Callable[[Let], bool] = lambda statement: False) -> Program:
    """The program with transport, advection, κ and parts of dp put in where they are used, but for what ``stays``."""
    rules: dict[sp.Symbol, sp.Expr] = {}
    statements = []
    for statement in program.statements:
        new = statement.replaced(rules)
        if isinstance(new, Let) and not stays(new) and re.match(r"~(d|v_|kappa)", new.names[0].name):
            rules |= dict(zip(new.names, new.expressions, strict=True))
        else:
            statements.append(new)
    outputs = {k: tuple(e.xreplace(rules) for e in v) for k, v in program.outputs.items()}
    return Program(program.inputs, tuple(statements), outputs)


def vanishes(program: Program, e: sp.Expr) -> bool:
    """Whether an expression is 0 once the definitions of its names are put in."""
    for statement in reversed(program.statements):
        if isinstance(statement, Let) and e.free_symbols.intersection(statement.names):
            e = e.xreplace(dict(zip(statement.names, statement.expressions, strict=True)))
    return bool(expression_sizes.expanded(e, expression_sizes.MOST_SHOWN) == 0)


class BalanceRows:
    """The balance of one SDE by columns: 0 for dt, i for W^i; velocities and momenta keep their names."""

    def __init__(self, sde: StratonovichSDE, stays: Callable[[Let], bool] = lambda statement: False):
        self.sde = sde
        self.programs = [without_transport(sde.column(k), stays) for k in range(sde.wieners + 1)]
        self.named = [np.array(p.outputs["force"], dtype=object) for p in self.programs]
        """External forces by columns, as they are to be written."""

    def forces(self, k: int) -> np.ndarray:
        """f, ``(n,)``."""
        return np.array(self.programs[k].outputs["f"], dtype=object) + self._renamed(k)

    def _renamed(self, k: int) -> np.ndarray:
        """The replacements by which a force gets a name."""
        return self.named[k] - np.array(self.programs[k].outputs["force"], dtype=object)

    def moved(self, k: int) -> list[sp.Expr]:
        """The rates of the state."""
        rates = np.array(self.programs[k].outputs["state"], dtype=object)
        if self.sde.form == "P":
            d = self.sde.setting.distribution
            assert d is not None
            correction = symbols.matvec(d.basis.T, self._renamed(k))
            rates[: len(correction)] = rates[: len(correction)] + correction
        return [sp.Integer(0) if vanishes(self.programs[k], e) else e for e in rates]

    def projected(self, k: int) -> np.ndarray:
        """Bᵀf + (dB)ᵀp, ``(m,)``: what moves P = Bᵀp where reactions are ideal."""
        s = self.sde.setting
        assert s.distribution is not None
        B, rates = s.distribution.basis, self.programs[k].outputs["state"]
        moving = [x for v in self.sde.variables if v.kind in ("advected", "internal") for x in v.symbols]
        along = [*zip(moving, rates[len(rates) - len(moving) :], strict=True), (s.t, sp.Integer(int(k == 0)))]
        letters = [x for letter in s.letters for x in letter.symbols]
        along += zip(letters, self.programs[k].outputs["letters"], strict=True)
        dB = np.empty(B.shape, dtype=object)
        for index, entry in np.ndenumerate(B):
            dB[index] = sp.Add(*(sp.diff(entry, x) * rate for x, rate in along))
        p = np.array(self.programs[k].outputs["p"], dtype=object)
        return symbols.matvec(B.T, self.forces(k)) + symbols.matvec(dB.T, p)

    @property
    def dp(self) -> np.ndarray:
        """Letters for dp, ``(n,)``."""
        return symbols.staged_blocks("dp_", self.sde.definition.group.blocks)

    def tested(self, covector: Sequence[sp.Expr] | np.ndarray) -> np.ndarray:
        """B_Vᵀ of a covector, ``(m,)``: the test space sees no reaction."""
        d = self.sde.setting.distribution
        assert d is not None
        return symbols.matvec(d.test.T, np.array(covector, dtype=object))
