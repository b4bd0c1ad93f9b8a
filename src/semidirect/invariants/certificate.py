"""A symbolic proof that a quantity does not change: its derivative as a polynomial that reduces to 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from semidirect.core import errors, exact
from semidirect.invariants.algebra.determinants import is_constant
from semidirect.invariants.algebra.fractional import Fractional, TooLarge
from semidirect.invariants.algebra.linear_algebra import rational_null_space
from semidirect.invariants.algebra.polynomials import Polynomials
from semidirect.invariants.points import on_orbit, velocities_of

if TYPE_CHECKING:
    from semidirect.invariants.algebra.scalars import Numbers
    from semidirect.invariants.fields import Fields
    from semidirect.invariants.parameters import ParameterSet


FUNCTIONS = 4
"""The largest number of values of functions that are not algebraic in a proof."""


def certify(fields: Fields, quantity: str, column: int, parameters: ParameterSet, budget: int = 4000) -> bool:
    """Whether DQ·g_k = 0 by exact polynomial algebra.

    The program runs on fractions of polynomials in the state, reduced by relations of the orbit, |Γ|² = 1 and the like. The
    relations are found as quadratic polynomials, and each is proved by inserting a = s⁻¹a₀ with s = cay(w) for a symbolic w.

    In A form some velocities are given by the others, from A ξ = b, and the matrix of (dξ, dλ) is reduced by its constant
    pivots, those of H, to that of dλ alone.

    ``False`` means undecided: the algebra was too large (``budget`` terms in a polynomial), or something depends on s besides a.
    """
    sde = fields.sde
    if fields.reads_configuration and sde.definition.advected:
        return False
    solved = sde.form == "A" or fields.level is not None
    velocities = {str(x) for x in velocities_of(sde)} if solved else set()
    names = [str(x) for x in fields.moving if x in fields.inputs_read or str(x) in velocities]
    a = [str(x) for x in sde.setting.a]
    ordered = [*reversed(a), *(n for n in names if n not in a)]
    try:
        relations = orbit_relations(sde.definition, budget)
        numbers = Polynomials(ordered, roots=4, draws=parameters.draws() + FUNCTIONS, budget=budget)
        variables = [numbers.variables[name] for name in a]
        for relation in relations:
            total = _value(relation, variables, numbers)
            if total.numerator:  # not a consequence of the earlier ones
                numbers.relations.append(total.numerator)
        point: dict[Any, Any] = {x: numbers.variables.get(str(x), numbers.number(0)) for x in fields.moving}
        point |= parameters.at(numbers)
        if solved:
            point |= _admissible(fields, point, numbers)
        defect = fields.at(numbers, point).defect(quantity, column)
        return all(not numbers.reduced(x.numerator) for x in defect)
    except (TooLarge, errors.InputError, ZeroDivisionError):
        return False


def _admissible(fields: Fields, point: Mapping[Any, Any], numbers: Polynomials) -> dict[Any, Any]:
    """Velocities with A ξ = b: as many as there are covectors as functions of a and of the others, on constant pivots if any.

    Conditions of a level that are linear in the velocities are solved with these; the others become relations.

    Raises
    ------
    ZeroDivisionError
        If the covectors are dependent everywhere.
    """
    level, xi = fields.level, velocities_of(fields.sde)
    A, b = fields.covectors(numbers, point) if fields.sde.form == "A" else ([], [])
    rows = [[*row, value] for row, value in zip(A, b, strict=True)]
    if level is not None:
        numbers.relations += _numerators(level.at(numbers, point, level.configurations))
        linear = [c for c in level.velocities if c.degree == 1]
        still = {**point, **{x: numbers.number(0) for x in xi}}
        origin = level.at(numbers, still, linear)
        steps = [level.at(numbers, still | {x: numbers.number(1)}, linear) for x in xi]
        rows += [[*(step[i] - c for step in steps), -c] for i, c in enumerate(origin)]
    pivots = exact.reduce_rows(rows, range(len(xi)), _simplicity, anywhere=True)
    if len(pivots) < len(rows):
        raise ZeroDivisionError("dependent covectors in an exact solve")
    free = set(range(len(xi))) - {j for _, j in pivots}
    velocities = {xi[j]: rows[i][-1] - sum(rows[i][k] * point[xi[k]] for k in free) for i, j in pivots}
    if level is not None:
        curved = [c for c in level.velocities if c.degree > 1]
        numbers.relations += _numerators(level.at(numbers, {**point, **velocities}, curved))
    return velocities


def _numerators(fractions: Sequence[Fractional]) -> list[Any]:
    return [x.numerator for x in fractions if x.numerator]


def _simplicity(x: Fractional) -> float:
    """Most for constants, then for few terms."""
    return 2.0 if is_constant(x) else 1 / len(x.numerator) if x.numerator else 0.0


Relation = Mapping[tuple[int, ...], Fraction]
"""A polynomial in the components of a: indices of the factors of a term, and its coefficient."""


def orbit_relations(definition: Any, budget: int = 4000) -> list[Relation]:
    """Polynomials of degree at most 2 in the advected quantities that vanish on the orbit, each proved.

    A basis in echelon form, in which the last components of a are those that the others give.

    Raises
    ------
    InputError
        If the group has no Cayley map.
    """
    if not definition.advected:
        return []
    size = sum(q.dimension for q in definition.advected.values())
    terms: list[tuple[int, ...]] = [
        (),
        *((i,) for i in range(size)),
        *((i, j) for i in range(size) for j in range(i + 1)),
    ]

    def rows(numbers: Any) -> list[Any]:
        a = on_orbit(definition, numbers)
        return [_value({indices: Fraction(1)}, a, numbers) for indices in terms]

    basis = rational_null_space(rows, len(terms))
    polynomials = Polynomials([], draws=2 * definition.group.dimension, budget=budget)
    a = on_orbit(definition, polynomials)
    relations = [{terms[i]: c for i, c in enumerate(vector) if c} for vector in basis]
    return [r for r in relations if not _value(r, a, polynomials).numerator]


def _value(relation: Relation, a: Sequence[Any], numbers: Numbers) -> Any:
    total = numbers.number(0)
    for indices, c in relation.items():
        total = total + prod((a[i] for i in indices), start=numbers.number(c.numerator, c.denominator))
    return total
