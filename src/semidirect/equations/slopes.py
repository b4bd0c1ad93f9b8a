"""Partial derivatives of many expressions that share their parts: each part is differentiated once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import sympy as sp

ZERO, ONE = sp.Integer(0), sp.Integer(1)


@final
class Slopes:
    """Derivatives almost everywhere, remembered for each subexpression as long as the object lives.

    The rules for sums, products and powers are those of SymPy, so the expressions are the ones that ``sympy.diff`` gives. That
    one asks for the free symbols of every part at every level, and differentiates a shared part wherever it stands.
    """

    def __init__(self) -> None:
        self._free: dict[sp.Basic, frozenset[sp.Basic]] = {}
        self._known: dict[tuple[sp.Basic, sp.Symbol], sp.Expr] = {}

    def differential(self, expression: sp.Expr, tangents: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
        """Σ ∂e/∂x · ẋ over the symbols x that have a tangent ẋ."""
        symbols = sorted(self._symbols(expression) & tangents.keys(), key=lambda s: s.name)
        return sp.Add(*(self.slope(expression, s) * tangents[s] for s in symbols)) if symbols else ZERO

    def slope(self, expression: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
        """∂e/∂x almost everywhere: none across a jump of a sign."""
        slope = self._slope(expression, symbol)
        return slope.replace(sp.DiracDelta, lambda *_: ZERO) if slope.has(sp.DiracDelta) else slope

    def _symbols(self, e: sp.Basic) -> frozenset[sp.Basic]:
        if e not in self._free:
            symbols = {e} if e.is_Symbol else set().union(*(self._symbols(part) for part in e.args))
            self._free[e] = frozenset(symbols)
        return self._free[e]

    def _slope(self, e: sp.Expr, x: sp.Symbol) -> sp.Expr:
        if x not in self._symbols(e):
            return ZERO
        if e.is_Symbol:
            return ONE
        key = (e, x)
        if key not in self._known:
            self._known[key] = self._derived(e, x)
        return self._known[key]

    def _derived(self, e: sp.Expr, x: sp.Symbol) -> sp.Expr:
        if e.is_Add:
            return sp.Add(*(self._slope(part, x) for part in e.args))
        if e.is_Mul:
            parts = e.args
            slopes = [self._slope(part, x) for part in parts]
            return sp.Add(*(sp.Mul(*parts[:i], d, *parts[i + 1 :]) for i, d in enumerate(slopes) if d != 0))
        if e.is_Pow and x not in self._symbols(e.exp):
            return e * (self._slope(e.base, x) * e.exp / e.base)
        return sp.diff(e, x)
