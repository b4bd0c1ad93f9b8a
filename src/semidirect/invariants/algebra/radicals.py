"""Real numbers made of fractions and their square roots, each in one normal form: what counterexamples are computed with."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import isqrt, prod
from typing import TYPE_CHECKING, final

from semidirect.invariants.algebra.field_element import FieldElement
from semidirect.invariants.algebra.unordered import RATIONAL_VALUES

if TYPE_CHECKING:
    import sympy as sp

MOST_ROOTS = 6

Roots = frozenset[int]
"""Which of the roots √q_i are multiplied."""


class Inexpressible(Exception):
    """A number that is not made of fractions and their square roots."""


@final
class Radicals:
    """The field ℚ(√q₁, √q₂, …), which grows by the roots that are met; small rationals are drawn.

    No product of some q_i is a square, so the products of the roots are a basis over ℚ (Besicovitch 1940) and a number is 0
    only if all of its coefficients are.

    Parameters
    ----------
    seed : int
        Of what is drawn.
    size : int
        The largest numerator.
    """

    def __init__(self, seed: int = 0, size: int = 2):
        self._drawn, self.size = random.Random(seed), size
        self.squares: list[Fraction] = []

    def number(self, p: int, q: int = 1) -> Radical:
        """The rational p/q."""
        return Radical({frozenset(): Fraction(int(p), int(q))}, self)

    def constant(self, name: str) -> Radical:
        """Refused: π is not such a number."""
        raise Inexpressible(name)

    def draw(self) -> Radical:
        """A rational that is not 0."""
        return self.number(
            self._drawn.choice([-1, 1]) * self._drawn.randint(1, self.size), self._drawn.choice([1, 1, 2])
        )

    def root(self, square: Fraction) -> Radical:
        """√square, by the roots that are known where that is possible.

        Raises
        ------
        ZeroDivisionError
            If it is not real.
        Inexpressible
            If there are too many roots.
        """
        if square < 0:
            raise ZeroDivisionError(f"the root of {square} is not real")
        for count in range(len(self.squares) + 1):
            for chosen in combinations(range(len(self.squares)), count):
                known = prod((self.squares[i] for i in chosen), start=Fraction(1))
                whole = _whole_root(square * known)
                if whole is not None:
                    return Radical({frozenset(chosen): whole / known}, self)
        if len(self.squares) == MOST_ROOTS:
            raise Inexpressible("roots")
        self.squares.append(square)
        return Radical({frozenset({len(self.squares) - 1}): Fraction(1)}, self)

    def product(self, roots: Roots) -> Fraction:
        """The product of the squares of some roots."""
        return prod((self.squares[i] for i in roots), start=Fraction(1))


@final
class Radical(FieldElement):
    """Σ coefficient · product of roots.

    Attributes
    ----------
    terms : dict of sets of roots → Fraction
        Without zeros.
    field : Radicals
    """

    __slots__ = ("field", "terms")

    def __init__(self, terms: Mapping[Roots, Fraction], field: Radicals):
        self.terms = {roots: c for roots, c in terms.items() if c}
        self.field = field

    def rational_of(self, x: Fraction | int) -> Radical:
        """A fraction, without roots."""
        return self.field.number(x.numerator, x.denominator)

    def plus(self, other: Radical) -> Radical:
        """The sum, root by root."""
        total = dict(self.terms)
        for roots, c in other.terms.items():
            total[roots] = total.get(roots, Fraction(0)) + c
        return Radical(total, self.field)

    def __neg__(self) -> Radical:
        return Radical({roots: -c for roots, c in self.terms.items()}, self.field)

    def times(self, other: Radical) -> Radical:
        """The product; a root that meets itself becomes its square."""
        total: dict[Roots, Fraction] = {}
        for left, c in self.terms.items():
            for right, d in other.terms.items():
                both = left & right
                value = c * d * self.field.product(both) if both else c * d
                key = left ^ right
                total[key] = total.get(key, Fraction(0)) + value
        return Radical(total, self.field)

    def inverse(self) -> Radical:
        """1/x by conjugates: 1/(A + B√q) = (A − B√q)/(A² − q B²), one root after the other."""
        if not self.terms:
            raise ZeroDivisionError("division by 0")
        used = frozenset[int]().union(*self.terms)
        if not used:
            return Radical({frozenset(): 1 / self.terms[frozenset()]}, self.field)
        last = max(used)
        conjugate = Radical({roots: -c if last in roots else c for roots, c in self.terms.items()}, self.field)
        return conjugate.times(self.times(conjugate).inverse())

    def elementary(self, name: str) -> Radical:
        """The root or absolute value of a fraction; functions where their value is a fraction that everybody knows."""
        x = self.rational
        if x is None:
            raise Inexpressible(name)
        if name == "sqrt":
            return self.field.root(x)
        if name == "absolute":
            return self.field.number(abs(x.numerator), x.denominator)
        if name not in RATIONAL_VALUES or x != RATIONAL_VALUES[name][0]:
            raise Inexpressible(name)
        return self.field.number(RATIONAL_VALUES[name][1])

    @property
    def rational(self) -> Fraction | None:
        """The fraction, where no root is left."""
        return None if any(self.terms) else self.terms.get(frozenset(), Fraction(0))

    def regular(self) -> float:
        """Whether this is not 0."""
        return float(bool(self.terms))

    def expression(self) -> sp.Expr:
        """The same as a SymPy number."""
        import sympy as sp

        return sp.Add(
            *(_sympy(c) * sp.sqrt(_sympy(self.field.product(roots))) for roots, c in self.terms.items())
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"Radical({self.expression()})"


def _whole_root(x: Fraction) -> Fraction | None:
    root = Fraction(isqrt(x.numerator), isqrt(x.denominator))
    return root if root * root == x else None


def _sympy(x: Fraction) -> sp.Expr:
    import sympy as sp

    return sp.Rational(x.numerator, x.denominator)
