"""The reaction of the constraint along the drift, R = dp/dt − ad*_ξ p − ∂l/∂a ◇ a − F, in every form of the equations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from semidirect.core import symbols
from semidirect.equations.program import Let, Program

if TYPE_CHECKING:
    from semidirect.equations.sde import StratonovichSDE


def with_reaction(sde: StratonovichSDE) -> StratonovichSDE:
    """The equations with the reaction of the drift in the scope of observables; unchanged if there is no constraint.

    The reaction of the drift is a force; that of the noise is white and has no value at a single time.
    """
    s, group = sde.setting, sde.definition.group
    if not sde.definition.has_energy:
        return sde
    if sde.form != "A" and (s.distribution is None or s.distribution.basis.shape[1] == group.dimension):
        return sde
    drift = sde.program.call({s.dt: 1, **dict.fromkeys(s.dW, 0)}, "°")
    program, covector = _momentum_rate(sde, drift) if sde.form == "P" else (drift, drift.outputs["reaction"])
    names, values = symbols.staged_blocks("R_", group.blocks), np.empty(group.dimension, dtype=object)
    values[:] = [sp.sympify(e) for e in covector]
    fresh = [i for i, e in enumerate(values) if not (e.is_Symbol or e.is_Number)]
    statements = program.statements
    if fresh:
        statements = (*statements, Let(tuple(names[fresh]), tuple(values[fresh])))
        values[fresh] = names[fresh]
    whole = sde.program.joined(Program(program.inputs, statements, {})).with_outputs(**sde.program.outputs)
    reactions = {"reaction": values}
    if sde.form == "A":
        reactions["multiplier"] = np.array(drift.outputs["multiplier"], dtype=object)
    contact = {} if s.contact is None else s.contact.forces(values)
    if s.parts is not None:
        own = s.parts.multipliers(values)
        whole = whole.joined(Program((), (own,), {})).with_outputs(**sde.program.outputs) if own.names else whole
        contact = s.parts.quantities(np.array(own.names, dtype=object)) if own.names else {}
        if s.parts.undetermined:
            reactions.pop("multiplier", None)
    return replace(sde, program=whole, named={**reactions, **sde.named}, contact=contact)


def _momentum_rate(sde: StratonovichSDE, drift: Program) -> tuple[Program, list[sp.Expr]]:
    """dp/dt − f, p differentiated along the drift, where the equations solve for no rate of the velocity."""
    tangent = {**dict(zip(sde.state, drift.outputs["state"], strict=True)), sde.setting.t: sp.Integer(1)}
    derivative = drift.with_outputs(p=drift.outputs["p"]).jvp(tangent, "°'")
    return derivative, [dp - f for dp, f in zip(derivative.outputs["p"], drift.outputs["f"], strict=True)]
