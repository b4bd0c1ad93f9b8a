"""Hypothesis strategies for inertias, noises and states of systems, in floats and exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import count, islice
from typing import Any

import numpy as np
from hypothesis import strategies as st

from semidirect.blocks import Blocks
from semidirect.calling import call
from semidirect.definition import Definition
from semidirect.ensemble.configuration import minimal_rotation
from semidirect.groups.lie_group import LieGroup
from semidirect.system import System
from semidirect.testing.definition_strategies import ExactState, fractions, sizes
from semidirect.testing.exact_numbers import constants, exponential, plain_array
from semidirect.testing.group_strategies import algebra_vectors, numbers, vectors

# -- what a body is made of ----------------------------------------------------------------------------------------


def moments(largest: float = 3.0) -> st.SearchStrategy[tuple[float, float, float]]:
    """Principal moments of inertia; the triangle inequality holds by construction, I = (b + c, c + a, a + b)."""
    part = st.floats(0.05, largest / 2, allow_subnormal=False)
    return st.tuples(part, part, part).map(lambda p: (p[1] + p[2], p[2] + p[0], p[0] + p[1]))


@st.composite
def inertias(draw: st.DrawFn, largest: float = 3.0) -> np.ndarray:
    """Moments of inertia (3,), or tensors (3, 3) on turned axes, exactly symmetric."""
    principal = np.array(draw(moments(largest)))
    if draw(st.booleans()):
        return principal
    turn = minimal_rotation(draw(unit_vectors()))
    tensor = turn @ np.diag(principal) @ turn.T
    return (tensor + tensor.T) / 2


def unit_vectors() -> st.SearchStrategy[np.ndarray]:
    """Unit vectors (3,); they shrink to coordinate axes."""
    return vectors(3).filter(lambda v: np.linalg.norm(v) > 0.1).map(lambda v: v / np.linalg.norm(v))


def noise_sets(dimension: int = 3, max_size: int = 3, bound: float = 0.5) -> st.SearchStrategy[np.ndarray]:
    """Amplitudes (k, dimension) of k = 0 … ``max_size`` noises."""
    rows = st.lists(vectors(dimension, bound), max_size=max_size)
    return rows.map(lambda found: np.array(found).reshape(len(found), dimension))


# -- states --------------------------------------------------------------------------------------------------------


def states(system: System, bound: float = 1.0) -> st.SearchStrategy[dict[str, Any]]:
    """Complete states of a system in floats, as ``evaluate`` and ``simulate`` take them.

    Velocities and internal states are within ``bound``; all coordinates of s are given, and the advected quantities follow.
    Velocities that are constrained by covectors only are moved into D.
    """
    return _states(system, bound)


@st.composite
def _states(draw: st.DrawFn, system: System, bound: float) -> dict[str, Any]:
    definition = system.definition()
    group = definition.group
    sizes = definition.constraint.coordinates(group) or {k: s.stop - s.start for k, s in group.blocks.items()}
    sizes = {**sizes, **{s.name: s.dimension for s in definition.internal_states}}
    found: dict[str, Any] = {k: draw(vectors(n, bound)) if n > 1 else draw(numbers(bound)) for k, n in sizes.items()}
    s = group.exp(draw(algebra_vectors(group)))
    if not definition.constraint.coordinates(group):
        found |= _admissible(definition, found, s)
    return {**found, **{name: float(x) for name, x in zip(group.stored_names, group.store(s), strict=True)}}


def _admissible(definition: Definition, state: dict[str, Any], s: np.ndarray) -> dict[str, Any]:
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


@st.composite
def orbit_states(draw: st.DrawFn, definition: Definition) -> ExactState:
    """Exact states of a definition in which the advected quantities are those of a configuration s: :func:`on_orbit`."""
    group = definition.group
    turn = draw(st.lists(fractions(2), min_size=group.dimension, max_size=group.dimension))
    velocities, _, count = sizes(definition)
    u, z = (draw(st.lists(fractions(), min_size=n, max_size=n)) for n in (velocities, count))
    return on_orbit(definition, turn, u, z, draw(fractions(1)))


def generic_state(definition: Definition) -> ExactState:
    """One exact state on the orbit without symmetries, for tests that need no search."""
    numbers = (Fraction((-1) ** i * (3 + 5 * i * i % 17), 4 + 7 * i % 5) for i in count(1))
    velocities, _, internal = sizes(definition)
    turn, u, z = (list(islice(numbers, n)) for n in (definition.group.dimension, velocities, internal))
    return on_orbit(definition, [x / 4 for x in turn], u, z, Fraction(2, 3))


def on_orbit(
    definition: Definition, turn: Sequence[Fraction], u: Sequence[Any], z: Sequence[Any], t: Any
) -> ExactState:
    """The exact state with a = s⁻¹a₀ for the configuration s of ``turn``.

    Fractions wherever the group allows it: angles are fractions, so their cosines have sixty digits; groups whose Cayley map
    leaves them are reached by the exponential, in sixty digits too.
    """
    stored = exact_configuration(definition.group, turn)
    element = definition.group.element(constants(stored))
    a = [x for q in definition.advected.values() for x in plain_array(q.at_entries(element))]
    return ExactState(tuple(u), tuple(a), tuple(z), t, tuple(stored))


def exact_configuration(group: LieGroup, xi: Sequence[Fraction]) -> list[Any]:
    """Stored coordinates of an element of the group, exact, from an algebra vector of fractions; 0 gives the identity."""
    if group.factors:
        out, start = [], 0
        for factor in group.factors:
            out += exact_configuration(factor, xi[start : start + factor.dimension])
            start += factor.dimension
        return out
    if group.circles:
        return list(xi)[: len(group.stored_names)]
    if group.quadratic:
        growth = np.max(np.abs(np.linalg.eigvals(group.hat(np.array(xi, dtype=float))).real))
        try:
            found = group.cayley_entries(constants(xi)) if growth < 2 else None
        except ZeroDivisionError:
            found = None
        if found is None:  # where the Cayley map of a group that is not compact leaves it, or its elimination fails
            return exact_configuration(group, [x / 3 for x in xi])
        return list(plain_array(group.store(found)))
    return list(plain_array(group.store(exponential(group.structure.terms, group.size, xi))))
