"""Terms of a derivation as text: numbers first, dt or ∘dW last, signs by themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

import sympy as sp

from semidirect.pages.notation import SUPERSCRIPT, readable
from semidirect.pages.vectors import Term


def plus(text: str) -> str:
    """A text as a further term, nothing for 0."""
    return "" if text == "0" else f" − {text[1:]}" if text.startswith("−") else f" + {text}"


def sum_of(terms: Sequence[Term]) -> str:
    """Terms with their signs."""
    out = ""
    for term in sorted(terms, key=lambda t: bool(t.coefficient < 0)):
        text = _product(abs(term.coefficient), term.scalar, term.shape)
        sign = "−" if term.coefficient < 0 else "+"
        out += f" {sign} {text}" if out else ("−" if sign == "−" else "") + text
    return out or "0"


def _product(coefficient: sp.Expr, scalar: sp.Expr, shape: object) -> str:
    """Numbers first, dt or ∘dW last."""
    rates = [x for x in sp.Mul.make_args(scalar) if x.is_Symbol and re.fullmatch(r"dt|dW\d+", x.name)]
    rest = scalar / sp.Mul(*rates)
    vectors = [] if shape == 1 else [f"({_shape(shape)})" if rates and isinstance(shape, tuple) else _shape(shape)]
    factors = [readable(x, latex=False) for x in (coefficient, rest) if x != 1]
    ends = ["dt" if x.name == "dt" else f"∘dW{x.name[2:].translate(SUPERSCRIPT)}" for x in rates]
    return " ".join([*factors, *vectors, *ends]) or "1"


def _shape(shape: object) -> str:
    """A product of vectors: ``a × b`` and ``a·b`` in brackets where they meet others."""
    if isinstance(shape, str) or shape == 1:
        return str(shape)
    assert isinstance(shape, tuple)
    kind, first, second, *rest = shape
    a, b = (_shape(x) if isinstance(x, str) else f"({_shape(x)})" for x in (first, second))
    if kind == "x":
        return f"{a} × {b}"
    if not rest:
        return f"{a}·{b}"
    other = _shape(rest[0])
    return f"({a}·{b}) {f'({other})' if isinstance(rest[0], tuple) else other}"
