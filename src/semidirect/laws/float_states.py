"""States in floats, by the names that ``evaluate`` and ``simulate`` take."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.core.blocks import Blocks
from semidirect.core.signatures import call
from semidirect.definition.definition import Definition
from semidirect.definition.system_definition import SystemDefinition
from semidirect.laws.exact_numbers import constants, plain_array
from semidirect.laws.exact_state import ExactState


def float_state(system: SystemDefinition, state: ExactState) -> dict[str, Any]:
    """An exact state in floats, with all coordinates of s; where D is known by covectors only, the velocity is moved into it."""
    definition = system.definition()
    group = definition.group
    coordinates = definition.constraint.coordinates(group)
    sizes = coordinates or {k: part.stop - part.start for k, part in group.blocks.items()}
    found: dict[str, Any] = {}
    values = [float(x) for x in (*state.u, *state.z)]
    for name, size in {**sizes, **{x.name: x.dimension for x in definition.internal_states}}.items():
        rows, values = values[:size], values[size:]
        found[name] = np.array(rows) if size > 1 else rows[0]
    if not coordinates:
        s = np.array(plain_array(group.element(constants(state.stored))), dtype=float)
        found |= admissible(definition, found, s)
    stored = [float(x) for x in plain_array(state.stored)]
    return {**found, **dict(zip(group.stored_names, stored, strict=True))}


def admissible(definition: Definition, state: dict[str, Any], s: np.ndarray) -> dict[str, Any]:
    """The blocks of a velocity moved into D, Aξ = b, at the configuration s; the definition has numbers."""
    group = definition.group
    xi = np.concatenate([np.atleast_1d(state[name]) for name in group.blocks])
    blocks = {name: q.at(s) if q.dimension > 1 else q.at(s)[0] for name, q in definition.advected.items()}
    z = Blocks({x.name: state[x.name] for x in definition.internal_states})
    at = {"xi": Blocks.split(xi, group.blocks), "a": Blocks(blocks), "z": z, "t": 0.0, "group": group}
    found = call(definition.constraint.annihilator, **at)
    A = np.asarray(found.covectors, dtype=float)
    b = np.zeros(len(A)) if found.values is None else np.asarray(found.values, dtype=float)
    xi = xi + np.linalg.lstsq(A, b - A @ xi)[0]
    return {name: xi[part] if part.stop - part.start > 1 else float(xi[part][0]) for name, part in group.blocks.items()}
