"""Monomials of the state, their values at points and their derivatives along fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Final, final

import numpy as np

from semidirect.core import arguments, errors

MOST: Final = 3000
"""Monomials for which the linear algebra over them takes some seconds."""

Exponents = tuple[int, ...]


@final
@dataclass(frozen=True)
class Monomials:
    """All monomials up to a degree in some variables, by rising degree; each is another monomial times one variable.

    Attributes
    ----------
    exponents : tuple of tuples
        One exponent for each variable.
    parents : tuple of (int, int)
        Index of the other monomial, and of the variable; (−1, −1) for 1.
    """

    exponents: tuple[Exponents, ...]
    parents: tuple[tuple[int, int], ...]

    @classmethod
    def up_to(cls, degree: int, variables: int) -> Monomials:
        """The monomials of degree 0 … ``degree``; within a degree the first variables come first."""
        degree = arguments.validated_whole("degree", degree, least=0, most=MOST)
        count = comb(degree + variables, variables)
        if count > MOST:
            raise errors.InputError(
                "too many monomials", expected=f"up to {MOST}", got=str(count), hint="Lower the degree."
            )
        exponents: list[Exponents] = [(0,) * variables]
        parents = [(-1, -1)]
        last: list[tuple[int, int]] = [(0, 0)]  # index, and the first variable that may still be multiplied
        for _ in range(degree):
            following = []
            for index, first in last:
                for j in range(first, variables):
                    e = list(exponents[index])
                    e[j] += 1
                    following.append((len(exponents), j))
                    exponents.append(tuple(e))
                    parents.append((index, j))
            last = following
        return cls(tuple(exponents), tuple(parents))

    def __len__(self) -> int:
        return len(self.exponents)

    def degrees(self) -> list[int]:
        """The degree of each."""
        return [sum(e) for e in self.exponents]

    def values(self, x: np.ndarray, p: int) -> np.ndarray:
        """Values modulo p, ``(monomials, points)``, at ``x (variables, points)``."""
        out = np.ones((len(self), x.shape[1]), dtype=np.int64)
        for i, (parent, j) in enumerate(self.parents):
            if parent >= 0:
                out[i] = out[parent] * x[j] % p
        return out

    def slopes(self, x: np.ndarray, rates: np.ndarray, values: np.ndarray, p: int) -> np.ndarray:
        """Derivatives along ``rates (variables, points)``: (m x)' = m' x + m x'."""
        out = np.zeros_like(values)
        for i, (parent, j) in enumerate(self.parents):
            if parent >= 0:
                out[i] = (out[parent] * x[j] % p + values[parent] * rates[j]) % p
        return out


def written(exponents: Exponents, names: Sequence[str]) -> str:
    """A monomial as text, empty for 1."""
    return "*".join(f"{n}**{e}" if e > 1 else n for n, e in zip(names, exponents, strict=True) if e)
