"""Parameters and state variables of a running ensemble that are replaced, and what follows from the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from semidirect.core import errors
from semidirect.ensemble import specify
from semidirect.expressions import component_names
from semidirect.model import NumericalSDE, sensitivities
from semidirect.quantities import Quantities
from semidirect.specification import RunSpec, Save, schedule
from semidirect.state import start_slopes
from semidirect.stepper.clock import Clock

__all__ = ["NOTHING", "with_replaced_values"]

NOTHING = Save("final", [])
"""States at the end are kept, quantities are not."""

Values = Callable[[Mapping[str, Any]], Mapping[str, np.ndarray]]


def with_replaced_values(spec: RunSpec, clock: Clock, final: Mapping[str, Any], changes: Mapping[str, Any],
                         values: Values) -> RunSpec:  # fmt: skip
    """The specification of one step from the present state, with other values.

    Parameters
    ----------
    final : mapping
        The state there.
    changes : mapping
        Parameters and state variables by name.
    values : callable
        Evaluates rows of quantities at that state.

    Raises
    ------
    InputError, UnknownNameError
        As :meth:`.Stepper.replace`.
    """
    parameters = {k: changes[k] for k in changes if k in spec.system.values}
    replacements = {k: v for k, v in changes.items() if k not in parameters}
    system = spec.system.replace(**parameters) if parameters else spec.system
    if system.workings.signature != spec.system.workings.signature:
        raise errors.InputError(
            "parameters to replace", expected="values that leave the equations as they are", got=", ".join(parameters),
            hint="Another shape, or constraints that become redundant or independent, give other equations: make another "
            "ensemble.",
        )  # fmt: skip
    step, dt = clock.as_step()
    state = {**{k: v for k, v in final.items() if k not in _replaced_by(spec, replacements)}, **replacements}
    anew = specify(
        system,
        t_end=(step + 1) * dt,
        dt=dt,
        t_start=schedule.label(step, dt),
        paths=spec.paths,
        seed=spec.seed,
        method=spec.method,
        state=state,
        save=NOTHING,
        checks=replace(spec.checks, validate=False),
        formulation=replace(spec.formulation, sensitivity=()),
    )
    return anew if spec.model.tangents is None else _differentiated(spec, anew, clock.time, state, replacements, values)


def _differentiated(
    spec: RunSpec,
    anew: RunSpec,
    t: float,
    state: Mapping[str, Any],
    replacements: Mapping[str, Any],
    values: Values,
) -> RunSpec:
    """The specification of replaced values, with the derivatives of those that stay."""
    assert spec.model.tangents is not None
    directions = range(len(spec.model.tangents.directions))
    final = spec.contents.final
    rows = values({k: [sensitivities.Slope(row, d) for row in v for d in directions] for k, v in final.items()})
    carried = {k: v.reshape(spec.paths, -1, len(directions)) for k, v in rows.items()}
    model = spec.formulation.model(anew.system)
    start = start_slopes.with_carried_slopes(anew.start, model, carried, state, replacements.keys(), t)
    out = replace(anew, start=start, formulation=spec.formulation)
    vars(out).update(model=model, contents=Quantities.of(anew.system, model, NOTHING.names))
    return out


def _replaced_by(spec: RunSpec, replacements: Mapping[str, Any]) -> set[str]:
    """The state variables that the given ones replace.

    Raises
    ------
    InputError
        For some momenta without the others, and for advected quantities without the coordinates of s.
    """
    definition = spec.model.definition
    velocities = {*NumericalSDE.of(spec.system, variables="velocity").structure.shape.first}
    momenta = {definition.momentum_name(name) for name in velocities}
    places = {*definition.group.stored_names, *component_names.grouped(definition.group.stored_names)}
    if 0 < len(momenta & replacements.keys()) < len(momenta):
        raise errors.InputError("momenta", expected=f"all of {', '.join(sorted(momenta))}, or velocities",
                                got=", ".join(sorted(momenta & replacements.keys())))  # fmt: skip
    if (
        spec.formulation.reconstruct
        and definition.advected.keys() & replacements.keys()
        and not places & replacements.keys()
    ):
        raise errors.InputError(
            "advected quantities follow from the configuration", got=", ".join(definition.advected.keys() & replacements.keys()),
            hint=f"Give coordinates of s, {', '.join(component_names.grouped(definition.group.stored_names))}; or use "
            "formulation=sd.Formulation(reconstruct=False).",
        )  # fmt: skip
    replaced_by_momenta = velocities if momenta & replacements.keys() else set()
    return replaced_by_momenta | (set(definition.advected) if spec.formulation.reconstruct else set())
