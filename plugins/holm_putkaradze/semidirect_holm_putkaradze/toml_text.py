"""Writing TOML: tables of numbers, strings and lists, as :mod:`tomllib` reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any


def toml_text(table: Mapping[str, Any], name: str = "") -> str:
    """A table as TOML text; ``tomllib.loads`` gives it back."""
    plain = [f"{_key(k)} = {_value(v)}" for k, v in table.items() if not isinstance(v, Mapping)]
    parts = ["\n".join([f"[{name}]"] * bool(name and (plain or not table)) + plain)]
    for key, value in table.items():
        if isinstance(value, Mapping):
            parts.append(toml_text(value, f"{name}.{_key(key)}" if name else _key(key)).rstrip("\n"))
    return "\n\n".join(p for p in parts if p) + "\n"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
