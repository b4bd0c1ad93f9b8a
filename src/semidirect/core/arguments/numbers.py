"""Numbers that users give as arguments, validated."""

from __future__ import annotations

import math
import operator
import reprlib
from typing import Any

import numpy as np

from semidirect.core.errors import InputError

MOST = 2**53
"""The largest count where nothing smaller bounds one: beyond it, floats do not represent whole numbers."""


def numeric(value: Any) -> np.ndarray:
    """A new float array of real numbers.

    Text, truth values, complex numbers, dates, ``None`` and masked entries raise a TypeError, although NumPy would
    convert them; whole numbers beyond the range of floats raise a ValueError.
    """
    array = np.asarray(value)
    if array.dtype.kind not in "iufO" or (array.dtype == object and any(x is None for x in array.flat)):
        raise TypeError("not numbers")
    if np.ma.is_masked(value):  # NumPy would use the value under the mask
        raise TypeError("masked")
    try:
        return np.array(value, dtype=float)
    except OverflowError as error:
        raise ValueError(str(error)) from None


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
    array = np.asarray(paths)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        got = f"shape {array.shape}, {array.dtype}"
        raise InputError("paths cannot be used", expected="a range or integers of shape (n,)", got=got)
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        index = int(np.argmax(array < 0))
        raise InputError("a path is negative", got=str(array[index]), where=f"index {index}")
    return np.ascontiguousarray(array, dtype=np.uint64)


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


def finite_time(t: Any) -> float:
    """A time [s] of the equations, which may be negative."""
    return validated_number("t", t, expected="a finite time")


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
