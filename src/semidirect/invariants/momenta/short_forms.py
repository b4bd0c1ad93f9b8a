"""Shorter forms of equations without vector notation: with zeros inserted, roots collected, factors extracted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.core import exact

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import SymbolicDefinition

FACTORED = 40


def structural_zeros(system: SystemDefinition, s: SymbolicDefinition) -> dict[sp.Symbol, sp.Expr]:
    """Entries of the vectors and matrices in l and D that are 0, for example those of χ = E₃, the axis of a symmetric body."""
    entries: list[Any] = [s.lagrangian]
    entries += [] if s.distribution is None else list(s.distribution.basis.flat)
    entries += [] if s.annihilator is None else list(s.annihilator.covectors.flat)
    occurring = set().union(*(sp.sympify(e).free_symbols for e in entries))
    return {
        symbol: sp.Integer(0)
        for name, symbols in system.workings.parameter_symbols.items() if symbols.ndim
        for symbol, x in zip(symbols.flat, np.ravel(system.values[name]), strict=True)
        if symbol in occurring and exact.exact_number(x) == 0
    }  # fmt: skip


def structural_pattern(system: SystemDefinition, s: SymbolicDefinition) -> dict[sp.Symbol, sp.Expr]:
    """These zeros, and one symbol for entries of a vector or matrix that are equal, as the moments of a body of revolution."""
    zeros = structural_zeros(system, s)
    pattern = dict(zeros)
    for name, symbols in system.workings.parameter_symbols.items():
        symbol_of: dict[Any, sp.Symbol] = {}
        if symbols.ndim:
            for symbol, x in zip(symbols.flat, np.ravel(system.values[name]), strict=True):
                pattern.setdefault(symbol, symbol_of.setdefault(exact.exact_number(x), symbol))
    return {symbol: value for symbol, value in pattern.items() if symbol != value}


def shortest(e: sp.Expr, substitution: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """The shortest of a few forms of an expression in which symbols have the values ``substitution``."""
    plain = e.xreplace(dict(substitution))
    forms = [plain, sp.expand(plain)]
    collected = _collected(plain)
    forms += [collected] if collected is not None else []
    forms += [_factored(f) for f in forms[1:]]
    return min(forms, key=sp.count_ops)


def _factored(e: sp.Expr) -> sp.Expr:
    return sp.factor(e) if 1 < len(sp.Add.make_args(sp.expand(e))) <= FACTORED else sp.factor_terms(e)


def _collected(e: sp.Expr) -> sp.Expr | None:
    """A sum over powers of one root w = √q as (N₀ + N₁w)/w^k, with N₀ and N₁ free of w and k the least."""
    roots = {x.base for x in e.atoms(sp.Pow) if x.exp.is_Rational and x.exp.q == 2}
    if len(roots) != 1:
        return None
    (q,), w = roots, sp.Dummy("w", positive=True)
    in_root = sp.expand(e.replace(lambda x: x.is_Pow and x.base == q, lambda x: w ** (2 * x.exp)))
    lowest = min((t.as_coeff_exponent(w)[1] for t in sp.Add.make_args(in_root)), default=0)
    try:
        whole = sp.Poly(sp.expand(in_root * w ** (-lowest)), w)
    except sp.PolynomialError:
        return None
    parts = [sp.Integer(0), sp.Integer(0)]
    for (power,), coefficient in whole.terms():
        parts[power % 2] += coefficient * q ** (power // 2)
    total = sp.Integer(0)
    for odd, part in enumerate(parts):
        numerator, power = sp.expand(part), lowest + odd
        while numerator != 0 and power < 0:
            quotient, rest = sp.div(numerator, q, *sorted(q.free_symbols, key=str))
            if rest != 0:
                break
            numerator, power = sp.expand(quotient), power + 2
        total += _factored(numerator) * sp.sqrt(q) ** power
    return total
