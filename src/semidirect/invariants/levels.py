"""The level that quantities and their values describe, with the degrees by which its points are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.core import errors, exact
from semidirect.invariants.algebra.fractional import TooLarge
from semidirect.invariants.algebra.polynomials import Polynomials
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.fields import Fields
from semidirect.invariants.level import CentreOnLevel, Condition, Level
from semidirect.invariants.points import Drawn, configured, random_point, velocities_of
from semidirect.invariants.quantity import QuantityLike, expressions, quantity_name

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE
    from semidirect.invariants.parameters import ParameterSet

Values = Mapping[QuantityLike, Any]
"""Quantities and their values: a number, or one for each component."""

SPOTS, PRIMES, HIGHEST, LETTERS, SIDES = 16, 24, 2, 4, 3
"""Points of a field, primes, the degree up to which a condition can be solved for, values of functions
in a polynomial, and random sums of the coefficients of a condition, which have in common what these have in common."""


def level_of(system: SystemDefinition, on: Values, sde: StratonovichSDE, values: ParameterSet, seed: int | None = None
             ) -> Level:  # fmt: skip
    """The level, if its points can be found; whether it is invariant is not examined.

    Raises
    ------
    InputError
        If it has no points, or if a condition has a higher degree than 2, both in velocities and in positions.
    """
    if not isinstance(on, Mapping) or not on:
        raise errors.InputError("a level", expected="a mapping of quantities to values", got=repr(on))
    conditions = [c for quantity, value in on.items() for c in _conditions(system, quantity, value, sde)]
    names = tuple(map(quantity_name, on))
    bare = Level(sde, names, ", ".join(c.text for c in conditions), tuple(conditions), ())
    fields = Fields(sde, level=bare)
    for i, p in enumerate(islice(values.primes(seed), PRIMES)):
        field = PrimeField(p, SPOTS, random_numbers(seed, i, 7))
        try:
            full = _examined(bare, fields, values, field)
        except ZeroDivisionError:
            continue
        for level in (full, replace(full, centred=False)):
            try:
                if _holds(bare, level, values, PrimeField(p, 4 * SPOTS, random_numbers(seed, i, 8))):
                    _refuse_parts(level, values)
                    return level
            except CentreOnLevel:
                continue
            except ZeroDivisionError:
                break
    raise errors.InputError(
        f"points of the level {bare}", expected="some, at which its conditions are independent", got="none",
        hint="Is the level empty, or does a condition follow from the others?",
    )  # fmt: skip


def _holds(bare: Level, level: Level, values: ParameterSet, field: PrimeField) -> bool:
    """Whether the points that are found lie on the level."""
    point = random_point(Fields(bare.sde, level=level), field, values)
    left = bare.at(field, point, bare.conditions)
    return bool(field.valid.any()) and not any(np.any(x.spread()[field.valid]) for x in left)


def _refuse_parts(level: Level, values: ParameterSet) -> None:
    """Raise an error for a condition that holds for all numbers that are moved where the others have one special value.

    Γ₁ Ω₃ = 0 holds where Ω₃ = 0, which is found by moving Ω, and where Γ₁ = 0, which is not. The coefficients in the moved
    numbers are polynomials on a line of the other ones; such a part meets the line where all of them are 0.
    """
    draw = Random(0)
    for conditions, moving in ((level.velocities, True), (level.configurations, False)):
        for c in conditions:
            numbers = Polynomials(["line"], roots=4, draws=values.draws() + LETTERS)
            line = numbers.variables["line"]

            def spot() -> Any:
                return numbers.number(draw.randint(-9, 9)) + numbers.number(draw.randint(1, 9)) * line  # noqa: B023

            try:
                sides = _coefficients(level, c, values, numbers, spot, moving=moving)
            except (TooLarge, ZeroDivisionError):
                continue
            common, below = numbers.ring.zero, numbers.product(dict.fromkeys(range(len(numbers.factors)), 1))
            for x in sides:
                common = common.gcd(x.numerator)
            while (shared := common.gcd(below)).degree(line.numerator) > 0:
                common = common.exquo(shared)
            if common.degree(line.numerator) > 0:
                raise errors.InputError(
                    f"the level {c.text}", expected="one part, or each by itself", got=f"{c.text} has several factors",
                    hint="A product is 0 where one of its factors is: give the level of one of them.",
                )  # fmt: skip


def _coefficients(level: Level, c: Condition, values: ParameterSet, numbers: Polynomials, spot: Callable[[], Any], *,
                  moving: bool) -> list[Any]:  # fmt: skip
    """Values of a condition for several values of the numbers that are moved, where all others lie on a line."""
    fields, first = Fields(level.sde, level=level), velocities_of(level.sde)
    point = values.at(numbers)
    point[level.sde.setting.t] = spot()
    point |= configured(fields, numbers, draws := Drawn(spot))
    results, draw = [], Random(1)
    for _ in range(SIDES):
        if moving:
            at = point | {x: numbers.number(draw.randint(-99, 99)) for x in first}
        else:
            x = [numbers.number(draw.randint(-99, 99)) if j in level.free else y for j, y in enumerate(draws.values)]
            at = point | configured(fields, numbers, iter(x).__next__)
        results += level.at(numbers, at, [c])
    return results


def _conditions(system: SystemDefinition, quantity: QuantityLike, value: Any, sde: StratonovichSDE) -> list[Condition]:
    """One for each component; √x = c is x = c²."""
    name, rows = quantity_name(quantity), expressions(system, quantity, sde)
    try:
        flat = [float(x) for x in np.broadcast_to(np.asarray(value, dtype=object), (len(rows),))]
        targets = [
            Fraction(exact.exact_number(x)) for x in np.broadcast_to(np.asarray(value, dtype=object), (len(rows),))
        ]
    except (TypeError, ValueError, OverflowError):
        flat, targets = [], []
    if len(flat) != len(rows) or not np.all(np.isfinite(flat)):
        expected = "a finite number" if len(rows) == 1 else f"a finite number, or {len(rows)} of them"
        raise errors.InputError(f"the value of {name} on a level", expected=expected, got=repr(value))
    conditions = []
    for k, (e, c) in enumerate(zip(rows, targets, strict=True)):
        text = f"{name} = {c}" if len(rows) == 1 else f"{name}[{k}] = {c}"
        number = sp.Rational(c.numerator, c.denominator)
        if isinstance(e, sp.Pow) and e.exp == sp.S.Half and c >= 0:
            e, number = e.base, number**2
        conditions.append(Condition(text, sp.Add(e, -number)))
    return conditions


def _examined(bare: Level, fields: Fields, values: ParameterSet, field: PrimeField) -> Level:
    """The level with the degrees of its conditions, at random points of a field; those that hold everywhere are left out."""
    point = values.at(field)
    point[bare.sde.setting.t] = field.draw()
    point |= configured(fields, field, draws := Drawn(field.draw))
    first = velocities_of(bare.sde)
    x, v, w = list(draws.values), [field.draw() for _ in first], [field.draw() for _ in first]
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
        raise errors.InputError("the level of a quantity that is constant", expected="its value", got=", ".join(fixed))
    free = [
        j
        for j in range(len(x))
        if rest and all(_degree(shifted(c, {j: field.draw()}), field) is not None for c in rest)
    ]
    line = {j: field.draw() for j in free}
    configurations = [replace(c, degree=_degree(shifted(c, line), field) or 0) for c in rest]
    for group in (velocities, configurations):
        _refuse(group)
    return replace(bare, configurations=tuple(configurations), velocities=tuple(velocities), free=tuple(free))


def _degree(along: Callable[[int], Any], field: PrimeField) -> int | None:
    """The degree of a polynomial of one variable, ``None`` if it is higher than 2 or the function is none."""
    row, degree = [along(k) for k in range(2 * HIGHEST + 2)], -1
    while row and any(np.any(x.spread()[field.valid]) for x in row):
        row, degree = [b - a for a, b in pairwise(row)], degree + 1
    return max(degree, 0) if degree <= HIGHEST else None


def _refuse(conditions: Sequence[Condition]) -> None:
    """Raise an error if they cannot be solved for."""
    curved = [c for c in conditions if c.degree == HIGHEST]
    if len(curved) > 1 or any(c.degree == 0 for c in conditions):
        raise errors.InputError(
            f"points of the level {', '.join(c.text for c in conditions)}",
            expected="conditions of degree 1 in velocities or in positions that the group translates, one of degree 2 in each",
            got=", ".join(f"degree {c.degree or 'above 2'} of {c.text}" for c in conditions),
            hint="A level of higher degree, or of components of rotated vectors, is not supported.",
        )  # fmt: skip
