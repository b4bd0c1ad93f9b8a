"""Real numbers made of fractions and square roots, nested ones too, each in one normal form, and their signs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, final

import mpmath

from semidirect.core import exact, interpolation
from semidirect.invariants.algebra.drawn_functions import DrawnFunctions
from semidirect.invariants.algebra.field_element import FieldElement

if TYPE_CHECKING:
    import sympy as sp

MOST_ROOTS = 6
BITS, MOST_BITS = 96, 2**17
"""Digits with which a sign is determined, at first and at most."""


class Inexpressible(Exception):
    """A number that cannot be expressed by fractions and square roots."""


def exact_value(function: interpolation.Interpolant, x: Fraction) -> Fraction:
    """The value of an interpolant at a fraction; ZeroDivisionError outside of its nodes, as where any function has no value."""
    try:
        return Fraction(function.exactly(x))
    except ArithmeticError as error:
        raise ZeroDivisionError(str(error)) from None


@final
@dataclass(frozen=True)
class Decision:
    """A root of the square of a known number: √(h²) = |h|, which is h or −h.

    Attributes
    ----------
    call : int
        Its number among the roots and absolute values of a program, in the order of evaluation.
    square : Radical
        The argument of the root.
    size : Radical
        |h|.
    sign : int
        The sign of h for an absolute value; 0 for a root, for which no h is known.
    """

    call: int
    square: Radical
    size: Radical
    sign: int = 0


@final
class Radicals(DrawnFunctions):
    """The real field ℚ(√q₁, √q₂, …), which grows by each new root; each q_i may contain earlier roots.

    No q_i is the square of a number made of earlier roots, so the products of different roots are a basis over ℚ, and a
    number is 0 only if all of its coefficients are. Whether a number is a square is decided by descent: (x + y√q)² = a + b√q
    needs a root n of a² − q b² and then a root x of (a ± n)/2, both made of fewer roots.

    Parameters
    ----------
    seed : int
        The seed of the random numbers.
    size : int
        The largest numerator.
    wide : bool
        Draw from 2⁴¹ fractions of a random scale instead of from a few small ones.
    formal : bool
        Use random values for functions that are not algebraic.
    signs : mapping call → sign
        How to take roots of squares, √(h²) as |h| or −|h|, and absolute values, |h| as h or −h, by their place among all of
        these. All others have their true sign.

    Attributes
    ----------
    squares : list of Radical
        q₁, q₂, …
    calls : int
        The number of roots and absolute values so far.
    roots : list of Decision
        The roots of squares.
    """

    def __init__(self, seed: Any = 0, size: int = 2, *, wide: bool = False, formal: bool = False,
                 signs: Mapping[int, int] | None = None):  # fmt: skip
        super().__init__()
        self._drawn, self.size, self.wide, self.formal = random.Random(seed), size, wide, formal
        self.signs = dict(signs or {})
        self.squares: list[Radical] = []
        self.calls = 0
        self.roots: list[Decision] = []
        self._products: dict[int, Radical] = {}
        self._digits: dict[int, tuple[Any, list[Any]]] = {}

    def number(self, p: int, q: int = 1) -> Radical:
        """The rational p/q."""
        return Radical({0: Fraction(int(p), int(q))}, self)

    def draw(self) -> Radical:
        """A rational that is not 0."""
        if self.wide:
            scale = Fraction(2) ** self._drawn.randint(-44, -30)
            return Radical({0: scale * (2 * self._drawn.randrange(-(2**40), 2**40) + 1)}, self)
        return self.number(
            self._drawn.choice([-1, 1]) * self._drawn.randint(1, self.size), self._drawn.choice([1, 1, 2])
        )

    def positive(self) -> Radical:
        """A positive rational."""
        value = self.draw()
        return value if value.sign() > 0 else -value

    # -- roots -----------------------------------------------------------------------------------------------------

    def root(self, square: Radical) -> Radical:
        """√square, expressed by known roots if possible.

        Raises
        ------
        ZeroDivisionError
            If it is not real.
        Inexpressible
            If there are too many roots.
        """
        call, self.calls = self.calls, self.calls + 1
        if not square.terms:
            return square
        if square.sign() < 0:
            raise ZeroDivisionError(f"the root of {square} is not real")
        existing = self._root_among(square, len(self.squares))
        if existing is not None:
            size = existing if existing.sign() > 0 else -existing
            self.roots.append(Decision(call, square, size))
            return -size if self.signs.get(call, 1) < 0 else size
        if len(self.squares) == MOST_ROOTS:
            raise Inexpressible("roots")
        self.squares.append(square)
        return Radical({1 << (len(self.squares) - 1): Fraction(1)}, self)

    def magnitude(self, x: Radical) -> Radical:
        """|x|."""
        call, self.calls = self.calls, self.calls + 1
        if not x.terms:
            return x
        sign = x.sign()
        self.roots.append(Decision(call, x.times(x), x if sign > 0 else -x, sign))
        return x if self.signs.get(call, sign) > 0 else -x

    def _root_among(self, x: Radical, count: int) -> Radical | None:
        """A number h with h² = x that is made of the first ``count`` roots, if there is one."""
        if not x.terms:
            return x
        if not count:
            whole = exact.whole_root(x.terms[0])
            return None if whole is None else Radical({0: whole}, self)
        last, q = 1 << (count - 1), self.squares[count - 1]
        a = Radical({roots: c for roots, c in x.terms.items() if not roots & last}, self)
        b = Radical({roots ^ last: c for roots, c in x.terms.items() if roots & last}, self)
        if not b.terms:
            h = self._root_among(a, count - 1)
            if h is None and (h := self._root_among(a.times(q.inverse()), count - 1)) is not None:
                h = h.times(Radical({last: Fraction(1)}, self))
            return h
        n = self._root_among(a.times(a).plus(-b.times(b).times(q)), count - 1)
        for root in () if n is None else (n, -n):
            h = self._root_among(a.plus(root).times(self.number(1, 2)), count - 1)
            if h is not None and h.terms:
                rest = b.times(h.times(self.number(2)).inverse())
                return h.plus(rest.times(Radical({last: Fraction(1)}, self)))
        return None

    def product(self, roots: int) -> Radical:
        """The product of the squares of some roots, given as bits."""
        if roots not in self._products:
            last = roots.bit_length() - 1
            rest = roots ^ (1 << last)
            one = self.squares[last]
            self._products[roots] = one.times(self.product(rest)) if rest else one
        return self._products[roots]

    def used(self, x: Radical) -> set[int]:
        """The roots of which a number is made, including nested ones."""
        indices = {i for roots in x.terms for i in range(roots.bit_length()) if roots >> i & 1}
        return indices.union(*(self.used(self.squares[i]) for i in indices))

    ordered: ClassVar[bool] = True

    def key(self, x: Radical) -> Any:
        """The number, by its roots."""
        return x.key()

    def drawing(self, name: str | interpolation.Interpolant) -> None:
        """Raise an error unless functions are formal."""
        if not self.formal:
            raise Inexpressible(name)
        super().drawing(name)

    # -- digits ----------------------------------------------------------------------------------------------------

    def enclosures(self, bits: int) -> tuple[Any, list[Any]]:
        """Interval arithmetic with this many bits, and intervals that contain the roots."""
        if bits not in self._digits:
            context = mpmath.ctx_iv.MPIntervalContext()
            context.prec = bits
            self._digits[bits] = (context, [])
        context, intervals = self._digits[bits]
        while len(intervals) < len(self.squares):
            value = self.squares[len(intervals)].enclosure(context, intervals)
            intervals.append(context.sqrt(value if value.a >= 0 else context.mpf([0, value.b])))  # it is positive
        return context, intervals


@final
class Radical(FieldElement):
    """Σ coefficient · product of roots.

    Attributes
    ----------
    terms : dict of roots as bits → Fraction
        Without zeros.
    field : Radicals
    """

    __slots__ = ("field", "terms")

    def __init__(self, terms: Mapping[int, Fraction], field: Radicals):
        self.terms = {roots: c for roots, c in terms.items() if c}
        self.field = field

    def rational_of(self, x: Fraction | int) -> Radical:
        """A fraction, without roots."""
        return self.field.number(x.numerator, x.denominator)

    def plus(self, other: Radical) -> Radical:
        """The sum, root by root."""
        total = dict(self.terms)
        for roots, c in other.terms.items():
            total[roots] = total[roots] + c if roots in total else c
        return Radical(total, self.field)

    def __neg__(self) -> Radical:
        return Radical({roots: -c for roots, c in self.terms.items()}, self.field)

    def times(self, other: Radical) -> Radical:
        """The product; a root times itself becomes its square."""
        total: dict[int, Fraction] = {}
        nested: list[Radical] = []
        for left, c in self.terms.items():
            for right, d in other.terms.items():
                both, rest, value = left & right, left ^ right, c * d
                if both:
                    square = self.field.product(both)
                    fraction = square.rational
                    if fraction is None:
                        nested.append(square.times(Radical({rest: value}, self.field)))
                        continue
                    value *= fraction
                total[rest] = total[rest] + value if rest in total else value
        product = Radical(total, self.field)
        for x in nested:
            product = product.plus(x)
        return product

    def inverse(self) -> Radical:
        """1/x by conjugates: 1/(A + B√q) = (A − B√q)/(A² − q B²), one root after the other."""
        if not self.terms:
            raise ZeroDivisionError("division by 0")
        last = max(self.terms)
        if not last:
            return Radical({0: 1 / self.terms[0]}, self.field)
        last = 1 << (last.bit_length() - 1)
        conjugate = Radical({roots: -c if last & roots else c for roots, c in self.terms.items()}, self.field)
        return conjugate.times(self.times(conjugate).inverse())

    def elementary(self, name: str | interpolation.Interpolant) -> Radical:
        """The root or absolute value; other functions if the field has their value."""
        if name == "sqrt":
            return self.field.root(self)
        if name == "absolute":
            return self.field.magnitude(self)
        if isinstance(name, interpolation.Interpolant) and not self.field.formal:
            if self.rational is None:
                raise Inexpressible("an interpolant at an irrational number")
            return self.rational_of(exact_value(name, self.rational))
        return self.field.function(name, self)

    @property
    def rational(self) -> Fraction | None:
        """The fraction, if no root is left."""
        return None if any(self.terms) else self.terms.get(0, Fraction(0))

    def sign(self) -> int:
        """−1, 0 or 1, with as many digits as that needs.

        Raises
        ------
        Inexpressible
            If too many digits would be needed.
        """
        if self.rational is not None:
            return (self.rational > 0) - (self.rational < 0)
        bits = BITS
        while bits <= MOST_BITS:
            value = self.enclosure(*self.field.enclosures(bits))
            if value.a > 0 or value.b < 0:
                return 1 if value.a > 0 else -1
            bits *= 4
        raise Inexpressible("a sign")

    def enclosure(self, context: Any, roots: list[Any]) -> Any:
        """An interval that holds the number."""
        total = context.mpf(0)
        for which, c in self.terms.items():
            term = context.mpf(c.numerator) / c.denominator
            for i in range(which.bit_length()):
                if which >> i & 1:
                    term = term * roots[i]
            total = total + term
        return total

    def key(self) -> Any:
        """The key that identifies the number, also in another field with the same roots."""
        return tuple(
            (c, tuple(self.field.squares[i].key() for i in range(roots.bit_length()) if roots >> i & 1))
            for roots, c in sorted(self.terms.items())
        )  # fmt: skip

    def __float__(self) -> float:
        return float(self.enclosure(*self.field.enclosures(BITS)).mid.a)

    def regular(self) -> float:
        """Whether this is not 0."""
        return float(bool(self.terms))

    def expression(self) -> sp.Expr:
        """The same as a SymPy number."""
        import sympy as sp

        total = []
        for roots, c in self.terms.items():
            one = sp.Rational(c.numerator, c.denominator)
            flat = Fraction(1)
            for i in range(roots.bit_length()):
                if roots >> i & 1:
                    square = self.field.squares[i]
                    if square.rational is None:
                        one = one * sp.sqrt(square.expression())
                    else:
                        flat *= square.rational
            total.append(one * sp.sqrt(sp.Rational(flat.numerator, flat.denominator)))
        return sp.Add(*total)

    def __repr__(self) -> str:
        return f"Radical({self.expression()})"
