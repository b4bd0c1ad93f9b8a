"""Hypothesis strategies for inertias, noises and states of systems, in floats and exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

import semidirect as sd
from semidirect import System
from semidirect.core import arguments, errors
from semidirect.definition import Definition
from semidirect.testing.definition_strategies import fractions
from semidirect.testing.group_strategies import algebra_vectors, numbers, vectors
from semidirect.testing.laws import exact_points
from semidirect.testing.laws.float_states import admissible
from semidirect.testing.tested_class import a_system

# -- the parts of a body -------------------------------------------------------------------------------------------


def moments(largest: float = 3.0) -> st.SearchStrategy[tuple[float, float, float]]:
    """Principal moments of inertia; the triangle inequality holds by construction, I = (b + c, c + a, a + b)."""
    largest = arguments.validated_number(
        "the largest moment", largest, expected="a finite number of at least 0.1", positive=True
    )
    if largest < 0.1:
        raise errors.InputError("the largest moment", expected="a finite number of at least 0.1", got=str(largest))
    part = st.floats(0.05, largest / 2, allow_subnormal=False)
    return st.tuples(part, part, part).map(lambda p: (p[1] + p[2], p[2] + p[0], p[0] + p[1]))


@st.composite
def inertias(draw: st.DrawFn, largest: float = 3.0) -> np.ndarray:
    """Moments of inertia (3,), or tensors (3, 3) on turned axes, exactly symmetric."""
    turned = draw(st.booleans())  # first, and false for the simpler case, so that it shrinks
    principal = np.array(draw(moments(largest)))
    if not turned:
        return principal
    turn = sd.groups.minimal_rotation(draw(unit_vectors()))
    tensor = turn @ np.diag(principal) @ turn.T
    return (tensor + tensor.T) / 2


def unit_vectors() -> st.SearchStrategy[np.ndarray]:
    """Unit vectors (3,); they shrink to coordinate axes."""
    return vectors(3).filter(lambda v: np.linalg.norm(v) > 0.1).map(lambda v: v / np.linalg.norm(v))


def noise_sets(dimension: int = 3, max_size: int = 3, bound: float = 0.5) -> st.SearchStrategy[np.ndarray]:
    """Amplitudes (k, dimension) of k = 0 … ``max_size`` noises."""
    rows = st.lists(vectors(dimension, bound), max_size=max_size)
    return rows.map(lambda values: np.array(values).reshape(len(values), dimension))


# -- states --------------------------------------------------------------------------------------------------------


def states(system: System, bound: float = 1.0) -> st.SearchStrategy[dict[str, Any]]:
    """Complete states of a system in floats, as ``evaluate`` and ``simulate`` take them.

    Velocities and internal states are within ``bound``; all coordinates of s are given, and the advected quantities follow.
    Velocities that are constrained by covectors only are moved into D.
    """
    return _states(a_system(system, "states"), bound)


@st.composite
def _states(draw: st.DrawFn, system: System, bound: float) -> dict[str, Any]:
    definition = system.workings.definition()
    group = definition.group
    sizes = definition.first
    sizes = {**sizes, **{s.name: s.dimension for s in definition.internal_states}}
    state: dict[str, Any] = {k: draw(vectors(n, bound)) if n > 1 else draw(numbers(bound)) for k, n in sizes.items()}
    s = group.exp(draw(algebra_vectors(group)))
    if not definition.has_basis:
        state |= admissible(definition, state, s)
    return {**state, **{name: float(x) for name, x in zip(group.stored_names, group.store(s), strict=True)}}


@st.composite
def orbit_states(draw: st.DrawFn, definition: Definition) -> exact_points.ExactState:
    """Exact states of a definition whose advected quantities belong to a configuration s: :func:`on_orbit`."""
    if not isinstance(definition, Definition):
        raise errors.InputError(
            "orbit_states", expected="a definition, such as MySystem().workings.definition()", got=repr(definition)
        )
    group = definition.group
    turn = draw(st.lists(fractions(2), min_size=group.dimension, max_size=group.dimension))
    velocities, _, count = exact_points.sizes(definition)
    u, z = (draw(st.lists(fractions(), min_size=n, max_size=n)) for n in (velocities, count))
    return exact_points.on_orbit(definition, turn, u, z, draw(fractions(1)))
