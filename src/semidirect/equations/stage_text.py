"""Derived equations that belong to no system, stage by stage, as text and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp

from semidirect.equations.program import Let, Program, Statement


def text(program: Program, state: Sequence[sp.Symbol]) -> str:
    """The stages of the program and the increments of the state, a line each."""
    lines = []
    for statement in _stages(program):
        if isinstance(statement, Let):
            lines += [f"  {n} = {e}" for n, e in zip(statement.names, statement.expressions, strict=True)]
        else:
            lines += [f"  solve {[list(r) for r in statement.matrix]} {list(statement.names)} = {list(statement.rhs)}"]
    for x, e in zip(state, program.outputs["state"], strict=True):
        lines.append(f"  d{x} = {e}")
    return "\n".join(lines)


def latex(program: Program, state: Sequence[sp.Symbol]) -> str:
    """As :func:`text`, in LaTeX."""
    rows = []
    for statement in _stages(program):
        if isinstance(statement, Let):
            rows += [
                rf"{sp.latex(n)} &= {sp.latex(e)}" for n, e in zip(statement.names, statement.expressions, strict=True)
            ]
        else:
            matrix, names, rhs = (sp.latex(sp.Matrix(np.array(x, dtype=object))) for x in
                                  (statement.matrix, statement.names, statement.rhs))  # fmt: skip
            rows.append(rf"{matrix}{names} &= {rhs}")
    for x, e in zip(state, program.outputs["state"], strict=True):
        rows.append(rf"\mathrm{{d}}{sp.latex(x)} &= {sp.latex(e)}")
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _stages(program: Program) -> list[Statement]:
    """The statements on which the rates of the state depend."""
    names = program.with_outputs(state=program.outputs["state"]).needed()
    return [s for s in program.statements if names.intersection(s.names)]
