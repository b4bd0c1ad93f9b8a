"""How a prompt shows an object: one short line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from semidirect.core.display.notebook import preformatted

LONGEST = 160
"""Longest line that represents an object, in characters."""

OF_A_VALUE = 40
"""Longest value on that line, in characters."""


class Brief:
    """Base of dataclasses with ``repr=False``: their ``repr`` is one short line, with the sizes of their fields."""

    def __repr__(self) -> str:
        all_fields = fields(self)  # type: ignore[arg-type]
        return line(type(self).__name__, {f.name: getattr(self, f.name) for f in all_fields if f.repr})


class Read(Brief):
    """Base of results that users read as text: a notebook shows the same text as ``print``."""

    def _repr_html_(self) -> str:
        return preformatted(str(self))


def line(name: str, values: Mapping[str, Any]) -> str:
    """``Name(a=1, b=array(3, 2), …)``, cut after some values."""
    parts: list[str] = []
    for key, value in values.items():
        part = f"{key}={glimpse(value)}"
        if len(name) + sum(len(p) + 2 for p in parts) + len(part) > LONGEST:
            parts.append("…")
            break
        parts.append(part)
    return f"{name}({', '.join(parts)})"


def glimpse(value: Any) -> str:
    """A value if it is short, otherwise its type and size."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        text = str(value.tolist()) if value.dtype != object else ""
        return text if 0 < len(text) <= OF_A_VALUE else f"array{value.shape}"
    if value is None or isinstance(value, (str, bool, int, float, complex)):
        text = repr(value)
    elif isinstance(value, Mapping):
        text = _joined(value)
    elif isinstance(value, (tuple, list, frozenset, set)):
        text = repr(value) if not value else f"{len(value)} × {type(next(iter(value))).__name__}"
        plain = repr(value) if all(isinstance(x, (str, bool, int, float)) for x in value) else text
        text = plain if len(plain) <= OF_A_VALUE else text
    elif callable(value) and not hasattr(value, "shape"):
        text = getattr(value, "__name__", type(value).__name__)
    else:
        text = repr(value)
    if len(text) <= OF_A_VALUE and "\n" not in text:
        return text
    return f"{text[: OF_A_VALUE - 1]}…" if isinstance(value, str) else f"{type(value).__name__}(…)"


def _joined(value: Mapping[Any, Any]) -> str:
    names = ", ".join(map(str, value))
    return f"{{{names}}}" if len(names) < OF_A_VALUE - 2 else f"{len(value)} items"
