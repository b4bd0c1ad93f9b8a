"""Base of mappings of quantities: what is asked for as an attribute is found by its name, and the error says so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from semidirect.core import errors, messages, moved_attribute
from semidirect.expressions.component_names import hyphenated

__all__ = ["ReadByName"]


class ReadByName:
    """Base of read-only mappings name → array: ``run.energy`` raises an error that says ``run["energy"]``."""

    if not TYPE_CHECKING:  # a type checker would accept every attribute

        def __getattr__(self, name: str) -> Any:
            return moved_attribute(self, name, partial(_no_attribute, self))


def _no_attribute(self: Any, name: str) -> Any:
    """The error of an attribute that is neither there nor elsewhere; of a property that failed, its own."""
    kind = type(self)
    if hasattr(kind, name):
        return object.__getattribute__(self, name)
    if name.startswith("_"):
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
    quantities: Any = vars(self).get("data", vars(self).get("named", vars(self).get("quantities", ())))
    raise errors.NoAttributeError(
        f"{kind.__name__} has no attribute {name!r}", hint=_meant(kind, name, tuple(quantities))
    )


def _meant(kind: type, name: str, quantities: tuple[str, ...]) -> str:
    quantity_name = next((candidate for candidate in (name, hyphenated(name)) if candidate in quantities), None)
    if quantity_name is not None:
        return f"Quantities are read by their names: write [{quantity_name!r}] instead of .{name}."
    instead: Mapping[str, str] = getattr(kind, "_instead", {})
    if name in instead:
        return instead[name]
    attribute = messages.nearest_name(name, [candidate for candidate in dir(kind) if not candidate.startswith("_")])
    if attribute is not None:
        return f"Did you mean .{attribute}?"
    quantity = messages.nearest_name(name, quantities)
    text = ", ".join(quantities) or "none"
    return (f"Did you mean [{quantity!r}]? " if quantity else "") + f"Quantities, read as [{'name'!r}]: {text}."
