"""Programs with cases, ``where``, ``maximum`` or ``absolute``: one without cases on each piece, and real states on the pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import final

import numpy as np
import sympy as sp
from sympy.core.relational import Relational

from semidirect.equations import Let, Program, Solve, emission

MOST, SPOTS, NEAR, HALVINGS, CLIMBED = 5, 240, 6, 60, 40
"""Conditions at most; random states, pairs of states and halvings in search of each boundary, and states moved towards it."""
SCALES = (-3.0, 3.0)
"""Powers of ten between which the sizes of random numbers lie."""

Pattern = tuple[bool, ...]


@final
@dataclass(frozen=True)
class Pieces:
    """The pieces of a program.

    Attributes
    ----------
    program : Program
        Without Abs, Max, Min and the like, which are written as cases.
    conditions : tuple of Expr
        On a piece each of them is positive or negative.
    """

    program: Program
    conditions: tuple[sp.Expr, ...]

    @classmethod
    def of(cls, program: Program) -> Pieces:
        """The pieces of a program; what it does not need is left out."""
        names = program.needed()
        statements = tuple(_mapped(s, _unfolded) for s in program.statements if names.intersection(s.names))
        outputs = {name: tuple(_unfolded(e) for e in rows) for name, rows in program.outputs.items()}
        expressions = [*(e for s in statements for e in s.written), *(e for rows in outputs.values() for e in rows)]
        relations = [r for e in expressions for r in sorted(e.atoms(Relational), key=sp.default_sort_key)]
        conditions = dict.fromkeys(c for c, _ in map(_positive, relations) if c is not None)
        return cls(Program(program.inputs, statements, outputs), tuple(conditions))

    def patterns(self) -> list[Pattern]:
        """All combinations of signs, whether there are states that have them or not."""
        return list(product((True, False), repeat=len(self.conditions)))

    def at(self, pattern: Pattern) -> Program:
        """The program on one piece."""
        signs = dict(zip(self.conditions, pattern, strict=True))

        def chosen(e: sp.Expr) -> sp.Expr:
            rules = {}
            for relation in e.atoms(Relational):
                condition, holds = _positive(relation)
                rules[relation] = sp.true if (holds if condition is None else signs[condition] == holds) else sp.false
            return e.xreplace(rules)

        statements = tuple(_mapped(s, chosen) for s in self.program.statements)
        outputs = {name: tuple(chosen(e) for e in rows) for name, rows in self.program.outputs.items()}
        return Program(self.program.inputs, statements, outputs)

    def spots(self, point: Callable[[Sequence[float]], Mapping[sp.Symbol, float]], count: int, random: Random) -> Spots:
        """Random numbers of states on the pieces, and of states at their boundaries, of all sizes from 10⁻³ to 10³.

        Parameters
        ----------
        point : callable(numbers)
            The state that some random numbers make.
        count : int
            How many numbers it takes.
        """
        inputs = [x for x in self.program.inputs if x in point([0.5] * count)]
        values = emission.numerical_function(self.program, self.conditions, inputs)

        def signs(numbers: Sequence[float]) -> list[float]:
            state = point(numbers)
            with np.errstate(all="ignore"):
                return [float(x) for x in values(*(state[i] for i in inputs))]

        def draw() -> list[float]:
            common = random.choice((True, False))
            size = random.uniform(*SCALES)
            return [random.uniform(-1, 1) * 10 ** (size if common else random.uniform(*SCALES)) for _ in range(count)]

        samples = [(x, signs(x)) for x in (draw() for _ in range(SPOTS))]
        samples = [(x, c) for x, c in samples if np.all(np.isfinite(c))]
        boundary: dict[int, list[tuple[list[float], list[float]]]] = {}
        for i in range(len(self.conditions)):
            samples += _towards(samples, i, signs, random)
            above, below = ([x for x, c in samples if (c[i] > 0) == side] for side in (True, False))
            pairs = [(random.choice(above), random.choice(below)) for _ in range(NEAR)] if above and below else []
            boundary[i] = [_halved(one, other, i, signs) for one, other in pairs]
            samples += [(x, signs(x)) for pair in boundary[i] for x in pair]
        inside: dict[Pattern, list[list[float]]] = {}
        for x, c in samples:
            inside.setdefault(tuple(v > 0 for v in c), []).append(x)
        return Spots(inside, boundary)


@final
@dataclass(frozen=True)
class Spots:
    """States by the random numbers that make them.

    Attributes
    ----------
    inside : dict pattern → list of numbers
    boundary : dict i → list of pairs
        Two states between which the i-th condition changes its sign, next to each other.
    """

    inside: Mapping[Pattern, list[list[float]]]
    boundary: Mapping[int, list[tuple[list[float], list[float]]]]


def _towards(samples: Sequence[tuple[list[float], list[float]]], i: int, signs: Callable[[Sequence[float]], list[float]],
             random: Random) -> list[tuple[list[float], list[float]]]:  # fmt: skip
    """States at which a condition is nearer to 0 than at the nearest one, where all of them lie on one side."""
    if not samples or len({c[i] > 0 for _, c in samples}) > 1:
        return []
    x, c = min(samples, key=lambda pair: abs(pair[1][i]))
    nearer: list[tuple[list[float], list[float]]] = []
    for k in range(CLIMBED * len(x)):
        step = 10 ** random.uniform(-4, 0)
        nearby = [v * (1 + step * random.gauss(0, 1)) + step * random.gauss(0, 1) * (k % 2) for v in x]
        at = signs(nearby)
        if not np.all(np.isfinite(at)):
            continue
        if (at[i] > 0) != (c[i] > 0):
            return [*nearer, (nearby, at)]
        if abs(at[i]) < abs(c[i]):
            x, c = nearby, at
            nearer = [(x, c)]
    return nearer


def _halved(one: list[float], other: list[float], i: int, signs: Callable[[Sequence[float]], list[float]]
            ) -> tuple[list[float], list[float]]:  # fmt: skip
    """Two states next to each other between which a condition changes its sign."""
    for _ in range(HALVINGS):
        middle = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
        if middle in (one, other):
            break
        one, other = (middle, other) if signs(middle)[i] > 0 else (one, middle)
    return one, other


def _mapped(statement: Let | Solve, change: Callable[[sp.Expr], sp.Expr]) -> Let | Solve:
    if isinstance(statement, Let):
        return Let(statement.names, tuple(map(change, statement.expressions)))
    matrix = tuple(tuple(map(change, row)) for row in statement.matrix)
    return Solve(statement.names, matrix, tuple(map(change, statement.rhs)), statement.symmetric)


def _unfolded(e: sp.Expr) -> sp.Expr:
    """An expression with cases in place of functions that have some."""
    if not e.has(sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside):
        return e

    def largest(first: sp.Expr, *others: sp.Expr) -> sp.Expr:
        for x in others:
            first = sp.Piecewise((first, first > x), (x, True))
        return first

    e = e.replace(sp.Abs, lambda x: sp.Piecewise((x, x > 0), (-x, True)))
    e = e.replace(sp.sign, lambda x: sp.Piecewise((1, x > 0), (-1, True)))
    e = e.replace(sp.Heaviside, lambda x, *_: sp.Piecewise((1, x > 0), (0, True)))
    e = e.replace(sp.Min, lambda *x: -largest(*(-v for v in x)))
    return e.replace(sp.Max, largest)


def _positive(relation: Relational) -> tuple[sp.Expr | None, bool]:
    """The condition c of c > 0, and whether the relation holds where c is positive; for = and ≠ none, as c = 0 is no piece."""
    if isinstance(relation, (sp.Equality, sp.Unequality)):
        return None, isinstance(relation, sp.Unequality)
    c = relation.lhs - relation.rhs
    above = isinstance(relation, (sp.StrictGreaterThan, sp.GreaterThan))
    return (-c, not above) if c.could_extract_minus_sign() else (c, above)
