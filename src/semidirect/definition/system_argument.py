"""Checks the argument of functions that take a system."""

from __future__ import annotations

import reprlib
from typing import Any

from semidirect.core import errors
from semidirect.definition.system_definition import SystemDefinition


def a_system(value: Any) -> SystemDefinition:
    """The system itself; raises :class:`InputError` for anything else, such as a class that is not called."""
    if isinstance(value, SystemDefinition):
        return value
    hint = f"Write {value.__name__}()." if isinstance(value, type) and issubclass(value, SystemDefinition) else ""
    hint = hint or getattr(type(value), "no_system", "")
    raise errors.InputError(
        "a system", expected="an object such as sd.load('rigid-body')", got=reprlib.repr(value), hint=hint
    )
