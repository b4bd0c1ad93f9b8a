"""Writing TOML: tables of numbers, strings and lists, as :mod:`tomllib` reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def toml_text(table: Mapping[str, Any], name: str = "") -> str:
    """A table as TOML text; ``tomllib.loads`` gives it back."""
    plain = [f"{k} = {_value(v)}" for k, v in table.items() if not isinstance(v, Mapping)]
    parts = ["\n".join([f"[{name}]"] * bool(name and (plain or not table)) + plain)]
    for key, value in table.items():
        if isinstance(value, Mapping):
            parts.append(toml_text(value, f"{name}.{key}" if name else key).rstrip("\n"))
    return "\n\n".join(p for p in parts if p) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)
