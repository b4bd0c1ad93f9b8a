"""What the noise accepts: seeds, counts, path numbers, positive numbers; anything else is an :class:`InputError`."""

from __future__ import annotations

import math
import operator
import os
import reprlib
from pathlib import Path
from typing import Any

import numpy as np

from semidirect.core.errors import InputError

__all__ = ["validated_count", "validated_paths", "validated_place", "validated_positive", "validated_seed"]


def validated_seed(seed: Any) -> int:
    """The seed as an int in [0, 2^64)."""
    return validated_count("seed", seed, 2**64)


def validated_count(name: str, value: Any, below: int) -> int:
    """A non-negative integer below a bound, a bool excepted."""
    try:
        number = -1 if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < below:
        bound = f"2**{below.bit_length() - 1}" if below & (below - 1) == 0 else str(below)
        raise InputError(f"{name} cannot be used", expected=f"an integer from 0 to below {bound}", got=repr(value))
    return number


def validated_paths(paths: Any) -> np.ndarray:
    """Path numbers as a contiguous ``uint64`` array ``(n,)``."""
    if isinstance(paths, range):
        for end in (paths[0], paths[-1]) if paths else ():
            validated_count("path", end, 2**64)
        return _arange(paths)
    if isinstance(paths, (list, tuple)):
        return np.array([validated_count("path", path, 2**64) for path in paths], dtype=np.uint64)
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
    try:
        number = math.nan if isinstance(value, (str, bytes, bool)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 < number < math.inf:
        raise InputError(f"{name} cannot be used", expected="a positive finite number", got=repr(value))
    return number


def validated_place(name: str, value: Any) -> Path:
    """A path of the file system."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(name, expected="a path", got=reprlib.repr(value))
    return Path(value)


def _arange(paths: range) -> np.ndarray:
    offsets = np.arange(len(paths), dtype=np.uint64) * np.uint64(abs(paths.step) if paths else 1)
    first = np.uint64(paths.start if paths else 0)
    return first + offsets if paths.step > 0 else first - offsets
