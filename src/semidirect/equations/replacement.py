"""Symbols replaced in everything that holds expressions: arrays, tuples, dictionaries, frozen records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, final

import numpy as np
import sympy as sp


def replaced(value: Any, rules: Mapping[sp.Symbol, sp.Expr]) -> Any:
    """The value with symbols replaced in its expressions; other values as they are."""
    if isinstance(value, sp.Expr):
        return value.xreplace(rules)
    if isinstance(value, np.ndarray) and value.dtype == object:
        out = np.empty(value.shape, dtype=object)
        for index, entry in np.ndenumerate(value):
            out[index] = replaced(entry, rules)
        return out
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(replaced(x, rules) for x in value)
    if isinstance(value, dict):
        return {k: replaced(x, rules) for k, x in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: replaced(getattr(value, f.name), rules) for f in fields(value)})
    return value


@final
class Replacement:
    """Symbols replaced in many expressions that share their parts: each part is looked at once.

    The expressions are those that ``xreplace`` gives, which looks at a shared part wherever it stands.
    """

    def __init__(self, rules: Mapping[sp.Symbol, sp.Expr]):
        self._known: dict[sp.Basic, sp.Expr | None] = dict(rules)  # None for what stays as it is

    def __call__(self, expressions: Iterable[sp.Expr]) -> tuple[Any, ...]:
        """The expressions with the symbols replaced."""
        return tuple(e if (new := self._new(e)) is None else new for e in expressions)

    def add(self, rules: Mapping[sp.Symbol, sp.Expr]) -> None:
        """Replace more symbols, which no expression had until now."""
        self._known |= rules

    def _new(self, e: Any) -> Any:
        if e in self._known:
            return self._known[e]
        new = None
        if parts := e.args:
            others = [self._new(part) for part in parts]
            if any(other is not None for other in others):
                new = e.func(*(part if other is None else other for part, other in zip(parts, others, strict=True)))
        self._known[e] = new
        return new
