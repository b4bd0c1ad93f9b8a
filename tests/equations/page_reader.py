"""Reads printed equations back: text to numbers, so that a page can be held against what is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
NAME = r"[A-Za-zΑ-Ωα-ωℓ𝕀∂][A-Za-zΑ-Ωα-ωℓ_]*(?:\u0303)?[₀-₉]*(?:\^[A-Za-zΑ-Ωα-ω]+[₀-₉]*)?(?:′ᵀ?)?"
KINDS = (rf"∂l/∂{NAME}", "dW[¹²³⁰⁴-⁹]+", r"\d+", NAME, "[-+/×·∘(),²³^]")
TOKEN = re.compile(rf"\s*(?:{'|'.join(KINDS)})")
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "exp": np.exp, "log": np.log, "Abs": np.abs,
}  # fmt: skip


class Reader:
    """Names and what they stand for: numbers, vectors as arrays, functions; ``inertia`` is 𝕀."""

    def __init__(self, known: dict[str, Any], inertia: np.ndarray | None = None):
        self.known, self.inertia = dict(known), inertia

    def value(self, text: str) -> Any:
        """What an expression is worth."""
        tokens = list(_tokens(text))
        self.rest = tokens[::-1]
        out = self._sum()
        if self.rest:
            raise ValueError(f"cannot read {self.rest[::-1]} in {text!r}")
        return out

    def lookup(self, name: str) -> Any:
        """A letter, a component Γ₁ of one, 𝕀 of one."""
        if name in self.known:
            return self.known[name]
        if name.startswith("𝕀"):
            assert self.inertia is not None
            vector, index = _component(name[1:])
            turned = self.inertia @ self.lookup(vector if name[1:] not in self.known else name[1:])
            return turned if name[1:] in self.known else turned[index]
        if re.fullmatch(r"E[₁-₃]", name):
            return np.eye(3)[int(name[1].translate(SUBSCRIPTS)) - 1]
        vector, index = _component(name)
        if index is None or vector not in self.known:
            raise KeyError(f"{name} stands for nothing")
        return np.atleast_1d(self.known[vector])[index]

    # -- grammar: sum = product (± product)*; a product is of powers, side by side, with / and ×, · and ∘ between -----

    def _peek(self) -> str:
        return self.rest[-1] if self.rest else ""

    def _sum(self) -> Any:
        sign = -1 if self._peek() == "-" else 1
        if self._peek() in "+-" and self._peek():
            self.rest.pop()
        out = sign * self._product()
        while self._peek() in ("+", "-"):
            sign = 1 if self.rest.pop() == "+" else -1
            out = out + sign * self._product()
        return out

    def _product(self) -> Any:
        out = self._power()
        while self._peek() not in ("", "+", "-", ")", ","):
            if self._peek() in ("×", "·", "/", "∘"):
                sign = self.rest.pop()
                right = self._power()
                if sign == "×":
                    out = np.cross(out, right)
                elif sign == "·":
                    out = float(np.dot(out, right))
                elif sign == "/":
                    out = out / right
                else:
                    out = out * right
            else:
                out = out * self._power()
        return out

    def _power(self) -> Any:
        out = self._atom()
        while self._peek() in ("²", "³", "^"):
            sign = self.rest.pop()
            out = out ** ({"²": 2, "³": 3}.get(sign) or self._atom())
        return out

    def _atom(self) -> Any:
        token = self.rest.pop()
        if token == "(":
            out = self._sum()
            if self.rest.pop() != ")":
                raise ValueError("a bracket is not closed")
            return out
        if token == "-":
            return -self._power()
        if token.isdigit():
            return float(token)
        function = FUNCTIONS.get(token) or (self.known[token] if "′" in token else None)
        if function is not None:
            assert self.rest.pop() == "("
            out = function(self._sum())
            assert self.rest.pop() == ")"
            return out
        return self.lookup(token)


def _tokens(text: str) -> Iterator[str]:
    at = 0
    text = text.strip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"cannot read {text[at : at + 20]!r}")
        at = found.end()
        yield found[0].strip()


def _component(name: str) -> tuple[str, int | None]:
    """``Γ₁`` as Γ and 0; ``ξ₁₃`` as ξ₁ and 2."""
    return (name[:-1], int(name[-1].translate(SUBSCRIPTS)) - 1) if re.search(r"[₁-₉]$", name) else (name, None)
