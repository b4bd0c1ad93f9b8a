"""Numbers a + b√d from their residues modulo a large power of a prime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from semidirect.invariants.algebra.linear_algebra import reconstructed

SHARE = 5
"""A number is recognised if its integers are below the fifth root of the modulus; others are so with probability ~ 1/√modulus."""


@final
@dataclass(frozen=True)
class QuadraticNumbers:
    """Numbers a + b√d with one d.

    Attributes
    ----------
    rational, irrational : tuple of Fraction
        a and b of each.
    square : int
        d, positive and without a square factor that is small; 1 if all of them are rational.
    root : int
        The residue that stands for √d.
    """

    rational: tuple[Fraction, ...]
    irrational: tuple[Fraction, ...]
    square: int = 1
    root: int = 1

    def __getitem__(self, part: slice) -> QuadraticNumbers:
        return QuadraticNumbers(self.rational[part], self.irrational[part], self.square, self.root)

    def __neg__(self) -> QuadraticNumbers:
        """The same with the other residue of √d."""
        return QuadraticNumbers(self.rational, tuple(-b for b in self.irrational), self.square, -self.root)

    def residues(self, p: int) -> list[np.ndarray]:
        """These numbers modulo a prime p ≡ 3 (mod 4), and their conjugates; none if √d or a fraction has no residue."""
        root = pow(self.square, (p + 1) // 4, p)
        if (root * root - self.square) % p or any(x.denominator % p == 0 for x in (*self.rational, *self.irrational)):
            return []
        a, b = (
            np.array([x.numerator * pow(x.denominator, -1, p) % p for x in part], dtype=np.int64)
            for part in (self.rational, self.irrational)
        )
        return [(a + r * b) % p for r in {root if b.any() else 0, -root if b.any() else 0}]


def recognised(residues: Sequence[int], modulus: int) -> QuadraticNumbers | None:
    """The real numbers of at most a quadratic field with these residues, ``None`` if there are none of moderate size.

    A number that is not rational is the root of an integer polynomial u x² + v x + w, the shortest vector of a lattice, and
    √(v² − 4uw) = 2u x + v has a residue by which the others are written.
    """
    most = round(modulus ** (1 / SHARE)) if modulus < 2**1000 else 2**200
    a: list[Fraction] = []
    b: list[Fraction] = []
    square, root = 1, 1
    for x in residues:
        simple = reconstructed(x, modulus)
        if simple is not None and max(abs(simple.numerator), simple.denominator) < most:
            a, b = [*a, simple], [*b, Fraction(0)]
            continue
        if square == 1:
            u, v, w = _shortest([[1, 0, -x * x % modulus], [0, 1, -x % modulus], [0, 0, modulus]])
            square, factor = _squarefree(v * v - 4 * u * w)
            if max(map(abs, (u, v, w))) >= most or square <= 1:
                return None
            root = (2 * u * x + v) * pow(factor, -1, modulus) % modulus
        scale, rational, irrational = _shortest([[1, x, 0], [0, modulus, 0], [0, -root % modulus, 1]])
        if scale == 0 or max(map(abs, (scale, rational, irrational))) >= most:
            return None
        a, b = [*a, Fraction(rational, scale)], [*b, Fraction(irrational, scale)]
    return QuadraticNumbers(tuple(a), tuple(b), square, root)


def _shortest(rows: Sequence[Sequence[int]]) -> list[int]:
    """A vector of a lattice that is nearly its shortest, by the algorithm of Lenstra, Lenstra and Lovász (1982)."""
    basis, k = [list(row) for row in rows], 1
    while k < len(basis):
        for j in range(k - 1, -1, -1):
            _, weights = _orthogonalised(basis[: k + 1])
            multiple = round(weights[k][j])
            basis[k] = [x - multiple * y for x, y in zip(basis[k], basis[j], strict=True)]
        squares, weights = _orthogonalised(basis[: k + 1])
        if squares[k] >= (Fraction(3, 4) - weights[k][k - 1] ** 2) * squares[k - 1]:
            k += 1
        else:
            basis[k - 1], basis[k], k = basis[k], basis[k - 1], max(k - 1, 1)
    return min(basis, key=lambda v: sum(x * x for x in v))


def _orthogonalised(basis: Sequence[Sequence[int]]) -> tuple[list[Fraction], list[list[Fraction]]]:
    """The squares of the vectors of Gram and Schmidt, and their weights in the basis."""
    vectors: list[list[Fraction]] = []
    squares: list[Fraction] = []
    weights: list[list[Fraction]] = []
    for row in basis:
        vector, weights = [Fraction(x) for x in row], [*weights, []]
        for other, square in zip(vectors, squares, strict=True):
            weights[-1].append(sum((x * y for x, y in zip(row, other, strict=True)), Fraction(0)) / square)
            vector = [x - weights[-1][-1] * y for x, y in zip(vector, other, strict=True)]
        vectors.append(vector)
        squares.append(sum((x * x for x in vector), Fraction(0)))
    return squares, weights


def _squarefree(x: int) -> tuple[int, int]:
    """d and f with x = d f², without the squares of small primes in d."""
    factor = 1
    for q in range(2, 1000):
        while x and x % (q * q) == 0:
            x, factor = x // (q * q), factor * q
    return x, factor
