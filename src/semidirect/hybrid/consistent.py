"""Whether the arrays of a run of a hybrid system fit each other, also if a file of somebody else states them."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from semidirect.core import errors, failure

LARGEST_NUMBER_OF_MODES = 127


def require_consistent(run: Any) -> None:
    """Raise an :class:`InputError` for the first entry of a :class:`.HybridRun` that cannot be what a simulation returns."""
    _names("modes", run.modes, most=LARGEST_NUMBER_OF_MODES)
    _names("switches", run.switches)
    _require(type(run.start) is int and 0 <= run.start < len(run.modes), "start of a hybrid run",
             f"the number of a mode, below {len(run.modes)}", run.start)  # fmt: skip
    for name, array in (("times", run.times), ("mode", run.mode), ("status", run.status), ("ended_at", run.ended_at)):
        _array(name, array)
    _floats("times", run.times, 1)
    ordered = len(run.times) > 0 and np.isfinite(run.times).all() and (np.diff(run.times) > 0).all()
    _require(ordered, "times of a hybrid run", "at least one, finite and increasing", run.times)
    _numbers("status", run.status, (None,), len(failure.FLAGS.split()))
    paths, times = len(run.status), len(run.times)
    _require(paths > 0, "paths of a hybrid run", "at least one", paths)
    _numbers("mode", run.mode, (paths, times), len(run.modes))
    _floats("ended_at", run.ended_at, 1)
    ends = (
        run.ended_at.shape == (paths,)
        and np.where(run.status == failure.GOOD, np.isnan(run.ended_at), np.isfinite(run.ended_at)).all()
    )
    _require(ends, "ended_at of a hybrid run", "numbers where the status of a path is not 0, else nan", run.ended_at)
    for name, array in run.data.items():
        _array(name, array)
        _floats(name, array, 2, 3)
        _shape(name, array, (paths, times))
    for what in ("units", "long_names"):
        texts: Mapping[Any, Any] = getattr(run, what)
        _require(
            all(isinstance(x, str) for pair in texts.items() for x in pair),
            f"{what} of a hybrid run",
            "text",
            dict(texts),
        )
    _transitions(run, paths)


def _transitions(run: Any, paths: int) -> None:
    """The table: numbers within their ranges, path after path, each mode the one that the path entered before."""
    table = run.transitions
    for name, array in vars(table).items():
        _array(f"transition_{name}", array)
    count = len(table.path)
    for name, most in (
        ("path", paths),
        ("source", len(run.modes)),
        ("target", len(run.modes)),
        ("switch", len(run.switches)),
    ):
        _numbers(f"transition_{name}", getattr(table, name), (count,), most)
    for name, axes in (("time", 1), ("loss", 1), ("impulse", 2)):
        _floats(f"transition_{name}", getattr(table, name), axes)
        _shape(f"transition_{name}", getattr(table, name), (count,))
    same = np.diff(table.path) == 0
    _require((np.diff(table.path) >= 0).all(), "transition_path of a hybrid run", "paths in order", table.path)
    ordered = np.isfinite(table.time).all() and (np.diff(table.time)[same] >= 0).all()
    _require(ordered, "transition_time of a hybrid run", "finite, in order on each path", table.time)
    about = run.config.get("hybrid", {})
    continued = isinstance(about, Mapping) and about.get("continued")
    before = np.array(table.source) if continued else np.full(count, run.start)
    before[1:][same] = table.target[:-1][same]
    _require(
        np.array_equal(before, table.source),
        "transition_source of a hybrid run",
        "the mode that the path was in",
        table.source,
    )


def _require(right: Any, what: str, expected: str, got: Any) -> None:
    if not right:
        raise errors.InputError(
            what, expected=expected, got=reprlib.repr(got.tolist() if isinstance(got, np.ndarray) else got)
        )


def _names(what: str, names: Sequence[str], most: int | None = None) -> None:
    texts = isinstance(names, tuple) and all(isinstance(name, str) and name for name in names)
    number = "texts" if most is None else f"1 to {most} different texts"
    right = texts and (most is None or 0 < len(set(names)) == len(names) <= most)
    _require(right, f"{what} of a hybrid run", f"a tuple of {number}", names)


def _array(name: str, array: Any) -> None:
    _require(isinstance(array, np.ndarray), f"{name} of a hybrid run", "an array", array)


def _floats(name: str, array: np.ndarray, *axes: int) -> None:
    right = array.dtype.kind == "f" and array.ndim in axes
    _require(
        right,
        f"{name} of a hybrid run",
        f"floats with {' or '.join(map(str, axes))} axes",
        f"{array.dtype} {array.shape}",
    )


def _shape(name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
    _require(
        array.shape[: len(shape)] == shape,
        f"{name} of a hybrid run",
        f"the shape {shape} of its first axes",
        array.shape,
    )


def _numbers(name: str, array: np.ndarray, shape: tuple[int | None, ...], most: int) -> None:
    """Integers from 0 to below ``most``."""
    fits = array.dtype.kind in "iu" and array.ndim == len(shape)
    fits = fits and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True))
    expected = f"integers of shape ({', '.join('paths' if n is None else str(n) for n in shape)})"
    _require(fits, f"{name} of a hybrid run", expected, f"{array.dtype} {array.shape}")
    _require(((array >= 0) & (array < most)).all(), f"{name} of a hybrid run", f"integers from 0 to {most - 1}", array)
