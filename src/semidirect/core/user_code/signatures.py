"""Call a user's function with the arguments that it names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from semidirect.core.errors import DefinitionError


def _named(function: Callable[..., Any]) -> tuple[str, ...] | None:
    """The arguments that a function requires, ``None`` if it takes any (``**at``)."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # a builtin
        parameters = inspect.signature(lambda *arguments: None).parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.POSITIONAL_ONLY) and p.default is p.empty for p in parameters):
        raise DefinitionError(
            f"{getattr(function, '__qualname__', function)} takes arguments without names", hint="Give names to the arguments.",
        )  # fmt: skip
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    by_keyword = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(p.name for p in parameters if p.kind in by_keyword and p.default is p.empty)


def call(function: Any, **available: Any) -> Any:
    """Call ``function`` with the arguments that it names among ``available``; a constant is returned as it is.

    So a Lagrangian may be written ``l(xi, a)`` or ``l(xi, a, t, z)``.

    Raises
    ------
    DefinitionError
        If the function names an argument that is not available.
    """
    if not callable(function):
        return _unmasked(function, "a value")
    names = _named(function)
    if names is None:
        return _unmasked(function(**available), _name(function))
    unknown = [n for n in names if n not in available]
    if unknown:
        raise DefinitionError(
            f"{_name(function)} asks for {', '.join(map(repr, unknown))}",
            hint=f"It may name any of: {', '.join(available)}.",
        )
    return _unmasked(function(**{n: available[n] for n in names}), _name(function))


def _name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__qualname__", function))


def _unmasked(value: Any, what: str) -> Any:
    """The value itself; masked entries, of which NumPy would read the hidden numbers, raise a :class:`DefinitionError`."""
    parts: Any = ()
    if isinstance(value, (list, tuple)):
        parts = value
    elif is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, f.name) for f in fields(value)]
    if np.ma.is_masked(value) if isinstance(value, np.ndarray) else any(map(_has_mask, parts)):
        raise DefinitionError(
            f"{what} has masked entries", expected="a value for each", hint="Fill them: value.filled(0)."
        )
    return value


def _has_mask(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_mask, value))
    return isinstance(value, np.ma.MaskedArray) and bool(np.ma.is_masked(value))


def listed(value: Any) -> list[Any] | None:
    """The sequence that a user's function returned (a list, a tuple, an array or a generator); ``None`` for anything else."""
    several = isinstance(value, (list, tuple, Iterator)) or (isinstance(value, np.ndarray) and value.ndim > 0)
    return list(value) if several else None


def apply(function: Callable[..., Any], argument: Any, what: str) -> Any:
    """Call ``function`` with one argument.

    Raises
    ------
    DefinitionError
        If it cannot be called with exactly one argument; ``what`` names it in the message.
    """
    require_state_signature(function, what, argument)
    return _unmasked(function(argument), what)


def require_state_signature(function: Callable[..., Any], what: str, *arguments: Any) -> None:
    """Raise an error if a function of the state cannot be called with these arguments, the last of which is the state.

    Raises
    ------
    DefinitionError
        With ``what`` as its name.
    """
    try:
        signature = inspect.signature(function)
    except ValueError:  # a builtin
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        raise DefinitionError(
            f"{what} takes other arguments", expected="one, the state", got=str(error),
            hint="Everything else is an attribute of the state: state.t is the time, state.s the configuration.",
        ) from None  # fmt: skip
