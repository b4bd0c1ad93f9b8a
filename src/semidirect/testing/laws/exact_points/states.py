"""Exact states of definitions, on the orbits of their advected quantities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice
from random import Random
from typing import Any

import numpy as np

from semidirect.core import display
from semidirect.definition import Definition
from semidirect.groups import LieGroup, configuration
from semidirect.testing.laws.exact_points.numbers import constants, exponential, plain_array


@dataclass(frozen=True, repr=False)
class ExactState(display.Brief):
    """A state in fractions: coordinates ``u`` of D (of ξ, if there are only covectors), a, z, t, and the coordinates of s."""

    u: tuple[Any, ...]
    a: tuple[Any, ...]
    z: tuple[Any, ...]
    t: Any
    stored: tuple[Any, ...] = ()


def sizes(definition: Definition) -> tuple[int, int, int]:
    """Numbers of components of u (of ξ, if there are only covectors), a and z."""
    d = definition
    velocities = sum(d.velocities.values())
    a, z = (sum(p.stop - p.start for p in parts.values()) for parts in (d.advected_layout, d.internal_layout))
    return velocities, a, z


def generic_state(definition: Definition) -> ExactState:
    """One exact state on the orbit without symmetries, for tests that need no search."""
    numbers = (Fraction((-1) ** i * (3 + 5 * i * i % 17), 4 + 7 * i % 5) for i in count(1))
    velocities, _, internal = sizes(definition)
    turn, u, z = (list(islice(numbers, n)) for n in (definition.group.dimension, velocities, internal))
    return on_orbit(definition, [x / 4 for x in turn], u, z, Fraction(2, 3))


def random_state(definition: Definition, random: Random, bound: int = 2) -> ExactState:
    """An exact state on the orbit, drawn by ``random``: fractions within ``bound`` of denominators up to 3."""

    def fractions(size: int) -> list[Fraction]:
        return [Fraction(random.randint(-3 * bound, 3 * bound), random.choice((1, 2, 3))) / 3 for _ in range(size)]

    velocities, _, internal = sizes(definition)
    turn = fractions(definition.group.dimension)
    return on_orbit(definition, turn, fractions(velocities), fractions(internal), fractions(1)[0])


def on_orbit(
    definition: Definition, turn: Sequence[Fraction], u: Sequence[Any], z: Sequence[Any], t: Any
) -> ExactState:
    """The exact state with a = s⁻¹a₀ for the configuration s of ``turn``.

    Fractions wherever the group allows it: angles are fractions, so their cosines have sixty digits; groups whose Cayley map
    leaves them are reached by the exponential, in sixty digits too.
    """
    stored = exact_configuration(definition.group, turn)
    a = plain_array(definition.orbit_point(definition.group.element(constants(stored))))
    return ExactState(tuple(u), tuple(a), tuple(z), t, tuple(stored))


def exact_configuration(group: LieGroup, xi: Sequence[Fraction]) -> list[Any]:
    """Stored coordinates of an element of the group, exact, from an algebra vector of fractions; 0 gives the identity."""
    return list(plain_array(configuration(group, iter(xi).__next__, _exact_element)))


def _exact_element(group: LieGroup, xi: np.ndarray) -> np.ndarray:
    """The Cayley map, the exponential in sixty digits for groups that have none."""
    if not group.quadratic:
        return exponential(group.structure.terms, group.size, list(xi))
    growth = np.max(np.abs(np.linalg.eigvals(group.hat(xi.astype(float))).real))
    try:
        if growth < 2:
            return plain_array(group.cayley_entries(constants(xi)))
    except ZeroDivisionError:
        pass
    return _exact_element(group, xi / 3)  # if the Cayley map of a noncompact group leaves the group, or has no value
