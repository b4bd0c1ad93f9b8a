"""Output of commands: JSON that every parser accepts, aligned tables, files in folders that were checked before."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from semidirect.core.errors import StoreError


def print_json(value: Any) -> None:
    """Print a value as one line of JSON; a non-finite number is ``null``."""
    print(json.dumps(plain(value), allow_nan=False))


def plain(value: Any) -> Any:
    """The value converted to JSON's types."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def figures(value: Any) -> str:
    """A number to six figures, a dash for none; a list in brackets."""
    value = plain(value)
    if isinstance(value, list):
        return f"[{', '.join(map(figures, value))}]"
    if value is None:
        return "-"
    if isinstance(value, (bool, str)):
        return str(value).lower() if isinstance(value, bool) else value
    return f"{value:.6g}"


def components(
    name: str, value: Any, known: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> Iterator[tuple[str, Any]]:
    """A scalar with its name, or the components of a vector with theirs: ``Omega1``, ``Omega2``, …, or the names in ``known``."""
    if isinstance(value, (list, tuple)):
        names = known.get(name) or [f"{name}{i + 1}" for i in range(len(value))]
        yield from zip(names, value, strict=True)
    else:
        yield name, value


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: int = 0) -> str:
    """Aligned columns under a header; those in ``right`` are flush right, the others flush left."""
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(_width(line[i]) for line in lines) for i in range(len(header))]
    text = []
    for line in lines:
        cells = [_padded(cell, width, i in right) for i, (cell, width) in enumerate(zip(line, widths, strict=True))]
        text.append((" " * indent + "  ".join(cells)).rstrip())
    return "\n".join(text)


def _padded(cell: str, width: int, right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if right else cell + space


def _width(cell: str) -> int:
    return sum(not unicodedata.combining(c) for c in cell)


def new_folder(path: Path) -> Path:
    """The path, after a check that a folder can be created there, by creating it and removing it again.

    Raises
    ------
    StoreError
        If something exists there, or a folder cannot be created.
    """
    if path.exists() or path.is_symlink():
        raise StoreError(f"{path} exists already", hint="Choose another name, or remove it.")
    if not path.parent.exists():
        raise StoreError(f"cannot write {path}: there is no folder {path.parent}", hint="Make it first.")
    try:
        path.mkdir()
        path.rmdir()
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(f"cannot write {path}: {reason}", hint="Choose a place you may write to.") from error
    return path


def span(t_start: float, t_end: float) -> str:
    """The time span in words."""
    return f"to t = {t_end:g} s" if t_start == 0 else f"from t = {t_start:g} s to t = {t_end:g} s"
