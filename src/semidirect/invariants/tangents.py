"""Tangent vectors of the invariant set, by differentiating its rational parametrisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

from semidirect.invariants.algebra.duals import along
from semidirect.invariants.algebra.residues import PrimeField
from semidirect.invariants.algebra.scalars import eliminate
from semidirect.invariants.points import random_point

if TYPE_CHECKING:
    from semidirect.invariants.fields import Fields
    from semidirect.invariants.parameters import ParameterSet


@final
class _Replayed:
    """Numbers that are drawn from a list."""

    def __init__(self, field: PrimeField, drawn: Sequence[Any]):
        self.number, self.constant, self._drawn = field.number, field.constant, iter(drawn)

    def draw(self) -> Any:
        return next(self._drawn)

    def positive(self) -> Any:
        return self.draw()


@final
class _Recorded:
    """Numbers that are drawn from a field, and kept."""

    def __init__(self, field: PrimeField):
        self.number, self.constant, self._field = field.number, field.constant, field
        self.drawn: list[Any] = []

    def draw(self) -> Any:
        self.drawn.append(self._field.draw())
        return self.drawn[-1]

    def positive(self) -> Any:
        return self.draw()


@final
class _Held:
    """Parameters that were drawn before."""

    def __init__(self, values: dict[Any, Any]):
        self._values = values

    def at(self, numbers: Any) -> dict[Any, Any]:
        return dict(self._values)


def tangents(fields: Fields, field: PrimeField, parameters: ParameterSet) -> tuple[dict[Any, Any], list[list[Any]]]:
    """A random point, and vectors along ``fields.moving`` that span the tangent space there; t and parameters do not move."""
    held: Any = _Held(parameters.at(field))
    recorded = _Recorded(field)
    point = random_point(fields, recorded, held, eliminate)

    def at(values: Any) -> list[Any]:
        moved = random_point(fields, _Replayed(field, values), held, eliminate)
        return [moved.get(x, 0) for x in fields.moving]

    found = []
    for j in range(1, len(recorded.drawn)):  # the first is t
        direction = [field.number(int(i == j)) for i in range(len(recorded.drawn))]
        found.append([field.number(0) if isinstance(x, int) else x for x in along(at, recorded.drawn, direction)])
    return point, found
