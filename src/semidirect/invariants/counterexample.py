"""Real states at which a quantity certainly changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import sympy as sp

from semidirect.core import display, interpolation
from semidirect.invariants.algebra.intervals import Interval, Intervals
from semidirect.invariants.algebra.radicals import Inexpressible, Radical, Radicals
from semidirect.invariants.points import random_point

if TYPE_CHECKING:
    from semidirect.invariants.fields import Fields
    from semidirect.invariants.parameters import ParameterSet

TRIES = 12
DIGITS = (200, 1600, 12800)
"""Binary digits of interval arithmetic; at the first state more are tried if an interval still contains 0."""

LONGEST = 40
"""Longest exact number in characters; a longer one is printed as a decimal that ends in …"""


@final
@dataclass(frozen=True, repr=False)
class Counterexample(display.Read):
    """A state and the rate of a quantity there.

    Attributes
    ----------
    state : dict name → Fraction or tuple of Fractions
        Each variable of the state, and the coordinates of s and t if they matter.
    value : sympy number
        The coefficient DQ·g_k there, exact if it is made of fractions and roots, else its certain digits.
    parameters : dict name → Fraction
        Values of the parameters' symbols, as in printed equations.
    drawn : bool
        Whether the parameters are random instead of the given ones.
    """

    state: Mapping[str, Any]
    value: sp.Expr
    parameters: Mapping[str, Fraction]
    drawn: bool = False

    def __str__(self) -> str:
        parts = [
            f"{k} = {'(' + ', '.join(map(_written, v)) + ')' if isinstance(v, tuple) else _written(v)}"
            for k, v in self.state.items()
        ]
        parts += [f"{name} = {_written(x)}" for name, x in self.parameters.items() if self.drawn and x]
        return f"{_written(self.value)} at {', '.join(parts)}"


def _written(x: Any) -> str:
    text = str(x)
    return text if len(text) <= LONGEST else f"{sp.N(x, 10)}…"


@final
@dataclass(frozen=True)
class Trial:
    """The result of the test at real states.

    Attributes
    ----------
    counterexample : Counterexample or None
        A state at which DQ·g_k is certainly not 0.
    states : int
        The number of states at which the quantity has a value.
    rounded : bool
        Whether it differs from 0 at a state, but by no more than the rounding of the parameters.
    """

    counterexample: Counterexample | None = None
    states: int = 0
    rounded: bool = False


def try_states(fields: Fields, quantity: str, column: int, parameters: ParameterSet, seed: int = 0, count: int = TRIES
               ) -> Trial:  # fmt: skip
    """Whether DQ·g_k differs from 0 at one of a few real states of small rational numbers on the invariant set.

    Values are computed exactly with fractions and their roots. With other functions interval arithmetic is used, and
    a nonzero value is certified by an interval without 0. No number is too small or too large for either.
    """
    states, rounded = 0, False
    for attempt in range(count):
        try:
            digits = DIGITS if attempt == 0 else DIGITS[:1]
            point, defect = _values(fields, quantity, column, parameters, seed + attempt, 2 + attempt, digits)
        except ZeroDivisionError:
            continue
        states += 1
        value = next((x for x in defect if x.regular()), None)
        if value is None:
            continue
        if not beyond_rounding(fields, quantity, column, parameters, point):
            rounded = True
            continue
        return Trial(counterexample_at(fields, parameters, point, value), states)
    return Trial(None, states, rounded)


def counterexample_at(fields: Fields, parameters: ParameterSet, point: Mapping[Any, Any], value: Any) -> Counterexample:
    """A state and the value there, in the form for reports."""
    parameter_values = {x: point[x] for x in fields.sde.definition.parameters}
    values = {str(x): _plain(v) for x, v in parameter_values.items() if not isinstance(v, interpolation.Table)}
    return Counterexample(_named(fields, point), value.expression(), values, parameters.kind != "given")


def _values(fields: Fields, quantity: str, column: int, parameters: ParameterSet, seed: int, size: int,
            digits: Sequence[int]) -> tuple[dict[Any, Any], list[Any]]:  # fmt: skip
    exact_point: dict[Any, Any] | None = None
    try:
        numbers: Any = Radicals(seed, size)
        exact_point = random_point(fields, numbers, parameters)
        return exact_point, fields.at(numbers, exact_point).defect(quantity, column)
    except Inexpressible:
        pass
    for bits in digits:
        point = (
            random_point(fields, Intervals(Radicals(seed, size), bits), parameters)
            if exact_point is None
            else exact_point
        )
        numbers = Intervals(None, bits)
        enclosed = {x: numbers.holding(v) for x, v in point.items()}
        defect = fields.at(numbers, enclosed).defect(quantity, column)
        if any(x.regular() for x in defect):
            break
    return point, defect


def beyond_rounding(fields: Fields, quantity: str, column: int, parameters: ParameterSet, point: Mapping[Any, Any]
                     ) -> bool:  # fmt: skip
    """Whether DQ·g_k is not 0 at a state where it is not 0 for all other parameters, too, that round to those given."""
    if not parameters.rounded():
        return True
    numbers = Intervals(None, DIGITS[0])
    values = {x: numbers.holding(v) for x, v in point.items()} | parameters.within_rounding(numbers)
    try:
        return any(x.regular() for x in fields.at(numbers, values).defect(quantity, column))
    except ZeroDivisionError:
        return False


def _named(fields: Fields, point: Mapping[Any, Any]) -> dict[str, Any]:
    sde = fields.sde
    state: dict[str, Any] = {}
    for variable in sde.variables:
        entries = tuple(_plain(point[x]) for x in variable.symbols)
        state[variable.name] = entries if len(entries) > 1 else entries[0]
    reads = fields.inputs_read
    state |= {n: _plain(point[s]) for n, s in sde.coordinates.items() if s in reads}
    return state | ({"t": _plain(point[sde.setting.t])} if sde.setting.t in reads else {})


def _plain(x: Any) -> Any:
    if isinstance(x, Radical):
        return x.expression() if x.rational is None else x.rational
    if isinstance(x, Interval):
        return x.expression() if x.fraction is None else x.fraction
    return Fraction(int(x.p), int(x.q)) if getattr(x, "is_Rational", False) else x
