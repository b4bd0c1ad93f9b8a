"""Random points of the invariant set: s in the group, a = s⁻¹a₀, velocities in D, all rational in the random numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.elimination import nearest_solution
from semidirect.core.errors import InputError
from semidirect.core.exact import objects
from semidirect.groups.rational_points import configuration
from semidirect.invariants.algebra.duals import regular
from semidirect.invariants.algebra.residues import PrimeField, random_numbers

if TYPE_CHECKING:
    from semidirect.definition.definition import Definition
    from semidirect.equations.kinematics import SymbolicDefinition
    from semidirect.invariants.algebra.scalars import Numbers
    from semidirect.invariants.fields import Evaluator, Fields
    from semidirect.invariants.parameters import ParameterSet


SPOTS, TRIES = 64, 64


def on_orbit(definition: Definition, numbers: Numbers) -> list[Any]:
    """Advected quantities s⁻¹a₀ of one random s, one after the other.

    Raises
    ------
    InputError
        If the group has no Cayley map.
    """
    if not definition.advected:
        return []
    element = definition.group.element(objects(configuration(definition.group, numbers.draw)))
    return [_number(x, numbers) for q in definition.advected.values() for x in q.at_entries(element)]


def orbit_point(s: SymbolicDefinition, parameters: ParameterSet, numbers: Numbers) -> dict[Any, Any]:
    """Values of the parameters, and of a, z and t at a random configuration."""
    values = parameters.at(numbers) | dict(zip(s.a, on_orbit(s.definition, numbers), strict=True))
    return values | {x: numbers.draw() for x in (*s.z, s.t)}


def at_random(fields: Fields, numbers: Numbers, parameters: ParameterSet) -> Evaluator:
    """Fields and quantities at a random point."""
    return fields.at(numbers, random_point(fields, numbers, parameters))


def random_point(fields: Fields, numbers: Numbers, parameters: ParameterSet) -> dict[Any, Any]:
    """Values of all inputs but dt and dW."""
    sde = fields.sde
    definition, draw = sde.definition, numbers.draw
    point = parameters.at(numbers)
    point[sde.setting.t] = draw()
    if definition.advected or fields.reads_configuration:
        stored = configuration(definition.group, draw)
        point |= dict(zip(sde.coordinates.values(), stored, strict=True))
        element = definition.group.element(objects(stored))
        a = [x for q in definition.advected.values() for x in q.at_entries(element)]
        point |= dict(zip(sde.setting.a, (_number(x, numbers) for x in a), strict=True))
    else:
        point |= {symbol: draw() for symbol in sde.coordinates.values()}
    point |= {symbol: draw() for symbol in sde.setting.z}
    first = [x for v in sde.variables if v.kind in ("momentum", "velocity") for x in v.symbols]
    point |= {symbol: draw() for symbol in first}
    if sde.form == "A":
        point |= dict(zip(first, _admissible(fields, point, first, numbers), strict=True))
    return point


def regular_primes(fields: Fields, parameters: ParameterSet, seed: int | None) -> Iterator[int]:
    """Primes modulo which the fields have points: a constant √2 has no root at half of the primes, and so no point at all.

    Raises
    ------
    InputError
        If none of many primes has such points.
    """
    barren = 0
    for i, p in enumerate(parameters.primes(seed)):
        field = PrimeField(p, SPOTS, random_numbers(seed, i))
        at_random(fields, field, parameters).rates(0)
        if field.valid.any():
            yield p
            barren = 0
        elif (barren := barren + 1) == TRIES:
            raise InputError(
                "points at which the fields are regular", expected="some over a prime field", got=f"none over {TRIES}",
                hint="Is something divided by zero everywhere?",
            )  # fmt: skip


def _number(x: Any, numbers: Numbers) -> Any:
    if isinstance(x, (int, np.integer)):
        return numbers.number(int(x))
    return (
        numbers.number(x.numerator, x.denominator)
        if hasattr(x, "denominator") and hasattr(x, "limit_denominator")
        else x
    )


def _admissible(fields: Fields, point: Mapping[Any, Any], velocities: Sequence[Any], numbers: Numbers) -> list[Any]:
    """A velocity in D."""
    return nearest_solution(*fields.covectors(numbers, point), [point[x] for x in velocities], regular)
