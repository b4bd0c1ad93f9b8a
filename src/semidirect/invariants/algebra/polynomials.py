"""Polynomials over the rationals modulo the relations of the invariant set, for symbolic proofs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

from sympy import QQ
from sympy.polys.rings import ring

from semidirect.invariants.algebra.fractional import Fractional, Numerators, TooLarge

PRODUCTS = 25
"""Products of terms that a proof may compute per term of its budget. Measured over our tests: fewer than 1 is needed."""


@final
class Polynomials(Numerators):
    """Polynomials in named variables, reduced by known relations and by y² = q for each root y.

    Parameters
    ----------
    names : sequence of str
        The variables, in falling lexicographic order; roots are put before them.
    roots : int
        The largest number of square roots.
    draws : int
        The largest number of unnamed random variables, including values of functions that are not algebraic.
    budget : int
        Terms that a polynomial may have, and by :data:`PRODUCTS` how many terms may be multiplied in all; :class:`TooLarge`
        beyond.
    """

    def __init__(self, names: Sequence[str], roots: int = 0, draws: int = 0, budget: int = 4000):
        super().__init__()
        self.budget, self.work = budget, 0
        self.ring, *generators = ring(
            [*(f"root{i}" for i in range(roots)), *names, *(f"drawn{i}" for i in range(draws))], QQ
        )
        self._free, self._drawn = list(generators[:roots]), list(generators[roots + len(names) :])
        own = generators[roots : roots + len(names)]
        self.variables = {name: Fractional(g, {}, self) for name, g in zip(names, own, strict=True)}
        self.relations: list[Any] = []
        self._roots: dict[Any, Any] = {}

    def draw(self) -> Fractional:
        """A variable."""
        if not self._drawn:
            raise TooLarge
        return Fractional(self._drawn.pop(0), {}, self)

    def rational(self, p: int, q: int) -> Any:
        """The constant p/q."""
        return self.ring.ground_new(QQ(p, q))

    def reduced(self, numerator: Any) -> Any:
        """The remainder by the relations."""
        if len(numerator) > self.budget:
            raise TooLarge
        if self.relations and numerator:
            numerator = numerator.rem(self.relations)
        return numerator

    def multiplied(self, one: Any, other: Any) -> Any:
        """The remainder of a product; raises an error before it starts if there are too many terms to multiply."""
        self.work += len(one) * len(other)
        if self.work > PRODUCTS * self.budget:
            raise TooLarge
        return self.reduced(one * other)

    def root(self, numerator: Any, divisor: Any) -> Any:
        """A variable y with y² = numerator, one for each divisor."""
        if (numerator, divisor) not in self._roots:
            if not self._free:
                raise TooLarge
            y = self._free.pop(0)
            self._roots[numerator, divisor] = y
            self.relations.append(y**2 - numerator)
        return self._roots[numerator, divisor]

    def reciprocal(self, numerator: Any) -> Any:
        """Of constants."""
        return self.ring.ground_new(1 / numerator.coeff(1)) if numerator.is_ground else None
