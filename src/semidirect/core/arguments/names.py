"""Names, objects and places that users give as arguments, validated."""

from __future__ import annotations

import errno
import os
import reprlib
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from semidirect.core.errors import InputError, SemidirectError, UnknownNameError

T = TypeVar("T")


def validated_name(kind: str, value: Any, choices: Iterable[str]) -> str:
    """One of the known names; anything else, of any type, raises an :class:`UnknownNameError`."""
    names = tuple(choices)
    if not (isinstance(value, str) and value in names):
        raise UnknownNameError(kind, value, names)
    return value


def validated_names(what: str, value: Any, *, least: int = 0) -> tuple[str, ...]:
    """A sequence of names, at least some; a single string is rejected, since its letters would be read as names."""
    several = isinstance(value, Collection) and not isinstance(value, str) and getattr(value, "ndim", 1) == 1
    if not (several and all(isinstance(x, str) for x in value)):
        hint = f"Write [{value!r}]." if isinstance(value, str) else ""
        raise InputError(what, expected="a list of names", got=reprlib.repr(value), hint=hint)
    if len(value) < least:
        raise InputError(what, expected="at least one name", got="none")
    return tuple(value)


def validated_instance(
    name: str, value: Any, kind: type[T], *, expected: str, error: type[SemidirectError] = InputError
) -> T:
    """An object of a class, not that class itself; ``expected`` says how a user gets one."""
    if not isinstance(value, kind):
        hint = f"Write {value.__name__}()." if isinstance(value, type) and issubclass(value, kind) else ""
        raise error(name, expected=expected, got=reprlib.repr(value), hint=hint)
    return value


def validated_sequence(name: str, value: Any, *, of: str) -> tuple[Any, ...]:
    """A sequence of anything; a single string is rejected, since its letters would be read as the entries."""
    if (
        isinstance(value, (str, bytes))
        or not isinstance(value, (Sequence, np.ndarray))
        or getattr(value, "ndim", 1) == 0
    ):
        hint = f"Write [{value!r}]." if isinstance(value, str) else ""
        raise InputError(name, expected=f"a list of {of}", got=reprlib.repr(value), hint=hint)
    return tuple(value)


def validated_place(name: str, value: Any) -> Path:
    """A path that the file system accepts, with a file name unless it is the root."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(name, expected="a path", got=reprlib.repr(value))
    text = os.fspath(value)
    if not isinstance(text, str) or "\0" in text:
        raise InputError(name, expected="a path, text without NUL", got=reprlib.repr(value))
    if not text:
        raise InputError(name, expected="a path", got="empty text")
    try:
        os.lstat(text)
    except UnicodeEncodeError:
        raise InputError(name, expected="a path that can be encoded", got=ascii(text)) from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            got = f"{len(text)} characters, {reprlib.repr(text)}"
            raise InputError(name, expected="a path that the file system accepts", got=got) from None
    path = Path(text)
    return path if path.name else path.absolute()
