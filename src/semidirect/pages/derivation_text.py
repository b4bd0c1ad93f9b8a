"""Terms of a derivation as text and LaTeX: numbers first, dt or ∘dW last, signs by themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import sympy as sp

from semidirect.pages.notation import SUPERSCRIPT, unicode_name, written
from semidirect.pages.vectors import Term

Pair = tuple[str, str]
"""The same in text and in LaTeX."""


@final
@dataclass(frozen=True)
class DerivationText:
    """Writes sums in one of the two notations.

    Attributes
    ----------
    tex : bool
        Whether in LaTeX.
    vectors : dict
        Letters, by their name in text, and what they are in LaTeX.
    names : dict
        The names of symbols in both.
    """

    tex: bool
    vectors: Mapping[str, str]
    names: Mapping[sp.Symbol, Pair]

    def pick(self, text: str, latex: str) -> str:
        """The part that belongs to this notation."""
        return latex if self.tex else text

    def plus(self, text: str) -> str:
        """A text as a further term, nothing for 0."""
        minus = self.pick("−", "-")
        return "" if text == "0" else f" {minus} {text[1:]}" if text.startswith(minus) else f" + {text}"

    def scalar(self, e: sp.Expr) -> str:
        """A number."""
        return written(e, self.names, latex=self.tex)

    def sum_of(self, terms: Sequence[Term]) -> str:
        """Terms with their signs."""
        out, minus = "", self.pick("−", "-")
        for term in sorted(terms, key=lambda t: bool(t.coefficient < 0)):
            text = self._product(abs(term.coefficient), term.scalar, term.shape)
            sign = minus if term.coefficient < 0 else "+"
            out += f" {sign} {text}" if out else (minus if sign == minus else "") + text
        return out or "0"

    def rows(self, rows: Sequence[sp.Expr]) -> str:
        """Components without vector notation, in brackets if there are several."""
        if not any(rows):
            return "0"
        text = ", ".join(self._row(e) for e in rows)
        return text if len(rows) == 1 else f"({text})"

    def _row(self, e: sp.Expr) -> str:
        """A sum by its rates: what has none, then dt, then dW."""
        rates = sorted((x for x in e.free_symbols if _is_rate(x)), key=lambda x: (x.name != "dt", len(x.name), x.name))
        if not rates:
            return self.scalar(e)
        out = ""
        rest = e.xreplace(dict.fromkeys(rates, sp.Integer(0)))
        parts = [(rest, "")] * (rest != 0) + [(sp.diff(e, x), self._end(x)) for x in rates]
        for part, end in parts:
            text = self.scalar(part)
            text = text if not (end and part.is_Add) else f"({text})"
            text = f"{text} {end}".strip() if abs(part) != 1 or not end else f"{text.removesuffix('1')}{_alone(end)}"
            if not out:
                out = text
            else:
                out += f" - {text[1:].strip()}" if text.startswith("-") else f" + {text}"
        return out

    def _end(self, rate: sp.Symbol) -> str:
        if rate.name == "dt":
            return self.pick("dt", r"\,\mathrm{d}t")
        return self.pick(f"∘dW{rate.name[2:].translate(SUPERSCRIPT)}", rf"\circ\mathrm{{d}}W^{{{rate.name[2:]}}}")

    def _product(self, coefficient: sp.Expr, scalar: sp.Expr, shape: object) -> str:
        """Numbers first, dt or ∘dW last."""
        rates = [x for x in sp.Mul.make_args(scalar) if _is_rate(x)]
        rest = scalar / sp.Mul(*rates)
        vectors = []
        if shape != 1:
            vectors = [f"({self._shape(shape)})" if rates and isinstance(shape, tuple) else self._shape(shape)]
        factors = [f"({self.scalar(x)})" if x.is_Add else self.scalar(x) for x in (coefficient, rest) if x != 1]
        ends = [self._end(x) for x in rates]
        if not factors and not vectors and ends:
            ends[0] = _alone(ends[0])
        return " ".join([*factors, *vectors, *ends]) or "1"

    def _shape(self, shape: object) -> str:
        """A product of vectors: ``a × b`` and ``a·b`` in brackets where they meet others."""
        if isinstance(shape, str):
            return self.vectors[shape] if self.tex else unicode_name(shape) if shape.startswith("~") else shape
        assert isinstance(shape, tuple)
        kind, first, second, *rest = shape
        a, b = (self._shape(x) if isinstance(x, str) else f"({self._shape(x)})" for x in (first, second))
        if kind == "x":
            return f"{a} {self.pick('×', chr(92) + 'times')} {b}"
        dot = f"{a}{self.pick('·', chr(92) + 'cdot ')}{b}"
        if not rest:
            return dot
        other = self._shape(rest[0])
        return f"({dot}) {f'({other})' if isinstance(rest[0], tuple) else other}"


def _alone(end: str) -> str:
    """dt or dW with nothing before it."""
    return re.sub(r"^(∘|\\circ|\\,)", "", end)


def _is_rate(x: sp.Basic) -> bool:
    return bool(x.is_Symbol and re.fullmatch(r"dt|dW\d+", str(x)))
