"""Which times of a run are kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from semidirect.errors import InputError
from semidirect.parameters import numeric

MOST_TIMES = 10_000_000


def steps_of(t_end: float, dt: float) -> int:
    """The number of steps dt in t_end.

    Raises
    ------
    InputError
        If either is not a positive finite number, or t_end is not a multiple of dt to 1e-9 of a step.
    """
    for name, value in (("t_end", t_end), ("dt", dt)):
        if not (isinstance(value, (int, float, np.integer, np.floating)) and np.isfinite(value) and value > 0):
            raise InputError(f"{name}", expected="a positive finite number of seconds", got=repr(value))
    ratio = t_end / dt
    steps = round(ratio)
    if steps < 1 or abs(ratio - steps) > 1e-9 * max(1.0, steps * 1e-3):
        near = max(steps, 1)
        raise InputError(
            "t_end is not a multiple of dt", expected="a whole number of steps", got=f"{ratio:.12g} steps",
            hint=f"Take t_end = {near * dt:.12g}, or dt = {t_end / near:.12g}.",
        )  # fmt: skip
    return int(steps)


def kept_steps(save: str | Sequence[float], steps: int, dt: float, what: str = "save") -> np.ndarray:
    """Indices of the steps to keep, the last one always.

    Parameters
    ----------
    save : str or sequence of float
        ``"all"``, ``"final"``, ``"every:K"``, ``"times:[t1, …]"`` or the times themselves [s], multiples of dt.
    what : str
        The argument that says so.

    Raises
    ------
    InputError
        For anything else.
    """
    if isinstance(save, (bytes, bool)) or not hasattr(save, "__len__"):
        raise _not_a_schedule(save, what)
    if not isinstance(save, str):
        return _at_times(save, steps, dt, what)
    if save == "final":
        return np.array([steps])
    kind, _, argument = ("every:1" if save == "all" else save).partition(":")
    if kind == "every" and argument.isdecimal() and int(argument) > 0:
        count = steps // int(argument) + 1
        if count > MOST_TIMES:
            raise InputError("too many times to keep", expected=f"at most {MOST_TIMES}", got=str(count),
                             hint="Save less: save='every:K' with a larger K, or 'final'.")  # fmt: skip
        return np.unique(np.append(np.arange(0, steps + 1, int(argument)), steps))
    if kind == "times":
        text = argument.strip()
        try:
            times = json.loads(text if text.startswith("[") else f"[{text}]")
        except json.JSONDecodeError:
            times = None
        if times and isinstance(times, list) and all(isinstance(t, (int, float)) for t in times):
            return _at_times(times, steps, dt, what)
    raise _not_a_schedule(save, what)


def _not_a_schedule(save: Any, what: str) -> InputError:
    return InputError(what, expected="final, all, every:K, times:t1,t2,… or a sequence of times", got=repr(save))


def _at_times(times: Sequence[float], steps: int, dt: float, what: str) -> np.ndarray:
    try:
        wanted = numeric(times)
    except (TypeError, ValueError):
        raise _not_a_schedule(times, what) from None
    if wanted.ndim != 1:
        raise _not_a_schedule(times, what)
    index = np.rint(wanted / dt)
    for t, i in zip(wanted, index, strict=True):
        if not 0 <= i <= steps or abs(t / dt - i) > 1e-6:
            raise InputError("a time to save", expected=f"a multiple of {dt:g} from 0 to {steps * dt:g}", got=f"{t:g}")
    return np.unique([*index.astype(int), steps])
