"""Straight pieces of a kernel as functions of their own, of which the compiler makes instructions without inferring types."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import final

_ROWS = frozenset({"cell", "row", "largest"})
"""Rows of lanes before their places are known: they come to be in one buffer, ``B``."""
_KNOWN = frozenset({"np", "U", "LOW_32", "S32"})


@final
class StraightBlocks:
    """The functions of a module, in the order in which they are made."""

    def __init__(self) -> None:
        self._functions: list[str] = []

    @property
    def text(self) -> str:
        """Their definitions."""
        return "\n\n".join(self._functions)

    def call(self, lines: Sequence[str]) -> str:
        """The call that stands for lines without branches, of which the last may return a number."""
        body = "".join(f"    {line}\n" for line in lines)
        name, names = f"block_{len(self._functions)}", ", ".join(_read("\n".join(lines)))
        self._functions.append(f"@straight\ndef {name}({names}):\n{body}")
        return f"{name}({names})"


def _read(text: str) -> list[str]:
    """The names that lines read and do not bind, without functions."""
    nodes = list(ast.walk(ast.parse(text)))
    names = {n.id: n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    called = {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return sorted({"B" if name in _ROWS else name for name in names.keys() - bound - called - _KNOWN})
