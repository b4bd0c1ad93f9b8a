"""Reads printed equations back: text to numbers, so that a page can be compared with what is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LETTER = "A-Za-zΑ-Ωα-ωϰℓ𝕀∂δ"
NAME = rf"[{LETTER}][{LETTER}_₀-₉⋆\u0303]*(?:,[₀-₉]+)*(?:\^[{LETTER}]+[₀-₉]*)?(?:⁽[⁰¹²³⁴-⁹]+⁾)?"
SLOPE = rf"(?:D[₀-₉]*)*∂{NAME}/∂{NAME}"
KINDS = (rf"\({SLOPE}\)ᵀ", SLOPE, "dW[¹²³⁰⁴-⁹]+", r"\d+", "[<>=]=|[<>]", NAME, "[-−+/×·∘(),²³^&|]")
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "exp": np.exp, "log": np.log, "Abs": np.abs,
    "sign": np.sign, "Max": max, "Min": min,
}  # fmt: skip
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
}  # fmt: skip


class Tuple(list[Any]):
    """Blocks between commas."""


class Matrix:
    """Stands before a vector or blocks, and takes them together."""

    def __init__(self, entries: np.ndarray):
        self.entries = entries


class Reader:
    """Names and what they are: numbers, vectors as arrays, functions.

    ``matrices`` are read as they are written; ``sizes`` are those of the blocks that a matrix acts on.
    """

    def __init__(self, known: Mapping[str, Any], matrices: Mapping[str, np.ndarray] | None = None):
        self.known, self.matrices = dict(known), dict(matrices or {})
        self.sizes: list[int] = []
        self.slope: Callable[[str], np.ndarray] | None = None

    def value(self, text: str) -> Any:
        """The value of an expression."""
        self.rest = list(self._tokens(text))[::-1]
        out = self._listed()
        if self.rest:
            raise ValueError(f"cannot read {self.rest[::-1]} in {text!r}")
        return out

    def lookup(self, name: str) -> Any:
        """A letter, or a component Γ₁ of one."""
        if name in self.known:
            return self.known[name]
        vector, index = component(name)
        if index is None or np.ndim(self.known.get(vector)) != 1 or index >= len(self.known[vector]):
            raise KeyError(f"{name} is not defined")
        return self.known[vector][index]

    def flat(self, value: Any, sizes: list[int]) -> np.ndarray:
        """Blocks as one vector."""
        parts = (
            [np.atleast_1d(np.array(x, dtype=float)) for x in value]
            if isinstance(value, Tuple)
            else [np.atleast_1d(value)]
        )
        if sum(map(len, parts)) != sum(sizes):  # blocks that are 0
            parts = [part * np.ones(n) for part, n in zip(parts, sizes, strict=True)]
        return np.concatenate(parts)

    # -- grammar: blocks = sum (, sum)*; sum = product (± product)*; a product is of powers side by side, with signs between --

    def _peek(self) -> str:
        return self.rest[-1] if self.rest else ""

    def _take(self, token: str) -> None:
        found = self.rest.pop()
        if found != token:
            raise ValueError(f"{found!r} stands where {token!r} belongs")

    def _listed(self) -> Any:
        parts = Tuple([self._sum()])
        while self._peek() == ",":
            self.rest.pop()
            parts.append(self._sum())
        return parts if len(parts) > 1 else parts[0]

    def _sum(self) -> Any:
        sign = -1 if self._peek() in ("-", "−") else 1
        if self._peek() in ("+", "-", "−"):
            self.rest.pop()
        out = self._times(sign, self._product()) if sign < 0 else self._product()
        while self._peek() in ("+", "-", "−"):
            sign = 1 if self.rest.pop() == "+" else -1
            right = self._product()
            if isinstance(out, Tuple) or isinstance(right, Tuple):
                other = next((x for x in (out, right) if not isinstance(x, Tuple)), None)
                sizes = self.sizes if other is None or np.size(other) == sum(self.sizes) else [np.size(other)]
                out, right = (self.flat(x, sizes) for x in (out, right))
            assert np.ndim(out) == np.ndim(right) or 0 in (np.size(out), np.size(right)), "a number beside a vector"
            out = out + sign * right
        return out

    def _product(self) -> Any:
        out = self._power()
        while self._peek() not in ("", "+", "-", "−", ")", ",", "if", "&", "|", *RELATIONS):
            if self._peek() in ("×", "·", "/", "∘"):
                sign = self.rest.pop()
                right = self._power()
                if sign == "×":
                    out = np.cross(out, right)
                elif sign == "·":
                    out = np.dot(out, right)
                elif sign == "/":
                    assert np.ndim(right) == 0
                    out = out / right
                else:
                    out = self._times(out, right)
            else:
                out = self._times(out, self._product() if isinstance(out, Matrix) else self._power())
        return out

    def _times(self, left: Any, right: Any) -> Any:
        if isinstance(left, Matrix):
            product = left.entries @ self.flat(right, self.sizes)
            return float(product[0]) if len(product) == 1 else product  # a matrix of one number
        if isinstance(left, Tuple) or isinstance(right, Tuple):
            many, one = (left, right) if isinstance(left, Tuple) else (right, left)
            return Tuple(x * one for x in many)
        assert np.ndim(left) == 0 or np.ndim(right) == 0, "two vectors side by side"
        return left * right

    def _power(self) -> Any:
        out = self._atom()
        while self._peek() in ("²", "³", "^"):
            sign = self.rest.pop()
            assert np.ndim(out) == 0, "a power of a vector"
            out = out ** ({"²": 2, "³": 3}.get(sign) or self._atom())
        return out

    def _atom(self) -> Any:
        token = self.rest.pop()
        if token in self.matrices:
            return Matrix(self.matrices[token])
        if token == "(":
            out = self._sum()
            if self._peek() == "if":
                return self._cases(out)
            if self._peek() == ",":
                parts = Tuple([out])
                while self._peek() == ",":
                    self.rest.pop()
                    parts.append(self._sum())
                out = parts
            self._take(")")
            return out
        if token in ("-", "−"):
            return -self._power()
        if token.isdigit():
            return float(token)
        function = FUNCTIONS.get(token)
        if token not in self.known and re.fullmatch(rf"\({SLOPE}\)ᵀ|{SLOPE}", token):
            assert self.slope is not None
            jacobian = self.slope(token.removeprefix("(").removesuffix(")ᵀ"))
            if min(jacobian.shape) == 1:
                return jacobian.ravel() if jacobian.size > 1 else float(jacobian[0, 0])
            jacobian = jacobian.T if token.endswith("ᵀ") else jacobian
            function = jacobian.__matmul__
        if function is not None:
            self._take("(")
            arguments = self._listed()
            self._take(")")
            return (
                function(*arguments)
                if isinstance(arguments, Tuple) and token in ("Max", "Min")
                else function(arguments)
            )
        return self.lookup(token)

    def _cases(self, first: Any) -> Any:
        """(a if x > 0, b if y > 0, else c)"""
        chosen, value = [], first
        while True:
            self._take("if")
            chosen += [value] * bool(self._condition())
            if self._peek() == ")":
                break
            self._take(",")
            if self._peek() == "else":
                self.rest.pop()
                chosen.append(self._sum())
                break
            value = self._sum()
        self._take(")")
        return chosen[0]

    def _condition(self) -> bool:
        left = self._sum()
        relation = self.rest.pop()
        return RELATIONS[relation](left, self._sum())

    def _tokens(self, text: str) -> Iterator[str]:
        literal = [re.escape(m) for m in sorted(self.matrices, key=len, reverse=True)]
        pattern = re.compile(rf"\s*({'|'.join((*literal, *KINDS))})")
        at, text = 0, text.strip()
        while at < len(text):
            found = pattern.match(text, at)
            if found is None:
                raise ValueError(f"cannot read {text[at : at + 20]!r}")
            at = found.end()
            yield found[1]


def component(name: str) -> tuple[str, int | None]:
    """``Γ₁`` as Γ and 0; ``ξ₁₃`` as ξ₁ and 2; ``dΓ₂⁽¹⁾`` as dΓ⁽¹⁾ and 1."""
    found = re.fullmatch(r"(.*?)([₁-₉])((?:⁽[⁰¹²³⁴-⁹]+⁾)?)", name)
    return (name, None) if found is None else (found[1] + found[3], int(found[2].translate(SUBSCRIPTS)) - 1)
