"""Values of a program at real states: exact where they are rational, else those digits that two precisions share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import mpmath
import sympy as sp

from semidirect.core import functions
from semidirect.equations import emission

if TYPE_CHECKING:
    from semidirect.equations import Program
    from semidirect.invariants.parameters import ParameterSet

DIGITS = (60, 90)
"""Precisions at which a value that is not rational has to be the same."""


@final
class ExactValues:
    """The values of expressions of a program, at one set of parameters."""

    def __init__(
        self, program: Program, expressions: Sequence[sp.Expr], inputs: Sequence[sp.Symbol], parameters: ParameterSet
    ):
        self._inputs, self._numbers, self._tables = inputs, parameters.expressions(), parameters.tables
        self._text = emission.source(program, expressions, inputs, exact=True)

    def at(self, state: Mapping[sp.Symbol, Any]) -> tuple[Fraction, ...] | None:
        """The values at a state, ``None`` where they are not all real numbers."""
        try:
            point = {
                **state,
                **{x: Fraction(int(v.p), int(v.q)) for x, v in self._numbers.items()},
                **self._tables,
            }
            return tuple(map(Fraction, functions.build(self._text, functions.EXACT)(*(point[x] for x in self._inputs))))
        except ZeroDivisionError:
            return None
        except (ArithmeticError, AttributeError):  # a root, in the fields or of a parameter
            point = {**state, **self._numbers, **self._tables}
        with_digits = []
        for digits in DIGITS:
            context = mpmath.MPContext()
            context.dps = digits
            try:
                values = functions.build(self._text, _decimals(context))(
                    *(_number(context, point[x]) for x in self._inputs)
                )
            except (ArithmeticError, TypeError, ValueError):
                return None
            if any(isinstance(x, context.mpc) for x in values):
                return None
            with_digits.append([context.mpf(x) for x in values])
        return tuple(_shared(a, b) for a, b in zip(*with_digits, strict=True))


def _decimals(context: Any) -> dict[str, Any]:
    of_context = {name: getattr(context, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log")}
    constants = {"pi": "pi", "E": "e", "GoldenRatio": "phi", "EulerGamma": "euler", "Catalan": "catalan"}
    return {
        **functions.EXACT, **of_context, "number": lambda p, q: context.mpf(p) / q,
        "constant": lambda name: +getattr(context, constants[name]),
    }  # fmt: skip


def _number(context: Any, x: Any) -> Any:
    if isinstance(x, sp.Basic):
        return context.mpf(str(sp.N(x, context.dps + 5)))
    return context.mpf(x.numerator) / x.denominator if isinstance(x, (int, Fraction)) else x


def _shared(one: Any, other: Any) -> Fraction:
    """A number that has the same digits at two precisions; 0 where it is rounding."""
    if abs(one - other) > abs(other) / 10**10:
        return Fraction(0)
    sign, mantissa, exponent, _ = other._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)
