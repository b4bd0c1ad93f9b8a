"""Numbers of SymPy, in which a difference is shown."""

from __future__ import annotations

import random
from typing import final

import sympy as sp

from semidirect.invariants import Numbers


@final
class ExactNumbers(Numbers):
    """SymPy's numbers, small rationals where they are drawn."""

    def __init__(self, seed: int = 0, size: int = 2):
        self._drawn, self.size = random.Random(seed), size

    def number(self, p: int, q: int = 1) -> sp.Expr:
        """The rational p/q."""
        return sp.Rational(int(p), int(q))

    def constant(self, name: str) -> sp.Expr:
        """π and its like."""
        return getattr(sp, name)

    def positive(self) -> sp.Expr:
        """A positive rational."""
        return abs(self.draw())

    def draw(self) -> sp.Expr:
        """A rational that is not 0."""
        sign, above, below = (
            self._drawn.choice([-1, 1]),
            self._drawn.randint(1, self.size),
            self._drawn.choice([1, 1, 2]),
        )
        return self.number(sign * above, below)
