"""Tangent vectors of the invariant set, by differentiating its rational parametrisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

from semidirect.invariants.algebra.residues import PrimeField
from semidirect.invariants.algebra.scalars import Numbers
from semidirect.invariants.algebra.sloped import along
from semidirect.invariants.points import random_point

if TYPE_CHECKING:
    from semidirect.invariants.fields import Fields
    from semidirect.invariants.parameters import ParameterSet


@final
class _Draws(Numbers):
    """Random numbers of a field that are recorded, or replayed from a list."""

    def __init__(self, field: PrimeField, numbers: Sequence[Any] | None = None):
        self._field, self._next, self.numbers = field, None if numbers is None else iter(numbers), list[Any]()

    def number(self, p: int, q: int = 1) -> Any:
        return self._field.number(p, q)

    def constant(self, name: str) -> Any:
        return self._field.constant(name)

    def draw(self) -> Any:
        self.numbers.append(self._field.draw() if self._next is None else next(self._next))
        return self.numbers[-1]


@final
class _Held:
    """Parameters that were drawn before."""

    def __init__(self, values: dict[Any, Any]):
        self._values = values

    def at(self, numbers: Any) -> dict[Any, Any]:
        return dict(self._values)


def tangents(fields: Fields, field: PrimeField, parameters: ParameterSet) -> tuple[dict[Any, Any], list[list[Any]]]:
    """A random point, and vectors along ``fields.moving`` that span the tangent space there; t and parameters do not move."""
    fixed_parameters: Any = _Held(parameters.at(field))
    recorded = _Draws(field)
    point = random_point(fields, recorded, fixed_parameters)

    def at(values: Any) -> list[Any]:
        nearby = random_point(fields, _Draws(field, values), fixed_parameters)
        return [nearby.get(x, 0) for x in fields.moving]

    vectors = []
    for j in range(1, len(recorded.numbers)):  # the first is t
        direction = [field.number(int(i == j)) for i in range(len(recorded.numbers))]
        vectors.append([field.number(0) if isinstance(x, int) else x for x in along(at, recorded.numbers, direction)])
    return point, vectors
