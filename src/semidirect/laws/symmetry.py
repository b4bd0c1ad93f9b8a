"""The check of Noether's theorem, and that advected quantities follow the configuration."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.core import ops
from semidirect.core.errors import InputError
from semidirect.ensemble.simulate import simulate
from semidirect.equations.derive import derived_sde
from semidirect.invariants.space_symmetries import undisturbed
from semidirect.laws.derived_columns import DerivedColumns
from semidirect.laws.exact_numbers import constants, derivatives, same
from semidirect.laws.exact_state import ExactState
from semidirect.laws.report import Outcome, failed, missing, ok
from semidirect.laws.subject import Subject


def spatial_momentum(subject: Subject) -> Outcome:
    """⟨p, Ad_{s⁻¹}ζ⟩ is constant for each symmetry ζ of space that the constraint and the forces leave in peace."""
    try:
        kept, why = undisturbed(subject.system, subject.seed)
        for symmetry in kept:
            proof = symmetry.proof(subject.system, seed=subject.seed)
            if not proof.holds:
                return failed(
                    f"the momentum of {symmetry.name} is not constant: {proof.counterexample}",
                    "ad* of the group or the representations: two signs, or a reaction that is not ideal.",
                )
    except InputError as error:
        return missing(str(error))
    if not kept:
        return missing(why)
    return ok(f"momenta of {', '.join(x.name for x in kept)} constant, along the drift and each noise, exactly")


def orbits(subject: Subject) -> Outcome:
    """a = s⁻¹a₀ stays true: the rate −ρ(ξ)a is that of s⁻¹a₀ along the rate of s, exactly, in every column."""
    definition = subject.definition
    if not definition.advected:
        return missing("nothing is advected")
    equations, sde = subject.derivations(), derived_sde(subject.system, variables="velocity")
    columns = DerivedColumns(sde)

    def advected(stored: Any) -> list[Any]:
        element = definition.group.element(ops.stack(stored))
        return [x for q in definition.advected.values() for x in q.at_entries(element)]

    def off(state: ExactState) -> str:
        value, jacobian = derivatives(advected, constants(state.stored))
        part = slice(len(sde.state) - len(state.a) - len(state.z), len(sde.state) - len(state.z))
        names = [x.name for x in sde.state[part]]
        for name, x, y in zip(names, value, state.a, strict=True):
            if not same(x, y):
                return f"{name} of the state is not that of s⁻¹a₀"
        for k, column in enumerate(columns(equations.inputs(sde, state))):
            moved = jacobian @ column["coordinates"]
            for name, x, y in zip(names, moved, column["state"][part], strict=True):
                if not same(x, y):
                    return f"d{name} along column {k}: {float(x):.3g} by s, {float(y):.3g} by −ρ(ξ)a"
        return ""

    found = subject.at_states("orbits", off, count=2)
    wrong = next((f for f in found if f), "")
    if wrong:
        return failed(
            wrong, "act_entries and generators of the representation disagree, or its action is not a left one."
        )
    return ok(f"{', '.join(definition.advected)} = s⁻¹a₀ along every column, exactly at {len(found)} states")


def reconstructed(subject: Subject) -> Outcome:
    """After a short run the advected quantities are those of the reconstructed configuration."""
    system, d = subject.system, subject.system.definition()
    from semidirect.laws.numerics import short

    step = short(subject)
    run = simulate(system, t_end=16 * step, dt=step, paths=3, seed=subject.seed, threads=1, engine="numpy")
    if np.any(run.status != 0):
        return failed(
            f"{np.count_nonzero(run.status)} of 3 paths failed: {run.failures()[0]}",
            "the fields at the recommended state.",
        )
    stored = np.concatenate([np.atleast_2d(run[n][:, -1].T) for n in _names(system)])
    s = d.group.element(stored)
    worst = 0.0
    for name, quantity in d.advected.items():
        a = np.atleast_2d(run[name][:, -1].T)
        worst = max(worst, float(np.max(np.abs(quantity.at_entries(s) - a))))
    residual = max(float(d.group.residual(x)) for x in np.moveaxis(s, -1, 0))
    if residual > 1e-10 or worst > 1e-2:
        return failed(f"s is off the group by {residual:.1e}, a off s⁻¹a₀ by {worst:.1e}", "flow_entries of the group.")
    return ok(f"16 steps of {step:.2g} s: s on the group to {residual:.1e}, a = s⁻¹a₀ to {worst:.1e}")


def _names(system: Any) -> list[str]:
    from semidirect.core.component_names import grouped

    return list(grouped(tuple(system.group.stored_names)))
