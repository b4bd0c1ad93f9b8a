"""A polynomial of the state with rational coefficients, perhaps with factors that are given functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any, final

from semidirect.core import display, ops
from semidirect.invariants.monomials import Exponents, written


@final
@dataclass(frozen=True, repr=False)
class Polynomial(display.Read):
    """Σ c · monomial · function; ``str`` writes it so that the command line reads it again, calling it evaluates it.

    Attributes
    ----------
    names : tuple of str
        The variables, as in printed equations: ``Omega1``, ``Gamma3``.
    terms : dict (function, exponents) → Fraction
        The function is ``""`` for 1.
    functions : dict name → callable(state)
        The functions, if any.
    """

    names: tuple[str, ...]
    terms: Mapping[tuple[str, Exponents], Fraction]
    functions: Mapping[str, Any]

    @property
    def degree(self) -> int:
        """The degree in the variables."""
        return max((sum(e) for _, e in self.terms), default=0)

    def primitive(self) -> Polynomial:
        """The multiple with whole coefficients that have no common divisor, the first of them positive."""
        values = list(self.terms.values())
        if not values:
            return self
        scale = Fraction(lcm(*(c.denominator for c in values)), 1)
        scale /= gcd(*(int(c * scale) for c in values))
        first = self.terms[min(self.terms, key=_order)]
        scale = -scale if first < 0 else scale
        return Polynomial(self.names, {k: c * scale for k, c in self.terms.items()}, self.functions)

    def __call__(self, state: Any) -> Any:
        """The value at a state, which has the variables' blocks as attributes."""
        total: Any = 0
        for (function, exponents), coefficient in self.terms.items():
            term: Any = coefficient if coefficient.denominator != 1 else coefficient.numerator
            for name, e in zip(self.names, exponents, strict=True):
                for _ in range(e):
                    term = _variable(state, name) * term
            if function:
                term = self.functions[function](state) * term
            total = term + total
        return total

    def __str__(self) -> str:
        text = ""
        for (function, exponents), c in sorted(self.terms.items(), key=lambda item: _order(item[0])):
            factors = "*".join(x for x in (written(exponents, self.names), function) if x)
            size = abs(c)
            number = str(size) if not factors else "" if size == 1 else f"{size}*"
            sign = "-" if c < 0 else "+"
            text += f" {sign} {number}{factors}" if text else f"{'-' if c < 0 else ''}{number}{factors}"
        return text or "0"


def _order(key: tuple[str, Exponents]) -> tuple[Any, ...]:
    function, exponents = key
    return (sum(exponents), tuple(-e for e in exponents), function)


def _variable(state: Any, name: str) -> Any:
    """A component by its printed name."""
    if name in set(state):
        return state[name]
    stems = (name[:i] for i in range(len(name) - 1, 0, -1) if name[i:].isdigit() and name[:i] in set(state))
    stem = next(stems, name)  # of zeta12, the block zeta1 or zeta: not both can exist, as symbols are distinct
    return ops.array(state[stem])[int(name[len(stem) :]) - 1]
