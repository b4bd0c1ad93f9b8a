"""Linear algebra modulo a prime, and rational null spaces from several primes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import gcd, isqrt, prod
from random import Random
from typing import Any

import numpy as np

from semidirect.core import arguments, errors
from semidirect.invariants.algebra.residues import PrimeField, random_numbers

MOST_PRIMES, SPARE = 200, 32


PRIMES = 25_348_667
"""The number of primes p ≡ 3 (mod 4) in (2³⁰, 2³¹)."""


SMALL_PRIMES = prod((3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47))


def primes(seed: int | None = None) -> Iterator[int]:
    """Primes p ≡ 3 (mod 4) in (2³⁰, 2³¹), each drawn at random, all alike; anew at each call where there is no seed."""
    draw = Random(None if seed is None else arguments.validated_seed(seed))
    while True:
        p = 2**30 + 4 * draw.getrandbits(28) + 3
        if _is_prime(p):
            yield p


def _is_prime(n: int) -> bool:
    """Miller and Rabin, for n ≡ 3 (mod 4), with bases 2, 3, 5, 7, which decide below 3.2e9 (Jaeschke 1993)."""
    return gcd(n, SMALL_PRIMES) == 1 and all(pow(base, (n - 1) // 2, n) in (1, n - 1) for base in (2, 3, 5, 7))


def echelon(matrix: np.ndarray, p: int) -> tuple[np.ndarray, list[int]]:
    """The reduced row echelon form modulo p, its nonzero rows, and the pivot columns."""
    work = np.array(matrix, dtype=np.int64) % p
    pivots: list[int] = []
    row = 0
    for column in range(work.shape[1]):
        if row == len(work):
            break
        nonzero = np.nonzero(work[row:, column])[0]
        if not len(nonzero):
            continue
        at = row + int(nonzero[0])
        if at != row:
            work[[row, at]] = work[[at, row]]
        work[row, column:] = work[row, column:] * pow(int(work[row, column]), -1, p) % p
        factors = work[:, column].copy()
        factors[row] = 0
        hit = np.nonzero(factors)[0]
        work[hit, column:] = _reduced(work[hit, column:] - factors[hit, None] * work[row, column:], p)
        pivots.append(column)
        row += 1
    return work[:row], pivots


def _reduced(x: np.ndarray, p: int) -> np.ndarray:
    """x mod p by a quotient in floating point, which vectorises; |x| < 2⁶²."""
    rest = x - np.floor(x * (1.0 / p)).astype(np.int64) * p
    rest += (rest < 0) * p
    rest -= (rest >= p) * p
    return rest


def null_space(matrix: np.ndarray, p: int) -> np.ndarray:
    """A basis of the null space modulo p in echelon form: each row ends with a 1, where all other rows are 0.

    Some rows of a tall matrix are eliminated first, then the others are tested: those that the basis does not annihilate
    are added.
    """
    n = matrix.shape[1]
    order = np.random.default_rng(0).permutation(len(matrix))
    rows, rest = matrix[order[: n + SPARE]], matrix[order[n + SPARE :]]
    while True:
        reduced, pivots = echelon(rows, p)
        free = [j for j in range(n) if j not in set(pivots)]
        basis = np.zeros((len(free), n), dtype=np.int64)
        for i, j in enumerate(free):
            basis[i, j] = 1
            basis[i, pivots] = -reduced[:, j] % p
        bad = np.zeros(len(rest), dtype=bool)
        for vector in basis:
            bad |= (rest * vector % p).sum(axis=1) % p != 0
        if not bad.any():
            return basis
        rows, rest = np.concatenate([reduced, rest[bad][: n + SPARE]]), rest


def rank(matrix: np.ndarray, p: int) -> int:
    """The rank modulo p."""
    return len(echelon(matrix, p)[1])


def reconstructed(residue: int, modulus: int) -> Fraction | None:
    """The fraction a/b ≡ ``residue`` with |a|, b ≤ √(modulus/2), if there is one (Wang 1981)."""
    bound = isqrt(modulus // 2)
    r0, r1, t0, t1 = modulus, residue % modulus, 0, 1
    while r1 > bound:
        q = r0 // r1
        r0, r1, t0, t1 = r1, r0 - q * r1, t1, t0 - q * t1
    return Fraction(r1, t1) if t1 and abs(t1) <= bound else None


class Reconstruction:
    """Rational vectors from their residues modulo one prime after the other."""

    def __init__(self) -> None:
        self.modulus = 1
        self._residues: list[list[int]] = []
        self.vectors: list[list[Fraction]] | None = None

    def add(self, basis: np.ndarray, p: int) -> bool:
        """Add one more prime; returns whether the fractions stay the same."""
        rows = [[int(x) for x in row] for row in basis]
        if self.modulus == 1:
            self._residues = rows
        else:
            if self.vectors is not None:
                agree = all(
                    x.denominator % p and x.numerator * pow(x.denominator, -1, p) % p == r
                    for vector, row in zip(self.vectors, rows, strict=True)
                    for x, r in zip(vector, row, strict=True)
                )
                if agree:
                    return True
            inverse = pow(self.modulus, -1, p)
            self._residues = [
                [a + self.modulus * ((b - a) * inverse % p) for a, b in zip(old, new, strict=True)]
                for old, new in zip(self._residues, rows, strict=True)
            ]
        self.modulus *= p
        self.vectors = None
        vectors = []
        for row in self._residues:
            fractions = [reconstructed(x, self.modulus) for x in row]
            if any(x is None for x in fractions):
                return False
            vectors.append([x for x in fractions if x is not None])
        self.vectors = vectors
        return False


def rational_null_space(rows: Callable[[PrimeField], Sequence[Any]], size: int, *, margin: int = 20,
                        seed: int | None = None, moduli: Iterable[int] | None = None) -> list[list[Fraction]]:  # fmt: skip
    """Rational vectors c in the echelon form of :func:`null_space`, Σ c_j f_j = 0 for functions f_j at random points.

    Parameters
    ----------
    rows : callable(PrimeField) → ``size`` numbers
        The functions at random points of a field.
    """

    def basis(p: int, i: int) -> np.ndarray:
        field = PrimeField(p, size + margin, random_numbers(seed, i))
        matrix = np.stack([x.spread() for x in rows(field)], axis=1)[field.valid]
        return null_space(matrix, p)

    return rational_basis(basis, seed, moduli)


def rational_basis(
    basis: Callable[[int, int], np.ndarray], seed: int | None = None, moduli: Iterable[int] | None = None
) -> list[list[Fraction]]:
    """Rational vectors from their residues, ``basis(p, i)`` modulo the i-th of ``moduli``, until one more prime agrees.

    A prime at which there are more vectors than at another divides something by accident and is left out.

    Raises
    ------
    SemidirectError
        If they are not found with as many primes as are tried.
    """
    reconstruction, pattern = Reconstruction(), None
    for i, p in zip(range(MOST_PRIMES), primes(seed) if moduli is None else moduli, strict=False):
        rows = basis(p, i)
        if not len(rows):
            return []
        ends = [int(np.nonzero(row)[0][-1]) for row in rows]
        if pattern is None or len(ends) < len(pattern):
            reconstruction, pattern = Reconstruction(), ends
        if ends == pattern and reconstruction.add(rows, p):
            return reconstruction.vectors or []
    raise errors.SemidirectError(
        "no rational basis was found", got=f"{MOST_PRIMES} primes", hint="Use parameters that are simpler fractions."
    )
