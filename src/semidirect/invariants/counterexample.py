"""An exact state at which a quantity changes."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import sympy as sp

from semidirect.invariants.algebra.radicals import Inexpressible, Radical, Radicals
from semidirect.invariants.algebra.scalars import eliminate
from semidirect.invariants.points import random_point

if TYPE_CHECKING:
    from semidirect.invariants.fields import Fields
    from semidirect.invariants.parameters import ParameterSet

TRIES = 12

LONGEST = 40
"""Characters of an exact number; a longer one, of sines and their like, is printed as a decimal that ends in …"""


@final
@dataclass(frozen=True)
class Counterexample:
    """A state and what a quantity does there.

    Attributes
    ----------
    state : dict name → Fraction or tuple of Fractions
        Each variable of the state, and the coordinates of s and t where they matter.
    value : sympy number
        The coefficient DQ·g_k there, exact; rational where no root is met.
    parameters : dict name → Fraction
        Values of the parameters' symbols, as in printed equations.
    """

    state: Mapping[str, Any]
    value: sp.Expr
    parameters: Mapping[str, Fraction]

    def __str__(self) -> str:
        parts = [
            f"{k} = {'(' + ', '.join(map(_written, v)) + ')' if isinstance(v, tuple) else _written(v)}"
            for k, v in self.state.items()
        ]
        return f"{_written(self.value)} at {', '.join(parts)}"


def _written(x: Any) -> str:
    text = str(x)
    return text if len(text) <= LONGEST else f"{sp.N(x, 10)}…"


@final
class ExactNumbers:
    """SymPy's numbers, small rationals where they are drawn."""

    def __init__(self, seed: int = 0, size: int = 2):
        self._drawn, self.size = random.Random(seed), size

    def number(self, p: int, q: int = 1) -> sp.Expr:
        """The rational p/q."""
        return sp.Rational(int(p), int(q))

    def constant(self, name: str) -> sp.Expr:
        """π and its like."""
        return getattr(sp, name)

    def draw(self) -> sp.Expr:
        """A rational that is not 0."""
        return self.number(
            self._drawn.choice([-1, 1]) * self._drawn.randint(1, self.size), self._drawn.choice([1, 1, 2])
        )


def find_counterexample(fields: Fields, quantity: str, column: int, parameters: ParameterSet,
                        seed: int = 0) -> Counterexample | None:  # fmt: skip
    """A small rational state at which DQ·g_k is not 0, or ``None`` where none was found in a few tries.

    Values are computed with fractions and their roots; SymPy's numbers take their place where there are sines or roots of
    roots.
    """
    for attempt in range(TRIES):
        for numbers in (Radicals(seed + attempt, 2 + attempt), ExactNumbers(seed + attempt, 2 + attempt)):
            try:
                point = random_point(fields, numbers, parameters, eliminate)
                at = fields.at(numbers, eliminate)
                found = at.defect(quantity, column, at.state(point), at.parameters(point))
            except Inexpressible:
                continue
            except ZeroDivisionError:
                break
            exact = next((value for x in found if (value := _different(x)) is not None), None)
            if exact is not None:
                values = {str(x): _plain(point[x]) for x in fields.sde.definition.parameters}
                return Counterexample(_named(fields, point), exact, values)
            break
    return None


def _different(x: Any) -> sp.Expr | None:
    """The value if it is real and not 0."""
    if isinstance(x, Radical):
        return x.expression() if x.terms else None
    exact = x if x.is_Rational else sp.radsimp(x)
    return exact if exact.is_finite and exact.is_real and abs(exact.evalf(50)) > sp.Float("1e-30") else None


def _named(fields: Fields, point: Mapping[Any, Any]) -> dict[str, Any]:
    sde = fields.sde
    found: dict[str, Any] = {}
    for variable in sde.variables:
        entries = tuple(_plain(point[x]) for x in variable.symbols)
        found[variable.name] = entries if len(entries) > 1 else entries[0]
    read = fields.read
    found |= {n: _plain(point[s]) for n, s in sde.coordinates.items() if s in read}
    return found | ({"t": _plain(point[sde.setting.t])} if sde.setting.t in read else {})


def _plain(x: Any) -> Any:
    if isinstance(x, Radical):
        return x.expression() if x.rational is None else x.rational
    return Fraction(int(x.p), int(x.q)) if getattr(x, "is_Rational", False) else x
