"""The signs that roots of squares can have: √(h²) is h or −h, and may change its sign between states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np

from semidirect.invariants.algebra.linear_algebra import echelon
from semidirect.invariants.algebra.radicals import Decision, Inexpressible, Radical, Radicals

SYMBOLS, MOST_TRIES, MOST_SIGNS = 40, 6000, 4
"""Quadratic characters that identify squares, fields that are tried for them, and signs that may be free."""

Point = tuple[Radicals, Sequence[Radical]]
"""Numbers at a point, and some that are positive everywhere."""


def sign_patterns(
    points: Sequence[Radicals], definite: Collection[int], positive: Sequence[Sequence[Radical]], primes: Iterator[int]
) -> list[Mapping[int, int]]:
    """The signs that roots of squares may have at other states, relative to those at the given points.

    A root of a constant has one sign. So has √(h²) if h is, up to a constant, a square times roots and other numbers of one
    sign; and if h is that times other h_i, its sign follows theirs. Such a product is recognised by its quadratic
    characters in ``SYMBOLS`` finite fields for each of two pairs of points, in which all the roots exist: all are 1.

    Parameters
    ----------
    points : sequence of Radicals
        Fields at an even number of points, in each of which the same program was run.
    definite : collection of int
        Roots, by the order in which they are taken, that are known to have one sign wherever they exist.
    positive : sequence of sequences of Radical
        At each point, values of functions that are positive everywhere.
    primes : iterator of int
        Random primes p ≡ 3 (mod 4).

    Returns
    -------
    list of mappings call → sign
        All patterns except the one at the points.

    Raises
    ------
    Inexpressible
        If there are too many.
    """
    decided = [{d.call: d for d in f.roots} for f in points]
    common = sorted(set.intersection(*(set(d) for d in decided)))
    # a root whose square is the same at all points has one branch
    calls = [c for c in common if len({d[c].square.key() for d in decided}) > 1]
    if not set(calls) - set(definite):
        return []
    of_points = list(zip(points, positive, strict=True))
    # which roots are independent is linear algebra modulo 2, on Legendre symbols of their squares
    rows = _characters(list(zip(of_points[::2], of_points[1::2], strict=True))[:2], calls, primes)
    certain = [*rows[0], *(rows[1][c] for c in calls if c in definite)]
    open_calls = [c for c in calls if c not in definite]
    vectors = [*certain, *(rows[1][c] for c in open_calls)]
    reduced, pivots = echelon(np.array([[v >> k & 1 for v in vectors] for k in range(2 * SYMBOLS)]), 2)
    free = [open_calls[j - len(certain)] for j in pivots if j >= len(certain)]
    follows = {
        c: [open_calls[i - len(certain)] for row, i in zip(reduced, pivots, strict=True) if i >= len(certain) and row[j]]
        for j, c in enumerate(open_calls, len(certain)) if j not in pivots
    }  # fmt: skip
    # the number of patterns doubles with each independent root
    if len(free) > MOST_SIGNS:
        raise Inexpressible("signs")
    patterns: list[Mapping[int, int]] = []
    for signs in list(product((1, -1), repeat=len(free)))[1:]:
        pattern = dict(zip(free, signs, strict=True))
        pattern |= {c: prod(pattern[other] for other in of) for c, of in follows.items()}
        patterns.append(pattern)
    return patterns


def _characters(
    pairs: Sequence[tuple[Point, Point]], calls: Sequence[int], primes: Iterator[int]
) -> tuple[list[int], dict[int, int]]:
    """Characters of positive functions and of the squared numbers, each as the product of two points, as bits.

    Raises
    ------
    Inexpressible
        If the points differ in their roots, or there are no fields where all roots exist.
    """
    if len({len(field.squares) for pair in pairs for field, _ in pair}) > 1:
        raise Inexpressible("roots that exist at some points only")
    characters = [0] * (len(pairs[0][0][0].squares) + len(pairs[0][0][1]))
    sizes = dict.fromkeys(calls, 0)
    choose = Random(next(primes))
    for pair in pairs:
        count = tries = 0
        fields, values = [field for field, _ in pair], list(zip(*(numbers for _, numbers in pair), strict=True))
        decided: list[dict[int, Decision]] = [{d.call: d for d in f.roots} for f in fields]
        while count < SYMBOLS:
            tries += 1
            if tries > MOST_TRIES:
                raise Inexpressible("roots in a finite field")
            p = next(primes)
            images = _images(fields, p, choose)
            if images is None:
                continue

            def character(numbers: Sequence[Radical], images: list[list[int]] = images, p: int = p) -> int:
                one, other = (_image(x, roots, p) for x, roots in zip(numbers, images, strict=True))
                return _character(one * other, p)

            try:
                bits = [_character(a * b, p) for a, b in zip(*images, strict=True)] + [character(v) for v in values]
                of_sizes = {c: character([d[c].size for d in decided]) for c in calls}
            except ZeroDivisionError:
                continue
            characters = [2 * r + bit for r, bit in zip(characters, bits, strict=True)]
            sizes = {c: 2 * sizes[c] + of_sizes[c] for c in calls}
            count += 1
    return characters, sizes


def _images(pair: Sequence[Radicals], p: int, choose: Random) -> list[list[int]] | None:
    """The roots of two fields modulo p, the same for the same ones; ``None`` if one does not exist."""
    choices: dict[Any, int] = {}
    out = []
    for field in pair:
        images: list[int] = []
        for square in field.squares:
            key = square.key()
            if key not in choices:
                try:
                    value = _image(square, images, p)
                except ZeroDivisionError:
                    return None
                root = pow(value, (p + 1) // 4, p)
                if root * root % p != value or not root:
                    return None
                choices[key] = choose.choice((root, p - root))
            images.append(choices[key])
        out.append(images)
    return out


def _image(x: Radical, roots: Sequence[int], p: int) -> int:
    total = 0
    for which, c in x.terms.items():
        if c.denominator % p == 0:
            raise ZeroDivisionError
        term = c.numerator * pow(c.denominator, -1, p)
        for i in range(which.bit_length()):
            if which >> i & 1:
                term = term * roots[i] % p
        total += term
    return total % p


def _character(x: int, p: int) -> int:
    """0 for a square, 1 for another number."""
    if x % p == 0:
        raise ZeroDivisionError
    return int(pow(x, (p - 1) // 2, p) != 1)
