"""Proofs of what has roots: exact values at random real states, for each sign that a root of a square may have."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, final

from semidirect.core.errors import InputError
from semidirect.invariants.algebra.bounds import Bounds
from semidirect.invariants.algebra.branches import sign_patterns
from semidirect.invariants.algebra.radicals import Inexpressible, Radicals
from semidirect.invariants.algebra.scalars import eliminate
from semidirect.invariants.certificate import orbit_relations
from semidirect.invariants.counterexample import Counterexample, counterexample_at
from semidirect.invariants.points import random_point

if TYPE_CHECKING:
    from semidirect.invariants.fields import Fields
    from semidirect.invariants.parameters import ParameterSet

POINTS, MOST_TRIES = 6, 60
DRAWN_FROM = 40
"""log₂ of how many values a number that is drawn may have, given its scale."""


@final
@dataclass(frozen=True)
class RealVerdict:
    """What values at random real states say.

    Attributes
    ----------
    holds : bool or None
    points : int
        At how many states DQ·g_k was 0, for each sign pattern.
    tried : int
        How many were drawn, at most.
    patterns : int
        How many sign patterns there are.
    roots : int
        Of how many roots DQ·g_k is made.
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

    At a state of rational numbers DQ·g_k is a number made of fractions and roots, which is 0 or not. A root of what is not a
    square may be replaced by its negative, a conjugate, without any change to that. The root of a square h² is |h|, so h or −h,
    depending on where the state is. So all signs are tried that such roots may have anywhere, see :func:`.sign_patterns`.
    """
    draw = Random(secrets.randbits(128) if seed is None else seed)
    seeds: list[int] = []
    points: list[Radicals] = []
    tried = 0
    try:
        while len(points) < POINTS:
            if tried == MOST_TRIES:
                return RealVerdict(None, reason=f"only {len(points)} of {tried} random states are in its domain")
            tried += 1
            state = draw.getrandbits(64)
            numbers = Radicals(state, wide=True, formal=True)
            try:
                point, found = _values(fields, quantity, column, parameters, numbers)
            except ZeroDivisionError:
                continue
            value = next((x for x in found if x.regular()), None)
            if value is not None and numbers.drawn_functions:
                return RealVerdict(None, reason="an identity between functions that are not algebraic would be needed")
            if value is not None:
                return RealVerdict(False, counterexample=counterexample_at(fields, point, value))
            seeds.append(state)
            points.append(numbers)
        roots = max(len(f.squares) for f in points)
        calls = {d.call for f in points for d in f.roots}
        definite = _definite(fields, quantity, column, parameters, points) if calls else set()
        patterns = sign_patterns(points, definite, parameters.primes(draw.getrandbits(64)))
        for pattern in patterns:
            reason = _fails(fields, quantity, column, parameters, pattern, points, seeds)
            if reason:
                return RealVerdict(None, reason=reason)
    except Inexpressible as error:
        return RealVerdict(None, reason=f"too many {error}")
    return RealVerdict(True, POINTS, tried, 1 + len(patterns), roots)


def _fails(fields: Fields, quantity: str, column: int, parameters: ParameterSet, pattern: Mapping[int, int],
           points: list[Radicals], seeds: list[int]) -> str:  # fmt: skip
    """Why the values at these states, with some signs changed, do not say that DQ·g_k is 0; else nothing."""
    for before, seed in zip(points, seeds, strict=True):
        numbers = Radicals(seed, wide=True, formal=True, flipped=pattern)
        try:
            _, found = _values(fields, quantity, column, parameters, numbers)
        except ZeroDivisionError:
            return "a root of a square may have either sign, and with one of them something is not real"
        if [d.call for d in numbers.roots] != [d.call for d in before.roots]:
            return "roots of squares depend on the signs of others"
        if any(x.regular() for x in found):
            return "it depends on the sign of a root of a square, and no state is known at which that is the other one"
    return ""


def _values(fields: Fields, quantity: str, column: int, parameters: ParameterSet, numbers: Any
            ) -> tuple[dict[Any, Any], list[Any]]:  # fmt: skip
    point = random_point(fields, numbers, parameters, eliminate)
    at = fields.at(numbers, eliminate)
    return point, at.defect(quantity, column, at.state(point), at.parameters(point))


def _definite(fields: Fields, quantity: str, column: int, parameters: ParameterSet, points: list[Radicals]) -> set[int]:
    """Roots √(h²), by their calls, where h² is positive on the whole of the invariant set, as are the squares of roots in h.

    The set is connected, h is analytic on it and nowhere 0; so h has one sign.
    """
    bounds = Bounds()
    point = random_point(fields, bounds, parameters, eliminate)
    point |= _ranges(fields, bounds)
    at = fields.at(bounds, eliminate)
    at.defect(quantity, column, at.state(point), at.parameters(point))
    positive = bounds.positive_roots
    found = []
    for field in points:
        decided = {d.call for d in field.roots}
        known = [c for c in range(field.calls) if c not in decided]
        if len(positive) != field.calls or len(known) != len(field.squares):
            return set()
        found.append({
            d.call for d in field.roots if positive[d.call] and all(positive[known[i]] for i in field.used(d.size))
        })  # fmt: skip
    return set.intersection(*found)


def _ranges(fields: Fields, bounds: Bounds) -> dict[Any, Any]:
    """Where the state lies: a sphere bounds its components, the rest may be anything."""
    sde = fields.sde
    found = {x: bounds.draw() for x in fields.moving}
    try:
        relations = orbit_relations(sde.definition)
    except InputError:
        return found
    for relation in relations:
        squares = {i[0]: c for i, c in relation.items() if len(i) == 2 and i[0] == i[1]}
        constant = -relation.get((), 0)
        if (
            len(squares) == len([i for i in relation if i])
            and constant
            and all(c / constant > 0 for c in squares.values())
        ):
            for i, c in squares.items():
                radius = bounds.number((constant / c).numerator, (constant / c).denominator).elementary("sqrt")
                bounds.positive_roots.pop()
                found[sde.setting.a[i]] = bounds.between(-radius.high, radius.high)
    return found
