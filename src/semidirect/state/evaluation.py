"""All fields of a system at one state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import Results, errors
from semidirect.definition import in_scalars, start_in_scalars
from semidirect.equations import emission
from semidirect.model import NumericalSDE, answers_of_functions
from semidirect.state.final import time_of
from semidirect.state.state import one_state

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE
    from semidirect.model import DerivedEquations


def quantities(system: SystemDefinition, equations: DerivedEquations) -> dict[str, dict[str, list[Any]]]:
    """Expressions of everything that a system names: ``state``, ``derived`` and ``observables``.

    In A form ``constraint-residual``, A ξ − b, is among the observables; the forces of a contact are derived.
    """
    rows = equations.quantities(system)
    expressions = {kind: {k: list(equations.expressions(r)) for k, r in table.items()} for kind, table in rows.items()}
    own = {*system.workings.quantities(derived=True), *system.observables()}
    contact = {k: expressions["observables"].pop(k) for k in equations.shape.contact if k not in own}
    return {**expressions, "derived": {**contact, **expressions["derived"]}}


def evaluate(
    system: SystemDefinition, state: Mapping[str, Any] | None = None, t: float | None = None
) -> dict[str, Any]:
    """State, fields, derived quantities and observables at one state, in the velocity variables.

    The time t [s] is by default 0, or that of a ``run.final``.

    Returns
    -------
    dict
        ``state``: the complete state; ``drift``, ``noise`` (a list, one entry a noise), ``ito_drift``: the fields of each state
        variable, of the momenta and of the coordinates of s; ``derived``: values of the other blocks of ξ, of the momenta and
        of auxiliary quantities; ``observables``: value, drift, noise and Itô drift of each. Scalars are floats, vectors lists. An
        Itô drift is nan where it has none, as that of an energy with a table of lines, which has no second derivative.

    Raises
    ------
    InputError
        For a state or a parameter given per path.
    """
    t = time_of(t, state) if system._states_arrays else t
    start, t = one_state(in_scalars(system), start_in_scalars(system, state), t, "evaluate")
    system = in_scalars(system)
    model = NumericalSDE.of(system, variables="velocity")
    sde, names = model.sde, quantities(system, model.structure)
    momenta = {k: v for k, v in names["derived"].items() if k in _momenta(sde)}
    # what moves has a drift and noises; the rest has a value alone
    moving = {**names["state"], **momenta}
    in_motion = {**moving, **{f"observable {k}": v for k, v in names["observables"].items()}}
    still = {k: v for k, v in names["derived"].items() if k not in in_motion}
    cache, key = Results.of(sde), (evaluate, tuple(in_motion), tuple(still))
    answers_of_functions.warn_where_numbers_differ(system, model)
    # the functions belong to the equations, which systems with other numbers share
    if key not in cache:
        s = sde.setting
        inputs = (*sde.state, *sde.coordinates.values(), s.t, *sde.definition.parameters, s.dt, *s.dW)
        rows = [e for part in still.values() for e in part]
        cache[key] = _evolutions(sde, in_motion, inputs), emission.numerical_function(sde.program, rows, inputs)
    # dt and dW are 0: values are those of the state, and rates are outputs of their own
    values = (*start.vector(model, t)[:, 0], *start.stored[:, 0], t, *model.parameters, 0.0, *([0.0] * sde.wieners))
    with np.errstate(all="ignore"):
        evolutions, function = cache[key]
        result = {name: row for evolution in evolutions for name, row in evolution(*values).items()}
        rest = iter(function(*values))
        result |= {name: {"value": [next(rest) for _ in part]} for name, part in still.items()}

    def read(name: str, column: str) -> Any:
        entries = result[name].get(column, [np.nan] * len(result[name]["value"]))
        rows = [float(x) + 0.0 for x in entries]
        return rows if len(rows) > 1 else rows[0]

    def field(column: str) -> dict[str, Any]:
        return {name: read(name, column) for name in moving}

    noises = [f"noise{i}" for i in range(1, sde.wieners + 1)]
    return {
        "state": {name: read(name, "value") for name in names["state"]},
        "drift": field("drift"),
        "noise": [field(column) for column in noises],
        "ito_drift": field("ito"),
        "derived": {name: read(name, "value") for name in names["derived"]},
        "observables": {
            name: {
                "value": read(f"observable {name}", "value"),
                "drift": read(f"observable {name}", "drift"),
                "noise": [read(f"observable {name}", column) for column in noises],
                "ito_drift": read(f"observable {name}", "ito"),
            }
            for name in names["observables"]
        },
    }


def _evolutions(sde: StratonovichSDE, in_motion: Mapping[str, list[Any]], inputs: tuple[Any, ...]) -> list[Any]:
    """Functions for the motion of some quantities: all at once, or one by one where some have no Itô drift."""
    try:
        return [sde.evolution(in_motion).function(inputs)]
    except errors.DefinitionError:
        functions = []
        for name, rows in in_motion.items():
            try:
                functions.append(sde.evolution({name: rows}).function(inputs))
            except errors.DefinitionError:
                functions.append(sde.evolution({name: rows}, ito=False).function(inputs))
        return functions


def _momenta(sde: StratonovichSDE) -> set[str]:
    if sde.form == "A":
        return {f"p_{v.name}" for v in sde.variables if v.kind == "velocity"}
    return {sde.definition.momentum_name(v.name) for v in sde.variables if v.kind == "velocity"}
