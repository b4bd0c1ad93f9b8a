"""States in floats, by the names that ``evaluate`` and ``simulate`` take."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.definition import Definition, SystemDefinition, ValuesAt
from semidirect.testing.laws.exact_points.numbers import constants, plain_array
from semidirect.testing.laws.exact_points.states import ExactState


def float_state(system: SystemDefinition, state: ExactState) -> dict[str, Any]:
    """An exact state in floats, with all coordinates of s; if D is given by covectors only, the velocity is projected to it."""
    definition = system.workings.definition()
    group = definition.group
    floats: dict[str, Any] = {}
    values = [float(x) for x in (*state.u, *state.z)]
    for name, size in {**definition.first, **{x.name: x.dimension for x in definition.internal_states}}.items():
        rows, values = values[:size], values[size:]
        floats[name] = np.array(rows) if size > 1 else rows[0]
    if not definition.has_basis:
        s = np.array(plain_array(group.element(constants(state.stored))), dtype=float)
        floats |= admissible(definition, floats, s)
    stored = [float(x) for x in plain_array(state.stored)]
    return {**floats, **dict(zip(group.stored_names, stored, strict=True))}


def admissible(definition: Definition, state: dict[str, Any], s: np.ndarray) -> dict[str, Any]:
    """The blocks of a velocity moved into D, Aξ = b, at the configuration s; the definition has numbers."""
    group = definition.group
    xi = np.concatenate([np.atleast_1d(state[name]) for name in group.blocks])
    a = np.concatenate([np.zeros(0), *(q.at(s) for q in definition.advected.values())])
    z = np.concatenate([np.zeros(0), *(np.reshape(state[x.name], -1) for x in definition.internal_states)])
    covectors = ValuesAt(definition, xi, a, z, 0.0).covectors
    assert covectors is not None
    A, b = (np.asarray(x, dtype=float) for x in covectors[:2])
    xi = xi + np.linalg.lstsq(A, b - A @ xi)[0]
    return {name: xi[part] if part.stop - part.start > 1 else float(xi[part][0]) for name, part in group.blocks.items()}
