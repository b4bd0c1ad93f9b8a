"""A capability: a column of the table, with the check that a kind has to pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from what_works_with_what.kind import Kind

CAPABILITIES: list[Capability] = []
"""All columns, in their order."""


@final
@dataclass(frozen=True)
class Capability:
    """A column; its check returns how the values were verified, or raises what the library or an assertion raises."""

    name: str
    check: Callable[[Kind], str]


def capability(name: str) -> Callable[[Callable[[Kind], str]], Callable[[Kind], str]]:
    """Declare a check as that of a capability."""

    def declare(check: Callable[[Kind], str]) -> Callable[[Kind], str]:
        CAPABILITIES.append(Capability(name, check))
        return check

    return declare
