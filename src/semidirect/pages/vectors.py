"""Vector notation found again in component expressions: cross and dot products of named vectors of R³."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import sympy as sp

from semidirect.expressions import expression_sizes

Monomials = dict[tuple[tuple[str, int], ...], sp.Rational]
"""A polynomial in vector components: product of (letter, index), sorted → coefficient."""


MOST_LETTERS = 5
"""Of a product that is written in vector notation."""

AXES = ("~E1", "~E2", "~E3")
"""The axes of the body."""


@dataclass(frozen=True)
class Term:
    """coefficient · scalar · shape, where the shape is a nested tuple: ``"a"``, ``("x", a, b)``, ``("dot", a, b, c…)``.

    :data:`AXES` are letters too, unless an advected frame has their names.
    """

    coefficient: sp.Rational
    scalar: sp.Expr
    shape: object


def recognise(components: Sequence[sp.Expr], letters: Mapping[sp.Symbol, tuple[str, int]],
              diagonal: Mapping[sp.Symbol, int], axes: Sequence[str] = AXES) -> list[Term] | None:  # fmt: skip
    """Write three components as a vector expression, or one component as a scalar one.

    Parameters
    ----------
    components : 3 or 1 expressions
        Polynomial in the components of the letters.
    letters : dict Symbol → (name, index 0…2)
        Named vectors.
    diagonal : dict Symbol → index
        Principal moments of an inertia 𝕀; ``I_k a_k`` becomes a component of the letter ``𝕀a``.
    axes : sequence of str
        Those of :data:`AXES` that may be used.

    Returns
    -------
    list of Term, or None
        ``None`` where the expression is not equivariant, or of too high a degree; one axis of the body may stand in some terms.
    """
    if not all(expression_sizes.small(e, expression_sizes.MOST_SHOWN) for e in components):
        return None
    axes = () if any(f"~{name}" in AXES for name, _ in letters.values()) else axes
    # terms with the same vectors and the same scalar factor are one candidate for a vector expression
    groups: dict[tuple[sp.Expr, tuple[str, ...]], list[Monomials]] = {}
    for k, component in enumerate(components):
        for term in sp.Add.make_args(sp.expand(component)):
            if term == 0:
                continue
            parsed = _parse(term, letters, diagonal)
            if parsed is None:
                return None
            coefficient, scalar, factors = parsed
            if len(factors) > MOST_LETTERS:
                return None
            key = (scalar, tuple(sorted(name for name, _ in factors)))
            polynomials = groups.setdefault(key, [{} for _ in components])
            monomial = tuple(sorted(factors))
            polynomials[k][monomial] = polynomials[k].get(monomial, sp.Integer(0)) + coefficient
    terms: list[Term] = []
    own_axes: set[str] = set()
    for (scalar, names), polynomials in groups.items():
        fit = _fit(names, polynomials)
        # a component may be a product with an axis, where nothing else fits
        for axis in axes if fit is None and len(names) + len(components) in (3, 4, 5) else ():
            fit = _fit((*names, axis), polynomials) or (
                _fit((*names, axis, axis), polynomials) if len(names) == 1 else None
            )
            if fit is not None:
                own_axes.add(axis)
                break
        if fit is None or len(own_axes) > 1:
            return None
        terms += [Term(c, scalar, shape) for c, shape in fit]
    # axes everywhere would be components in disguise, no easier to read
    alone = own_axes and all(_has_axis(t.shape) for t in terms)
    return None if alone and (len(components) == 1 or len(terms) > 1) else terms


def _has_axis(shape: object) -> bool:
    return shape in AXES or (isinstance(shape, tuple) and any(_has_axis(part) for part in shape[1:]))


def _parse(term: sp.Expr, letters: Mapping[sp.Symbol, tuple[str, int]], diagonal: Mapping[sp.Symbol, int]
           ) -> tuple[sp.Rational, sp.Expr, list[tuple[str, int]]] | None:  # fmt: skip
    coefficient, factors = term.as_coeff_mul()
    components: list[tuple[str, int]] = []
    moments: list[int] = []
    scalars = [sp.Integer(1)]
    for factor in factors:
        base, exponent = factor.as_base_exp()
        if base in letters and exponent.is_Integer and exponent > 0:
            components += [letters[base]] * int(exponent)
        elif base in diagonal and exponent == 1:
            moments.append(diagonal[base])
        elif factor.free_symbols & (letters.keys() | diagonal.keys()):
            return None
        else:
            scalars.append(factor)
    for index in moments:
        candidates = sorted({name for name, i in components if i == index and not name.startswith("𝕀")}, key=_moving)
        if not candidates:
            return None
        components.remove((candidates[0], index))
        components.append((f"𝕀{candidates[0]}", index))
    return coefficient, sp.Mul(*scalars), components


def _moving(name: str) -> tuple[bool, str]:
    return (not name.startswith(("Ω", "v", "ξ")), name)


@dataclass(frozen=True)
class _Candidates:
    """All shapes of some letters, with their coefficients of each monomial, and where these are not 0 as bits."""

    shapes: list[object]
    columns: list[list[int]]
    supports: list[int]
    rows: Mapping[tuple[int, tuple[tuple[str, int], ...]], int]


def _fit(names: tuple[str, ...], polynomials: list[Monomials]) -> list[tuple[sp.Rational, object]] | None:
    """The shortest combination of at most three candidates, one without minus signs where there is any."""
    candidates = _candidates(names, len(polynomials))
    target, support = [Fraction(0)] * len(candidates.rows), 0
    for k, polynomial in enumerate(polynomials):
        for monomial, coefficient in polynomial.items():
            if coefficient == 0:
                continue
            row = candidates.rows.get((k, monomial))
            if row is None:
                return None
            target[row], support = Fraction(coefficient.p, coefficient.q), support | 1 << row
    for size in range(1, min(4, len(candidates.shapes) + 1)):
        best = None
        for selection in combinations(range(len(candidates.shapes)), size):
            if not _may_add_up(support, [candidates.supports[i] for i in selection]):
                continue
            solution = _combination([candidates.columns[i] for i in selection], target)
            if solution is not None:
                fit = [
                    (sp.Rational(c.numerator, c.denominator), candidates.shapes[i])
                    for c, i in zip(solution, selection, strict=True)
                ]
                if all(c > 0 for c in solution):
                    return fit
                best = best or fit
        if best is not None:
            return best
    return None


def _may_add_up(support: int, supports: list[int]) -> bool:
    """Whether columns may give a sum with none of them at 0: it covers the support, and what one alone has does not cancel."""
    some = several = 0
    for s in supports:
        several |= some & s
        some |= s
    return support & ~some == 0 and some & ~several & ~support == 0


def _combination(columns: list[list[int]], target: list[Fraction]) -> list[Fraction] | None:
    """The coefficients with Σ c_i columns_i = wanted, all of them nonzero, if there are any."""
    rows = [[*map(Fraction, entries), w] for *entries, w in zip(*columns, target, strict=True)]
    n, solved = len(columns), 0
    for j in range(n):
        pivot = next((i for i in range(solved, len(rows)) if rows[i][j] != 0), None)
        if pivot is None:
            return None
        rows[solved], rows[pivot] = rows[pivot], rows[solved]
        rows[solved] = [e / rows[solved][j] for e in rows[solved]]
        for i in range(len(rows)):
            if i != solved and rows[i][j] != 0:
                rows[i] = [e - rows[i][j] * p for e, p in zip(rows[i], rows[solved], strict=True)]
        solved += 1
    if any(row[n] != 0 for row in rows[n:]):
        return None
    solution = [rows[j][n] for j in range(n)]
    return solution if all(c != 0 for c in solution) else None


@cache
def _candidates(names: tuple[str, ...], size: int) -> _Candidates:
    shapes = _vector_shapes(names) if size == 3 else _scalar_shapes(names)
    unique: dict[str, tuple[object, list[Monomials]]] = {}
    for shape in shapes:
        value = evaluate(shape)
        if any(value):
            unique.setdefault(repr(shape), (shape, value))
    candidates = list(unique.values())
    entries = [{(k, m): int(c) for k, p in enumerate(value) for m, c in p.items()} for _, value in candidates]
    rows = {at: i for i, at in enumerate(dict.fromkeys(at for e in entries for at in e))}
    columns = [[e.get(at, 0) for at in rows] for e in entries]
    supports = [sum(1 << i for i, c in enumerate(column) if c) for column in columns]
    return _Candidates([shape for shape, _ in candidates], columns, supports, rows)


def _vector_shapes(names: tuple[str, ...]) -> Iterable[object]:
    if len(names) == 1:
        yield names[0]
    elif len(names) == 2:
        yield from (("x", a, b) for a, b in permutations(names))
    elif len(names) == 3:
        yield from (("x", a, ("x", b, c)) for a, b, c in permutations(names))
        yield from (("dot", a, b, c) for a, b, c in permutations(names) if a <= b)
    elif len(names) == 4:
        yield from (("dot", a, b, ("x", c, d)) for a, b, c, d in permutations(names) if a <= b)
        yield from (("x", a, ("x", b, ("x", c, d))) for a, b, c, d in permutations(names))
    elif len(names) == 5:
        yield from (("dot", a, b, ("dot", c, d, e)) for a, b, c, d, e in permutations(names) if a <= b and c <= d)


def _scalar_shapes(names: tuple[str, ...]) -> Iterable[object]:
    if len(names) == 0:
        yield 1
    for rest in permutations(names[1:]):
        if len(rest) == 1:
            yield ("dot", names[0], rest[0])
        elif len(rest) == 2:
            yield ("dot", names[0], ("x", *rest))
        elif len(rest) == 3:
            yield ("dot", names[0], rest[0], ("dot", rest[1], rest[2]))
            yield ("dot", ("x", names[0], rest[0]), ("x", rest[1], rest[2]))
        elif len(rest) == 4:
            yield ("dot", names[0], rest[0], ("dot", rest[1], ("x", rest[2], rest[3])))
            yield ("dot", rest[0], rest[1], ("dot", names[0], ("x", rest[2], rest[3])))


def evaluate(shape: object) -> list[Monomials]:
    """The components of a shape, as polynomials: one for a scalar, three for a vector."""
    if shape == 1:
        return [{(): sp.Integer(1)}]
    if shape in AXES:
        return [{(): sp.Integer(1)} if shape == axis else {} for axis in AXES]
    if isinstance(shape, str):
        return [{((shape, k),): sp.Integer(1)} for k in range(3)]
    assert isinstance(shape, tuple)
    kind, first, second, *rest = shape
    a, b = evaluate(first), evaluate(second)
    if kind == "x":
        return [
            _sum(_times(a[(k + 1) % 3], b[(k + 2) % 3], 1), _times(a[(k + 2) % 3], b[(k + 1) % 3], -1))
            for k in range(3)
        ]
    scalar: Monomials = {}
    for k in range(3):
        scalar = _sum(scalar, _times(a[k], b[k], 1))
    return [_times(scalar, c, 1) for c in evaluate(rest[0])] if rest else [scalar]


def _times(p: Monomials, q: Monomials, sign: int) -> Monomials:
    out: Counter[tuple[tuple[str, int], ...]] = Counter()
    for (m, a), (n, b) in product(p.items(), q.items()):
        out[tuple(sorted(m + n))] += sign * a * b
    return dict(out)


def _sum(p: Monomials, q: Monomials) -> Monomials:
    out = dict(p)
    for m, c in q.items():
        out[m] = out.get(m, sp.Integer(0)) + c
    return {m: c for m, c in out.items() if c != 0}
