"""The level that quantities and their values describe, with the degrees by which its points are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.core.errors import InputError
from semidirect.core.exact import exact_number
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.fields import Fields
from semidirect.invariants.level import Condition, Level
from semidirect.invariants.points import Drawn, configured, random_point, velocities_of
from semidirect.invariants.quantity import QuantityLike, expressions, quantity_name

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.equations.sde import StratonovichSDE
    from semidirect.invariants.parameters import ParameterSet

Values = Mapping[QuantityLike, Any]
"""Quantities and their values: a number, or one for each component."""

SPOTS, PRIMES, HIGHEST = 16, 24, 2
"""Points of a field, primes, and the degree up to which a condition can be solved for."""


def level_of(system: SystemDefinition, on: Values, sde: StratonovichSDE, values: ParameterSet, seed: int | None = None
             ) -> Level:  # fmt: skip
    """The level, if its points can be found; whether it is invariant is not examined.

    Raises
    ------
    InputError
        If it has no points, or if a condition has a higher degree than 2, both in velocities and in positions.
    """
    if not isinstance(on, Mapping) or not on:
        raise InputError("a level", expected="a mapping of quantities to values", got=repr(on))
    known = [c for quantity, value in on.items() for c in _conditions(system, quantity, value, sde)]
    names = tuple(map(quantity_name, on))
    bare = Level(sde, names, ", ".join(c.text for c in known), tuple(known), ())
    fields = Fields(sde, level=bare)
    for i, p in enumerate(islice(values.primes(seed), PRIMES)):
        field = PrimeField(p, SPOTS, random_numbers(seed, i, 7))
        try:
            found = _examined(bare, fields, values, field)
        except ZeroDivisionError:
            continue
        placed = PrimeField(p, 4 * SPOTS, random_numbers(seed, i, 8))
        try:
            point = random_point(Fields(sde, level=found), placed, values)
            left = bare.at(placed, point, bare.conditions)
        except ZeroDivisionError:
            continue
        if placed.valid.any() and not any(np.any(x.spread()[placed.valid]) for x in left):
            return found
    raise InputError(
        f"points of the level {bare}", expected="some, at which its conditions are independent", got="none",
        hint="Is the level empty, or does a condition follow from the others?",
    )  # fmt: skip


def _conditions(system: SystemDefinition, quantity: QuantityLike, value: Any, sde: StratonovichSDE) -> list[Condition]:
    """One for each component; √x = c is x = c²."""
    name, rows = quantity_name(quantity), expressions(system, quantity, sde)
    try:
        flat = [float(x) for x in np.broadcast_to(np.asarray(value, dtype=object), (len(rows),))]
        given = [Fraction(exact_number(x)) for x in np.broadcast_to(np.asarray(value, dtype=object), (len(rows),))]
    except (TypeError, ValueError, OverflowError):
        flat, given = [], []
    if len(flat) != len(rows) or not np.all(np.isfinite(flat)):
        expected = "a finite number" if len(rows) == 1 else f"a finite number, or {len(rows)} of them"
        raise InputError(f"the value of {name} on a level", expected=expected, got=repr(value))
    found = []
    for k, (e, c) in enumerate(zip(rows, given, strict=True)):
        text = f"{name} = {c}" if len(rows) == 1 else f"{name}[{k}] = {c}"
        number = sp.Rational(c.numerator, c.denominator)
        if isinstance(e, sp.Pow) and e.exp == sp.S.Half and c >= 0:
            e, number = e.base, number**2
        found.append(Condition(text, sp.Add(e, -number)))
    return found


def _examined(bare: Level, fields: Fields, values: ParameterSet, field: PrimeField) -> Level:
    """The level with the degrees of its conditions, at random points of a field; those that hold everywhere are left out."""
    point = values.at(field)
    point[bare.sde.setting.t] = field.draw()
    point |= configured(fields, field, drawn := Drawn(field.draw))
    first = velocities_of(bare.sde)
    x, v, w = list(drawn.values), [field.draw() for _ in first], [field.draw() for _ in first]
    point |= dict(zip(first, v, strict=True))

    def turning(c: Condition) -> Callable[[int], Any]:
        return lambda k: bare.at(
            field, point | {s: a + k * b for s, a, b in zip(first, v, w, strict=True)}, [c]
        )[0]  # fmt: skip

    degrees = [(c, _degree(turning(c), field)) for c in bare.configurations]
    velocities = [replace(c, degree=d or 0) for c, d in degrees if d != 0]
    rest = [c for c, d in degrees if d == 0]

    def shifted(c: Condition, directions: Mapping[int, Any]) -> Callable[[int], Any]:
        def at(k: int) -> Any:
            numbers = iter([y + k * directions[j] if j in directions else y for j, y in enumerate(x)])
            return bare.at(field, point | configured(fields, field, numbers.__next__), [c])[0]

        return at

    rest = [c for c in rest if np.any(bare.at(field, point, [c])[0].spread()[field.valid])]
    everywhere = dict(enumerate(field.draw() for _ in x))
    if fixed := [c.text for c in rest if _degree(shifted(c, everywhere), field) == 0]:
        raise InputError("the level of a quantity that is constant", expected="its value", got=", ".join(fixed))
    free = [j for j in range(len(x)) if rest and all(_degree(shifted(c, {j: field.draw()}), field) is not None for c in rest)]
    line = {j: field.draw() for j in free}
    configurations = [replace(c, degree=_degree(shifted(c, line), field) or 0) for c in rest]
    for group in (velocities, configurations):
        _refuse(group)
    return replace(bare, configurations=tuple(configurations), velocities=tuple(velocities), free=tuple(free))


def _degree(along: Callable[[int], Any], field: PrimeField) -> int | None:
    """The degree of a polynomial of one variable, ``None`` if it is higher than 2 or the function is none."""
    row, found = [along(k) for k in range(2 * HIGHEST + 2)], -1
    while row and any(np.any(x.spread()[field.valid]) for x in row):
        row, found = [b - a for a, b in zip(row[:-1], row[1:], strict=True)], found + 1
    return max(found, 0) if found <= HIGHEST else None


def _refuse(conditions: Sequence[Condition]) -> None:
    """Raise an error if they cannot be solved for."""
    curved = [c for c in conditions if c.degree == HIGHEST]
    if len(curved) > 1 or any(c.degree == 0 for c in conditions):
        raise InputError(
            f"points of the level {', '.join(c.text for c in conditions)}",
            expected="conditions of degree 1 in velocities or in positions that the group translates, at most one of degree 2 in each",
            got=", ".join(f"degree {c.degree or 'above 2'} of {c.text}" for c in conditions),
            hint="A level of higher degree, or of components of rotated vectors, is not supported.",
        )  # fmt: skip
