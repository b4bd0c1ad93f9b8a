"""Errors of calls whose arguments do not have the names or the number that a function takes.

Python says "unexpected keyword argument" and leaves the search to the user. A function or class with :func:`explains_calls`
says which argument it probably is, which are missing, and how the call is written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

__all__ = ["explains_calls", "explains_constructor", "says_instead"]

C = TypeVar("C", bound=Callable[..., Any])


def says_instead(**remedies: str) -> Callable[[C], C]:
    """Let a function answer certain arguments by an error that says what to write instead."""

    def decorated(function: C) -> C:
        function.elsewhere = {name: f"{text} " for name, text in remedies.items()}  # type: ignore[attr-defined]
        return function

    return decorated


def explains_calls(target: C) -> C:
    """A function, or a class with its constructor and its public methods, whose calls with other arguments raise a
    :class:`.CallError`.
    """
    if not isinstance(target, type):
        return _explained(target)
    for name, value in list(vars(target).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(value, FunctionType):
            setattr(target, name, _explained(value))
        elif isinstance(value, (classmethod, staticmethod)) and isinstance(value.__func__, FunctionType):
            setattr(target, name, type(value)(_explained(value.__func__)))
    return target


def explains_constructor(kind: type) -> None:
    """Let the constructor of a class, which another class may define, explain its calls."""
    owner = next(base for base in kind.__mro__ if "__init__" in vars(base))
    constructor = vars(owner)["__init__"]
    if isinstance(constructor, FunctionType):
        owner.__init__ = _explained(constructor)  # type: ignore[misc]
    elif owner is object and getattr(kind, "__final__", False):  # which takes no arguments
        kind.__init__ = _explained(_nothing_to_set)  # type: ignore[misc]


def _nothing_to_set(self: Any) -> None:
    """An object without data."""


_nothing_to_set.__name__ = _nothing_to_set.__qualname__ = "__init__"


def _explained(function: Any) -> Any:
    if getattr(function, "explains", False):
        return function

    @wraps(function)
    def called(*args: Any, **arguments: Any) -> Any:
        try:
            return function(*args, **arguments)
        except TypeError as error:
            from semidirect.core.call_explanation import raise_explained

            raise_explained(function, args, arguments, error)

    called.explains = True  # type: ignore[attr-defined]
    return called
