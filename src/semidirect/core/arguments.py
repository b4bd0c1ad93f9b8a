"""Validation of arguments: seeds, counts, path numbers, numbers, names, file paths; raises :class:`InputError`."""

from __future__ import annotations

import errno
import math
import operator
import os
import reprlib
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from semidirect.core.errors import InputError, UnknownNameError
from semidirect.core.parameters import numeric

__all__ = [
    "validated_array",
    "validated_flag",
    "validated_instance",
    "validated_name",
    "validated_names",
    "validated_number",
    "validated_paths",
    "validated_place",
    "validated_positive",
    "validated_seed",
    "validated_sequence",
    "validated_time",
    "validated_whole",
]

T = TypeVar("T")

MOST = 2**53
"""The largest count where nothing smaller bounds one: beyond it, floats do not represent whole numbers."""


def validated_seed(seed: Any) -> int:
    """The seed as an int in [0, 2^64)."""
    return validated_whole("seed", seed, least=0, most=2**64 - 1)


def validated_paths(paths: Any) -> np.ndarray:
    """Path numbers as a contiguous ``uint64`` array ``(n,)``."""
    if isinstance(paths, range):
        for end in (paths[0], paths[-1]) if paths else ():
            validated_whole("path", end, least=0, most=2**64 - 1)
        validated_whole("the number of paths", max(0, -(-(paths.stop - paths.start) // paths.step)), least=0)
        return _arange(paths)
    if isinstance(paths, (list, tuple)):
        return np.array([validated_whole("path", path, least=0, most=2**64 - 1) for path in paths], dtype=np.uint64)
    given = np.asarray(paths)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        got = f"shape {given.shape}, {given.dtype}"
        raise InputError("paths cannot be used", expected="a range or integers of shape (n,)", got=got)
    if given.dtype.kind == "i" and given.size and given.min() < 0:
        index = int(np.argmax(given < 0))
        raise InputError("a path is negative", got=str(given[index]), where=f"index {index}")
    return np.ascontiguousarray(given, dtype=np.uint64)


def validated_positive(name: str, value: Any) -> float:
    """A positive finite float."""
    return validated_number(f"{name} cannot be used", value, expected="a positive finite number", positive=True)


def validated_flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(name, expected="True or False", got=reprlib.repr(value))
    return bool(value)


def validated_number(name: str, value: Any, *, expected: str = "a finite number", positive: bool = False) -> float:
    """A finite float, of any kind of real number."""
    try:
        number = float(numeric(value)) if np.ndim(value) == 0 else math.nan
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not (math.isfinite(number) and (number > 0 or not positive)):
        raise InputError(name, expected=expected, got=reprlib.repr(value))
    return number


def validated_array(name: str, value: Any) -> np.ndarray:
    """An array of real numbers, of any shape."""
    try:
        return numeric(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(name, expected="real numbers", got=reprlib.repr(value)) from None


def validated_whole(name: str, value: Any, *, least: int, most: int = MOST) -> int:
    """A whole number, the only validator of counts: every one has an upper bound; a bool is rejected."""
    try:
        number = None if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        open_ended = most == MOST and (number is None or number <= most)
        bound = f"at least {least}" if open_ended else f"from {least} to {_power_of_two(most)}"
        raise InputError(name, expected=f"a whole number, {bound}", got=reprlib.repr(value))
    return number


def validated_time(name: str, value: Any, *, positive: bool = False) -> float:
    """A time or a step [s] of a run or of data: a finite number, at least 0 or positive; a bool is rejected."""
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    try:
        seconds = float(value) if number else math.nan
    except OverflowError:  # an integer beyond the range of floats
        seconds = math.nan
    if not (math.isfinite(seconds) and (seconds > 0 if positive else seconds >= 0)):
        expected = "a positive finite number of seconds" if positive else "a finite number of seconds, at least 0"
        raise InputError(name, expected=expected, got=reprlib.repr(value))
    return seconds


def validated_name(kind: str, value: Any, known: Iterable[str]) -> str:
    """One of the known names; anything else, of any type, raises an :class:`UnknownNameError`."""
    names = tuple(known)
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


def validated_instance(name: str, value: Any, kind: type[T], *, expected: str) -> T:
    """An object of a class; ``expected`` says how a user gets one."""
    if not isinstance(value, kind):
        raise InputError(name, expected=expected, got=reprlib.repr(value))
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


def _arange(paths: range) -> np.ndarray:
    offsets = np.arange(len(paths), dtype=np.uint64) * np.uint64(abs(paths.step) if paths else 1)
    first = np.uint64(paths.start if paths else 0)
    return first + offsets if paths.step > 0 else first - offsets


def _power_of_two(most: int) -> str:
    """A bound as text, as a power of two where it is a large one."""
    if most < 2**30:
        return str(most)
    power, above = (most + 1).bit_length() - 1, most + 1
    return f"2**{power} - 1" if above == 2**power else f"2**{power}" if most == 2**power else str(most)
