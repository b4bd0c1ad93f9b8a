"""Symbols replaced in everything that holds expressions: arrays, tuples, dictionaries, frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

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
