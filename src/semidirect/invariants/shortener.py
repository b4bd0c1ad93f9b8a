"""Evolution equations without linear solves: dQ = c·x with A x = b is y·b if A y = c for a named vector y."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, final

import numpy as np
import sympy as sp

from semidirect.core import errors, functions
from semidirect.definition import in_scalars
from semidirect.equations import Let, Program, Solve, derived_sde, emission, quantity_expressions
from semidirect.expressions import expression_sizes
from semidirect.invariants.algebra.linear_algebra import echelon, primes, reconstructed
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.fields import Fields
from semidirect.invariants.parameters import Parameters, ParameterSet
from semidirect.invariants.points import random_point
from semidirect.invariants.quantity import QuantityLike, expressions
from semidirect.pages import evolution_text

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import Evolution, StratonovichSDE

POINTS, LEAST, MOST, TRIES = 72, 12, 3, 24
LARGEST = 10_000
"""Largest number of operations for the search. In our systems the expressions that became shorter had up to 4,500."""


def shortest_evolution(system: SystemDefinition, quantity: QuantityLike) -> Evolution:
    """The evolution of a quantity, in momenta or in velocities; for a name it is derived once per system.

    Momenta are used if the quantity is a function of them, since then no velocity has to be solved for. If it is linear in
    them, velocities are tried too, and the equations with fewer terms are chosen.
    """
    system = in_scalars(system)
    if not isinstance(quantity, str):
        return _shortest(system, quantity, "Q")
    key = (shortest_evolution, quantity)
    evolution: Evolution = system.workings.known(key, lambda: _shortest(system, quantity, quantity))
    return evolution


def _shortest(system: SystemDefinition, quantity: QuantityLike, name: str) -> Evolution:
    options: list[tuple[int, int, int, Evolution]] = []
    kinds = [derived_sde(system, variables=kind, lettered=True) for kind in ("momentum", "velocity")]
    for sde in dict.fromkeys(kinds):
        rows = expressions(system, quantity, sde, expression_sizes.WRITTEN_OUT)
        momenta = [x for v in sde.variables if v.kind == "momentum" for x in v.symbols]
        symbols = {*sde.program.inputs, *(x for letter in sde.setting.letters for x in letter.symbols)}
        if momenta and not set().union(*(e.free_symbols for e in rows)) <= symbols:
            continue
        evolution = replace(sde.evolution({name: rows}, Shortener(system, sde)), write=partial(evolution_text, system))
        laws = [e for column in evolution.columns[1:-1] for e in evolution.of(name, column)]
        terms = sum(len(sp.Add.make_args(expression_sizes.expanded(e))) for e in laws if e != 0)
        options.append((_accelerations(evolution.program, laws), terms, len(options), evolution))
        if not terms or any(e.has(x) and sp.diff(e, x, 2) != 0 for e in rows for x in momenta):
            break
    return min(options)[-1]


def _accelerations(program: Program, laws: Sequence[sp.Expr]) -> int:
    """The number of solves for rates in the equations; solves for velocities do not count."""
    names = program.with_outputs(laws=laws).needed()
    return sum(
        isinstance(s, Solve) and bool(names.intersection(s.names)) and s.names[0].name.startswith("~")
        for s in program.statements
    )


@final
@dataclass(frozen=True)
class _Function:
    """Expressions as a function of inputs, and what a random point of them needs."""

    text: str
    inputs: tuple[sp.Symbol, ...]
    fields: Fields


@final
class Shortener:
    """Callable: a program that ends in derivatives to one whose outputs need fewer solves; outputs that vanish become 0.

    For the energy of a rolling ball c = M = LΩ, so y = Ω and dE = Ω·b, without the angular acceleration x. Candidates for y
    are rational combinations of a few named vectors of the system (velocities, advected quantities, contact vectors,
    vector parameters) and of unit vectors, found by linear algebra over a prime field at random states and random parameters,
    and checked at others: wrong with a probability below 1e-100. Prime and points are drawn anew each time. An output that
    vanishes for the parameters of the system is 0 as well: Jellett's integral has no drift for a body of revolution.
    """

    def __init__(self, system: SystemDefinition, sde: StratonovichSDE):
        self.system, self.sde = system, sde

    def __call__(self, program: Program) -> Program:
        """The shorter program."""
        outputs = {name: tuple(self._shortened(program, e) for e in rows) for name, rows in program.outputs.items()}
        return program.with_outputs(**outputs)

    def _shortened(self, program: Program, e: sp.Expr) -> sp.Expr:
        if program.with_outputs(e=[e]).operations() > LARGEST:
            return e
        for solve in reversed([s for s in program.statements if isinstance(s, Solve)]):
            unknown = set(solve.names)
            inlined = _inlined(program, e, unknown)
            if not inlined.free_symbols & unknown or not expression_sizes.small(inlined):
                continue
            coefficients = _coefficients(inlined, solve.names)
            if any(c.free_symbols & unknown for c in coefficients):
                continue
            weights = self._weights(program, solve, coefficients)
            if weights is None:
                continue
            rest = inlined.xreplace(dict.fromkeys(solve.names, sp.Integer(0)))
            e = _fewer_terms(program, sp.Add(rest, *(y * b for y, b in zip(weights, solve.rhs, strict=True))))
        if e.is_Number:
            return e
        function = self._function(program, [e])
        kinds: tuple[Parameters, ...] = ("free", "given" if self.system.workings.paths is None else "generic")
        for kind in kinds:
            values = self._evaluated(function, kind)
            if values is not None and not values[0].any():
                return sp.Integer(0)
        return e

    def _weights(self, program: Program, solve: Solve, coefficients: Sequence[sp.Expr]) -> list[sp.Expr] | None:
        """y with Aᵀ y = c."""
        n = len(solve.names)
        vectors = [v for v in self._vectors if len(v) == n]
        vectors += [[sp.Integer(int(i == j)) for i in range(n)] for j in range(n)]
        products = [sp.Add(*(solve.matrix[i][j] * v[i] for i in range(n))) for v in vectors for j in range(n)]
        evaluation = self._evaluated(self._function(program, [*products, *coefficients]))
        if evaluation is None:
            return None
        values, p = evaluation
        # rows: components at points; columns: candidates, then c
        matrix = values.reshape(len(vectors) + 1, n, -1).transpose(1, 2, 0).reshape(-1, len(vectors) + 1)
        reduced, pivots = echelon(matrix, p)
        if len(vectors) in pivots:
            return None
        factors = [reconstructed(int(row[-1]), p) for row in reduced]
        terms = [(f, j) for f, j in zip(factors, pivots, strict=True) if f]
        if any(f is None for f in factors) or len(terms) > MOST or any(_size(f) > 1000 for f, _ in terms):
            return None
        return [sp.Add(*(sp.Rational(f.numerator, f.denominator) * vectors[j][i] for f, j in terms)) for i in range(n)]

    @cached_property
    def _vectors(self) -> list[list[sp.Expr]]:
        vectors = [list(rows) for rows in self.sde.named.values()]
        for quantity in self.system.workings.quantities(derived=True).values():
            vectors.append(quantity_expressions.component_expressions(self.system, quantity, self.sde))
        vectors += [list(x) for x in self.system.workings.parameter_symbols.values() if x.ndim == 1]
        vectors += [list(row) for x in self.system.workings.parameter_symbols.values() if x.ndim == 2 for row in x]
        return vectors

    def _function(self, program: Program, expressions: Sequence[sp.Expr]) -> _Function:
        text = emission.source(program, expressions, program.inputs, exact=True)
        return _Function(text, program.inputs, Fields(self.sde, {"all": [sp.sympify(e) for e in expressions]}))

    def _evaluated(self, function: _Function, kind: Parameters = "free") -> tuple[np.ndarray, int] | None:
        """Values modulo p ``(expressions, points)`` and p; ``None`` if they are piecewise or have no regular points."""
        try:
            parameters = ParameterSet(self.system, kind)
            moduli = primes() if kind == "free" else parameters.primes()
        except errors.SemidirectError:  # a value for each path
            return None
        for p in islice(moduli, TRIES):  # a constant root exists at half of them
            try:
                field = PrimeField(p, POINTS, random_numbers(None))
                point = random_point(function.fields, field, parameters)
                values = functions.build(function.text, field.functions)(
                    *(point.get(x, field.number(0)) for x in function.inputs)
                )
            except (errors.SemidirectError, ZeroDivisionError, ArithmeticError):
                return None
            if np.count_nonzero(field.valid) >= LEAST:
                return np.stack([field.spread(x) for x in values])[:, field.valid], p
        return None


def _inlined(program: Program, e: sp.Expr, unknown: set[sp.Symbol]) -> sp.Expr:
    """The expression with those definitions inserted that depend on the unknowns only through definitions."""
    dependent = set(unknown)
    rules: dict[sp.Symbol, sp.Expr] = {}
    for statement in program.statements:
        if isinstance(statement, Let) and statement.reads & dependent:
            for name, value in zip(statement.names, statement.expressions, strict=True):
                if value.free_symbols & dependent:
                    rules[name] = value.xreplace(rules)
                    dependent.add(name)
    return e.xreplace(rules)


class _NotLinear(Exception):
    """An expression is not a sum of products with one factor of degree one."""


def _coefficients(e: sp.Expr, names: Sequence[sp.Symbol]) -> list[sp.Expr]:
    """The derivatives with respect to symbols in which an expression is probably linear.

    A part that is repeated is differentiated once, which takes a small fraction of the time of SymPy's ``diff``.
    """
    units = {x: tuple(sp.Integer(int(x == y)) for y in names) for x in names}
    slopes_of: dict[sp.Basic, tuple[sp.Expr, ...] | None] = {x: units[x] for x in names}

    def slopes(part: sp.Basic) -> tuple[sp.Expr, ...] | None:
        if part not in slopes_of:
            slopes_of[part] = of_arguments(part, [slopes(x) for x in part.args])
        return slopes_of[part]

    def of_arguments(part: sp.Basic, of: list[tuple[sp.Expr, ...] | None]) -> tuple[sp.Expr, ...] | None:
        dependent = [x for x in of if x is not None]
        if not dependent:
            return None
        if isinstance(part, sp.Add):
            return tuple(sp.Add(*terms) for terms in zip(*dependent, strict=True))
        if not isinstance(part, sp.Mul) or len(dependent) > 1:
            raise _NotLinear
        others = sp.Mul(*(x for x, slope in zip(part.args, of, strict=True) if slope is None))
        return tuple(others * slope for slope in dependent[0])

    try:
        return list(slopes(e) or [sp.Integer(0)] * len(names))
    except _NotLinear:
        return [sp.diff(e, x) for x in names]


def _fewer_terms(program: Program, e: sp.Expr) -> sp.Expr:
    """The expression with its definitions inserted and expanded, if that has fewer terms."""
    staged = expression_sizes.expanded(e)
    rules: dict[sp.Symbol, sp.Expr] = {}
    for statement in program.statements:
        if isinstance(statement, Let):
            rules |= {n: x.xreplace(rules) for n, x in zip(statement.names, statement.expressions, strict=True)}
    flat = expression_sizes.expanded(staged.xreplace(rules))
    return flat if len(sp.Add.make_args(flat)) < len(sp.Add.make_args(staged)) else e


def _size(x: Fraction | None) -> int:
    return 0 if x is None else max(abs(x.numerator), x.denominator)
