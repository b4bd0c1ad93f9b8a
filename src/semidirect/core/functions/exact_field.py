"""Functions on fractions that the emitted text of an exact function calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

from semidirect.core.exact.elimination import solve_exactly
from semidirect.core.interpolation import Interpolant


def _exact_root(x: Any) -> Fraction:
    x = Fraction(x)
    if x < 0:
        raise ArithmeticError(f"square root of {x}")
    root = Fraction(isqrt(x.numerator), isqrt(x.denominator))
    if root * root != x:
        raise ArithmeticError(f"the square root of {x} is not rational")
    return root


def _irrational(name: str) -> Fraction:
    raise ArithmeticError(f"{name} is not rational")


def _only_at(point: int, value: int) -> Callable[[Any], int]:
    def function(x: Any) -> int:
        if x != point:
            raise ArithmeticError(f"a transcendental function at {x} is not rational")
        return value

    return function


def _interpolated(x: Any, nodes: Any, values: Any, kind: str, ends: str, order: int) -> Any:
    return Interpolant(nodes, values, kind, ends, order).exactly(Fraction(x) if isinstance(x, int) else x)


EXACT: Mapping[str, Any] = {
    "number": Fraction, "solve_symmetric": solve_exactly, "solve_pivoted": solve_exactly,
    "sqrt": _exact_root, "where": lambda c, a, b: a if c else b, "absolute": abs,
    "sin": _only_at(0, 0), "cos": _only_at(0, 1), "tan": _only_at(0, 0), "exp": _only_at(0, 1), "log": _only_at(1, 0),
    "constant": _irrational, "interpolate": _interpolated,
}  # fmt: skip
"""Square roots must be rational; other functions are taken at one point only."""
