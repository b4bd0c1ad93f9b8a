"""Proofs for quantities with roots: exact values at random real states, for each possible sign of a root of a square."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, final

import sympy as sp

from semidirect.core import errors, exact
from semidirect.invariants.algebra.bounds import Bounds
from semidirect.invariants.algebra.branches import MOST_SIGNS, sign_patterns
from semidirect.invariants.algebra.radicals import Inexpressible, Radical, Radicals
from semidirect.invariants.certificate import orbit_relations
from semidirect.invariants.counterexample import Counterexample, beyond_rounding, counterexample_at
from semidirect.invariants.fields import Fields
from semidirect.invariants.points import random_point

if TYPE_CHECKING:
    from semidirect.invariants.parameters import ParameterSet

POINTS, MOST_TRIES = 6, 60
NOT_ALGEBRAIC = "it would need an identity between functions that are not algebraic"
FACTORS = "factors"
DRAWN_FROM = 40
"""log₂ of the number of possible values of a random number, given its scale."""


@final
@dataclass(frozen=True)
class RealVerdict:
    """The result of values at random real states.

    Attributes
    ----------
    holds : bool or None
    points : int
        The number of states at which DQ·g_k was 0, for each sign pattern.
    tried : int
        The largest number of drawn states.
    patterns : int
        The number of sign patterns.
    roots : int
        The number of roots in DQ·g_k.
    counterexample : Counterexample or None
    reason : str
        Why it is undecided.
    """

    holds: bool | None
    points: int = 0
    tried: int = 0
    patterns: int = 0
    roots: int = 0
    counterexample: Counterexample | None = None
    reason: str = ""


def decide_at_real_states(fields: Fields, quantity: str, column: int, parameters: ParameterSet,
                          seed: int | None = None) -> RealVerdict:  # fmt: skip
    """Whether DQ·g_k is 0 at random states of the invariant set, exactly, wherever it is defined.

    At a state of rational numbers DQ·g_k is a number made of fractions and roots, which is 0 or not. A root of an expression
    that is not a square may be replaced by its negative, a conjugate, without any change to that. The root of a square h² is
    |h|, so h or −h, depending on where the state is. So all possible signs of such roots are tried, see :func:`.sign_patterns`.
    """
    draw = Random(secrets.randbits(128) if seed is None else seed)
    run = _Run(fields, quantity, column, parameters)
    points: list[Radicals] = []
    seeds: list[int] = []
    positive: list[list[Radical]] = []
    attempts = 0
    try:
        bounds, signs = run.bounds()
        # states are exact numbers with roots, so that a value is 0 or is not
        while len(points) < POINTS:
            if attempts == MOST_TRIES:
                return RealVerdict(None, reason=f"only {len(points)} of {attempts} random states are in its domain")
            attempts += 1
            state = draw.getrandbits(64)
            numbers = Radicals(state, wide=True, formal=True)
            try:
                point, defect = run.values(numbers)
                factors = [x if s > 0 else -x for x, s in zip(run.factors(numbers, point), signs, strict=True) if s]
            except ZeroDivisionError:
                continue
            value = next((x for x in defect if x.regular()), None)
            # a value that is not 0 refutes, unless rounding of the parameters may be its cause
            if value is not None and numbers.transcendental:
                return RealVerdict(None, reason=NOT_ALGEBRAIC)
            if value is not None and not beyond_rounding(fields, quantity, column, parameters, point):
                return RealVerdict(
                    None, reason=f"its values are within the rounding of {', '.join(parameters.rounded())}"
                )
            if value is not None:
                return RealVerdict(False, counterexample=counterexample_at(fields, parameters, point, value))
            points.append(numbers)
            seeds.append(state)
            positive.append(factors)
        # values are 0 on one branch of each root so far: the other signs are tried at the same states
        roots = max(len(f.squares) for f in points)
        primes = parameters.primes(draw.getrandbits(64))
        patterns = sign_patterns(points, _definite(points, bounds), positive, primes)
        for pattern in patterns:
            for before, state in zip(points, seeds, strict=True):
                reason = run.fails(before, state, pattern)
                if reason:
                    return RealVerdict(None, reason=reason)
    except Inexpressible as error:
        return RealVerdict(None, reason=f"too many {error}")
    return RealVerdict(True, POINTS, attempts, 1 + len(patterns), roots)


@final
class _Run:
    """DQ·g_k on numbers of any kind, and the factors of the arguments of roots and absolute values."""

    def __init__(self, fields: Fields, quantity: str, column: int, parameters: ParameterSet):
        self.quantity, self.column, self.parameters = quantity, column, parameters
        self.fields = Fields(
            fields.sde,
            {**fields.quantities, FACTORS: _factors(fields.quantities[quantity])},
            fields.claims,
            fields.level,
        )

    def values(self, numbers: Any) -> tuple[dict[Any, Any], list[Any]]:
        """A point that the numbers draw, and the values there."""
        point = random_point(self.fields, numbers, self.parameters)
        return point, self.fields.at(numbers, point).defect(self.quantity, self.column)

    def factors(self, numbers: Any, point: Mapping[Any, Any]) -> list[Any]:
        """The factors at a point; they have no roots."""
        return self.fields.at(numbers, point).values(FACTORS) if self.fields.quantities[FACTORS] else []

    def bounds(self) -> tuple[Bounds, list[int]]:
        """Bounds of the roots on the whole invariant set by intervals, and the signs of the factors (0 if both occur)."""
        bounds = Bounds()
        point = random_point(self.fields, bounds, self.parameters) | _ranges(self.fields, bounds)
        self.fields.at(bounds, point).defect(self.quantity, self.column)
        return bounds, [x.one_sided for x in self.factors(bounds, point)]

    def fails(self, before: Radicals, state: int, pattern: Mapping[int, int]) -> str:
        """Why values at a state with some signs changed do not show that DQ·g_k is 0; empty if they do.

        An absolute value keeps the sign with which it was h or −h, but for the change, whatever other changes make of h. Of a
        root only the square is known: where others change that, both signs are tried.
        """
        signs = {d.call: pattern.get(d.call, 1) * (d.sign or 1) for d in before.roots}
        squares = {d.call: d.square.key() for d in before.roots}
        unsure: list[int] = []
        for first in (True, False):
            for choice in product((1, -1), repeat=len(unsure)):
                if not first and all(s > 0 for s in choice):
                    continue
                new_signs = signs | {c: signs[c] * s for c, s in zip(unsure, choice, strict=True)}
                numbers = Radicals(state, wide=True, formal=True, signs=new_signs)
                try:
                    _, defect = self.values(numbers)
                except ZeroDivisionError:
                    return "with another sign of a root of a square something is not real"
                if [d.call for d in numbers.roots] != list(squares):
                    return "which roots are roots of squares depends on the signs of others"
                if any(x.regular() for x in defect):
                    return "it depends on the sign of a root of a square, and no state is known where that is the other one"
                if first:
                    unsure = [d.call for d in numbers.roots if not d.sign and d.square.key() != squares[d.call]]
            if len(unsure) > MOST_SIGNS:
                return "too many roots of squares depend on the signs of others"
        return ""


def _factors(rows: Sequence[sp.Expr]) -> list[sp.Expr]:
    """Factors without roots of the arguments of roots and absolute values; they identify |x p| = |x| p."""
    factors: dict[sp.Expr, None] = {}
    for e in rows:
        for part in sp.preorder_traversal(e):
            if isinstance(part, sp.Abs) or (part.is_Pow and part.exp.is_Rational and part.exp.q == 2):
                for factor in sp.Mul.make_args(sp.factor_terms(part.args[0])):
                    base = factor.as_base_exp()[0]
                    if not base.is_number and not base.has(sp.Abs) and not any(
                        x.exp.is_Rational and x.exp.q == 2 for x in base.atoms(sp.Pow)
                    ):  # fmt: skip
                        factors[base] = None
    return list(factors)


def _definite(points: Sequence[Radicals], bounds: Bounds) -> set[int]:
    """Roots √(h²), by their calls, where h² is positive on the whole of the invariant set, as are the squares of roots in h.

    The set is connected, h is analytic on it and nowhere 0; so h has one sign.
    """
    positive = bounds.positive_roots
    candidates = []
    for field in points:
        decided = {d.call for d in field.roots}
        open_calls = [c for c in range(field.calls) if c not in decided]
        if len(positive) < field.calls or len(open_calls) != len(field.squares):
            return set()
        candidates.append({
            d.call for d in field.roots if positive[d.call] and all(positive[open_calls[i]] for i in field.used(d.size))
        })  # fmt: skip
    return set.intersection(*candidates)


def _ranges(fields: Fields, bounds: Bounds) -> dict[Any, Any]:
    """Where the state lies: a sphere bounds its components, the rest may be anything."""
    sde = fields.sde
    ranges = {x: bounds.draw() for x in fields.moving}
    try:
        relations = orbit_relations(sde.definition)
    except errors.InputError:
        return ranges
    for relation in relations:
        squares = {i[0]: c for i, c in relation.items() if len(i) == 2 and i[0] == i[1]}
        constant = -relation.get((), 0)
        if (
            len(squares) == len([i for i in relation if i])
            and constant
            and all(c / constant > 0 for c in squares.values())
        ):
            for i, c in squares.items():
                square = constant / c
                whole = exact.whole_root(square)
                largest = (bounds.number((1 + square).numerator, square.denominator) if whole is None
                           else bounds.number(whole.numerator, whole.denominator)).high  # fmt: skip
                ranges[sde.setting.a[i]] = bounds.between(-largest, largest)
    return ranges
