"""The class or the system that a contract tests."""

from __future__ import annotations

from typing import Any

from semidirect import System
from semidirect.core import errors
from semidirect.definition import Preset


def made_by(target: Any, what: str) -> type[System]:
    """The class of a class or preset.

    Raises
    ------
    InputError
        For a system that is made already, a name, or anything else.
    """
    kind = target.system if isinstance(target, Preset) else target
    if isinstance(kind, type) and issubclass(kind, System):
        return kind
    hint = ""
    if isinstance(target, System):
        hint = f"Give its class, {type(target).__name__}, and its parameters separately."
    elif isinstance(target, str):
        hint = f"Give sd.plugins.load({target!r})."
    raise errors.InputError(what, expected="a System subclass or a Preset", got=repr(target), hint=hint)


def a_system(value: Any, what: str) -> System:
    """The system that was given; raises :class:`InputError` for anything else, such as a class that is not called."""
    if isinstance(value, System):
        return value
    hint = f"Write {value.__name__}()." if isinstance(value, type) and issubclass(value, System) else ""
    hint = f"Write sd.load({value!r})." if isinstance(value, str) else hint
    raise errors.InputError(what, expected="a system, made, such as MySystem()", got=repr(value), hint=hint)
