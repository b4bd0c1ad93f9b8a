"""Random points of the invariant set: s in the group, a = s⁻¹a₀, velocities in D, all rational in the random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import errors, exact
from semidirect.groups import configuration
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.algebra.sloped import regular

if TYPE_CHECKING:
    from semidirect.definition import Definition
    from semidirect.equations import StratonovichSDE, SymbolicDefinition
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
    element = definition.group.element(exact.objects(configuration(definition.group, numbers.draw)))
    return [_number(x, numbers) for q in definition.advected.values() for x in q.at_entries(element)]


def orbit_point(s: SymbolicDefinition, parameters: ParameterSet, numbers: Numbers) -> dict[Any, Any]:
    """Values of the parameters, and of a, z and t at a random configuration."""
    values = parameters.at(numbers) | dict(zip(s.a, on_orbit(s.definition, numbers), strict=True))
    return values | {x: numbers.draw() for x in (*s.z, s.t)}


def at_random(fields: Fields, numbers: Numbers, parameters: ParameterSet) -> Evaluator:
    """Fields and quantities at a random point."""
    return fields.at(numbers, random_point(fields, numbers, parameters))


def random_point(fields: Fields, numbers: Numbers, parameters: ParameterSet) -> dict[Any, Any]:
    """Values of all inputs but dt and dW, on the level of the fields if they have one."""
    sde, level = fields.sde, fields.level
    point = parameters.at(numbers)
    point[sde.setting.t] = numbers.draw()
    point |= configured(fields, numbers, draws := Drawn(numbers.draw))
    if level is not None and level.configurations:
        x = list(draws.values)

        def placed(free: Sequence[Any]) -> dict[Any, Any]:
            values = dict(enumerate(x)) | dict(zip(level.free, free, strict=True))
            return point | configured(fields, numbers, iter(values.values()).__next__)

        conditions = level.configurations
        point = placed(level.moved(numbers, conditions, lambda free: level.at(numbers, placed(free), conditions),
                                   [x[j] for j in level.free]))  # fmt: skip
    first = velocities_of(sde)
    point |= {symbol: numbers.draw() for symbol in first}
    A, b = fields.covectors(numbers, point) if sde.form == "A" else ([], [])
    at = [point[x] for x in first]
    if level is not None and level.velocities:
        conditions = level.velocities
        at = level.moved(
            numbers, conditions, lambda xi: level.at(numbers, point | dict(zip(first, xi, strict=True)), conditions), at, A, b
        )  # fmt: skip
    elif A:
        at = exact.nearest_solution(A, b, at, regular)
    return point | dict(zip(first, at, strict=True))


def velocities_of(sde: StratonovichSDE) -> list[Any]:
    """The symbols of velocities or momenta."""
    return [x for v in sde.variables if v.kind in ("momentum", "velocity") for x in v.symbols]


def configured(fields: Fields, numbers: Numbers, draw: Callable[[], Any]) -> dict[Any, Any]:
    """Values of s, a = s⁻¹a₀ and z, rational functions of the numbers that are drawn."""
    sde = fields.sde
    definition, point = sde.definition, dict[Any, Any]()
    if definition.advected or fields.reads_configuration:
        stored = configuration(definition.group, draw)
        point |= dict(zip(sde.coordinates.values(), stored, strict=True))
        element = definition.group.element(exact.objects(stored))
        a = [x for q in definition.advected.values() for x in q.at_entries(element)]
        point |= dict(zip(sde.setting.a, (_number(x, numbers) for x in a), strict=True))
    else:
        point |= {symbol: draw() for symbol in sde.coordinates.values()}
    return point | {symbol: draw() for symbol in sde.setting.z}


@final
class Drawn:
    """Callable: draws a number and keeps it."""

    def __init__(self, draw: Callable[[], Any]):
        self._draw, self.values = draw, list[Any]()

    def __call__(self) -> Any:
        """The next number."""
        self.values.append(self._draw())
        return self.values[-1]


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
            raise errors.InputError(
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
