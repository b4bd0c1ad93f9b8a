"""Upper bounds for the size of an expression after expansion, computed without expanding it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import sympy as sp

from semidirect.expressions.expression_sizes.limits import CAP

MOST_FACTORS, MOST_NESTED = 200_000, 3
"""The largest expression that is expanded only to find a shorter form; it takes some seconds."""
MOST_SHOWN: Final = 100_000
"""The same for expressions on a page, where many are expanded."""


@dataclass(frozen=True)
class Size:
    """Bounds for a sum of products of letters; a letter is a symbol, a root, a quotient or a function of anything.

    Attributes
    ----------
    terms : int
        Number of products.
    factors : int
        Number of letters and numbers in all of them, those inside of roots, quotients and functions included.
    longest : int
        The largest number of them in one product.
    degree : int
        The highest sum of exponents of a product.
    bits : int
        The length of the longest whole number.
    depth : int
        The depth of nested roots, quotients and functions.
    letters : dict letter → factors
        The letters of the products.
    operations : int
        Of the unexpanded expression: sums, products, powers, functions and their arguments.
    """

    terms: int
    factors: int
    longest: int
    degree: int
    bits: int
    depth: int
    letters: dict[sp.Expr, int]
    operations: int = 1

    def __add__(self, other: Size) -> Size:
        letters = self.letters | other.letters
        return Size(
            _capped(self.terms + other.terms), _capped(self.factors + other.factors),
            max(self.longest, other.longest), max(self.degree, other.degree), max(self.bits, other.bits) + 1,
            max(self.depth, other.depth), letters,
        )  # fmt: skip

    def __mul__(self, other: Size) -> Size:
        letters = self.letters | other.letters
        degree, bits = _capped(self.degree + other.degree), _capped(self.bits + other.bits)
        terms = min(self.terms * other.terms, _monomials(len(letters), degree))
        longest = min(self.longest + other.longest, 1 + sum(letters.values()))
        factors = min(other.terms * self.factors + self.terms * other.factors, terms * longest)
        return Size(
            _capped(terms), _capped(factors), _capped(longest), degree, bits, max(self.depth, other.depth), letters
        )

    def __pow__(self, exponent: int) -> Size:
        """A power with a whole exponent, at least 1."""
        if exponent == 1:
            return self
        degree = _capped(self.degree * exponent)
        bits = _capped((self.bits + (self.terms - 1).bit_length()) * exponent)
        terms = min(
            _chosen(self.terms + exponent - 1, min(exponent, self.terms - 1)), _monomials(len(self.letters), degree)
        )
        longest = min(self.longest * exponent, 1 + sum(self.letters.values()))
        return Size(terms, _capped(terms * longest), _capped(longest), degree, bits, self.depth, self.letters)


def expanded_size(e: sp.Expr, sizes: dict[sp.Basic, Size] | None = None) -> Size:
    """The size of an expression; ``sizes`` caches the sizes of its parts from one call to the next."""
    return _size(sp.sympify(e), {} if sizes is None else sizes)


def small(e: sp.Expr, most: int = MOST_FACTORS) -> bool:
    """Whether the expression is small enough to be expanded only to find a shorter form."""
    size = expanded_size(e)
    return size.factors <= most and size.depth <= MOST_NESTED


def expanded(e: sp.Expr, most: int = MOST_FACTORS) -> sp.Expr:
    """The expanded expression, or the expression as it is if expansion would make it too large."""
    return sp.expand(e) if small(e, most) else e


def _size(e: sp.Basic, sizes: dict[sp.Basic, Size]) -> Size:
    size = sizes.get(e)
    if size is None:
        size = _of(e, sizes)
        operations = 1 + sum(_size(part, sizes).operations for part in e.args)
        size = sizes[e] = replace(size, operations=_capped(operations))
    return size


def _of(e: sp.Basic, sizes: dict[sp.Basic, Size]) -> Size:
    if isinstance(e, sp.Rational):
        bits = max(int(e.p).bit_length(), int(e.q).bit_length())
        return Size(1, 1, 1, 0, bits, 0, {})
    if isinstance(e, sp.Add):
        total = _size(e.args[0], sizes)
        for term in e.args[1:]:
            total = total + _size(term, sizes)
        return total
    if isinstance(e, sp.Mul):
        total = _size(e.args[0], sizes)
        for factor in e.args[1:]:
            total = total * _size(factor, sizes)
        return total
    if isinstance(e, sp.Pow) and isinstance(e.exp, sp.Rational):
        return _power(e.base, e.exp, sizes)
    parts = [_size(part, sizes) for part in e.args]
    depth = 1 + max(p.depth for p in parts) if parts else 0
    return _letter(e, _capped(1 + sum(p.factors for p in parts)), depth)


def _power(base: sp.Expr, exponent: sp.Rational, sizes: dict[sp.Basic, Size]) -> Size:
    inner, whole = _size(base, sizes), int(abs(exponent.p)) // int(exponent.q)
    if exponent.q != 1:
        root = _letter(
            sp.Pow(base, sp.Rational(1, exponent.q), evaluate=False), _capped(1 + inner.factors), inner.depth + 1
        )
        multiplied = root * inner**whole if whole else root
        if exponent > 0:
            return multiplied
        return _letter(sp.Pow(base, exponent, evaluate=False), multiplied.factors, inner.depth + 1)
    if exponent > 0 or inner.terms == 1:
        return inner**whole if whole else inner
    return _letter(sp.Pow(base, -1, evaluate=False), (inner**whole).factors, inner.depth + 1, whole)


def _letter(letter: sp.Basic, factors: int, depth: int, degree: int = 1) -> Size:
    return Size(1, factors, factors, degree, 1, depth, {letter: factors})


def _monomials(letters: int, degree: int) -> int:
    """How many monomials of at most this degree there are."""
    return _chosen(letters + degree, min(letters, degree))


def _chosen(n: int, k: int) -> int:
    """The binomial coefficient, or the cap."""
    out = 1
    for i in range(k):
        out = out * (n - i) // (i + 1)
        if out >= CAP:
            return CAP
    return out


def _capped(n: int) -> int:
    return min(n, CAP)
