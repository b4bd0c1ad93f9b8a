"""The times at which a run is saved."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from semidirect.core import arguments, errors, messages
from semidirect.specification.schedule.labels import nearest_steps

SAVE_WORDS = {"all": "all", "final": "final", "every": "every:10", "times": "times:0,1"}
"""The first words of schedules, each with an example."""

MOST_TIMES = 10_000_000
MOST_STEPS = 2**53
"""Beyond this number of steps, a float cannot represent the number of a step, and hence its time."""


def steps_of(t_end: float, dt: float) -> int:
    """The number of steps dt in t_end.

    Raises
    ------
    InputError
        If either is not a positive finite number, t_end is not a multiple of dt to 1e-9 of a step, or dt is too small.
    """
    return _multiple(
        "t_end",
        arguments.validated_time("t_end", t_end, positive=True),
        arguments.validated_time("dt", dt, positive=True),
        1,
    )


def steps_between(t_start: float, t_end: float, dt: float) -> tuple[int, int]:
    """The numbers of the steps at t_start and t_end, counted from t = 0, where the noise begins.

    Raises
    ------
    InputError
        If t_start is not a finite number of at least 0, if dt or t_end is not a positive finite number, if a time is not a
        multiple of dt to 1e-9 of a step, or if t_end is not after t_start.
    """
    last = steps_of(t_end, dt)
    first = step_at("t_start", t_start, dt)
    if last <= first:
        raise _not_after(t_start, t_end)
    return first, last


def _not_after(t_start: float, t_end: float) -> errors.InputError:
    return errors.InputError("t_end", expected=f"a time after t_start = {t_start:.12g}", got=f"{t_end:.12g}",
                             hint="Times are absolute: a run covers the interval from t_start to t_end.")  # fmt: skip


def span_of(t_start: Any, t_end: Any) -> tuple[float, float]:
    """Start and end of a run [s], before its step is known.

    Raises
    ------
    InputError
        If t_start is not a finite number of at least 0, or t_end not one after it.
    """
    start, end = arguments.validated_time("t_start", t_start), arguments.validated_time("t_end", t_end, positive=True)
    if end <= start:
        raise _not_after(start, end)
    return start, end


def step_at(name: str, time: Any, dt: Any) -> int:
    """The number of the step at a time, counted from t = 0.

    Raises
    ------
    InputError
        If it is not a finite number of at least 0, not a multiple of dt to 1e-9 of a step, or dt is not positive or too small.
    """
    return _multiple(name, arguments.validated_time(name, time), arguments.validated_time("dt", dt, positive=True), 0)


def _multiple(name: str, time: float, dt: float, least: int) -> int:
    ratio = time / dt
    if ratio > MOST_STEPS:
        raise errors.InputError(
            "dt", expected=f"a step of which fewer than 2**53 reach {name}", got=f"dt = {dt:g}, {name} = {time:g}"
        )
    steps = round(ratio)
    if steps < least or abs(ratio - steps) > 1e-9 * max(1.0, steps * 1e-3):
        near = max(steps, 1)
        raise errors.InputError(
            f"{name} is not a multiple of dt", expected="a whole number of steps", got=f"{ratio:.12g} steps",
            hint=f"Take {name} = {near * dt:.12g}, or dt = {time / near:.12g}.",
        )  # fmt: skip
    return int(steps)


def selected_steps(
    save: str | Sequence[float], last: int, dt: float, first: int = 0, *, what: str = "save"
) -> np.ndarray:
    """Numbers of the steps to save, from ``first`` to ``last``; the last one is always included.

    Parameters
    ----------
    save : str or sequence of float
        ``"all"``, ``"final"``, ``"every:K"`` (the first step and each K-th after it), ``"times:[t1, …]"`` or the times
        themselves [s], multiples of dt.
    what : str
        The name of the argument.

    Raises
    ------
    InputError
        For anything else.
    """
    every = _read(save, what)
    if not isinstance(every, int):
        return _at_times(every, first, last, dt) if len(every) else np.array([last])
    count = (last - first) // every + 1
    if count > MOST_TIMES:
        raise errors.InputError("too many times to save", expected=f"at most {MOST_TIMES}", got=str(count),
                                hint="Save less: save='every:K' with a larger K, or 'final'.")  # fmt: skip
    return np.unique(np.append(np.arange(first, last + 1, every), last))


def validated_schedule(what: str, value: Any) -> str | tuple[float, ...]:
    """A schedule as :func:`selected_steps` takes it: its text as it is, or its times as numbers [s].

    Raises
    ------
    InputError
        For anything else.
    """
    times = _read(value, what)
    return value if isinstance(value, str) else tuple(np.asarray(times).tolist())


def plain_schedule(value: str | Sequence[float]) -> str | list[float]:
    """A schedule in JSON's types."""
    return value if isinstance(value, str) else [float(t) for t in value]


def _read(value: Any, what: str) -> int | np.ndarray:
    """Steps from one time to the next, or the times [s]; without any, the end alone."""
    if isinstance(value, (bytes, bool)) or not hasattr(value, "__len__"):
        raise _not_a_schedule(value, what)
    if not isinstance(value, str):
        return _numbers(value, what)
    kind, _, argument = ("every:1" if value == "all" else value).partition(":")
    if kind == "every" and argument.isdecimal() and len(argument) < 20 and int(argument) > 0:
        return int(argument)
    if value == "final":
        return np.zeros(0)
    if kind == "times":
        text = argument.strip()
        try:
            times = json.loads(text if text.startswith("[") else f"[{text}]")
        except (ValueError, RecursionError):
            times = None
        if times and isinstance(times, list) and all(isinstance(t, (int, float)) for t in times):
            return _numbers(times, what)
    raise _not_a_schedule(value, what)


def _not_a_schedule(save: Any, what: str) -> errors.InputError:
    expected = "final, all, every:K, times:t1,t2,… or a sequence of times"
    return errors.InputError(what, expected=expected, got=reprlib.repr(save), hint=_meant(save, what))


def _meant(save: Any, what: str) -> str:
    """The probable meaning of a text that is no schedule, or of a list of names."""
    near = messages.nearest_name(save.partition(":")[0], SAVE_WORDS, likeness=0.8) if isinstance(save, str) else None
    if near is not None:
        return f"Did you mean {SAVE_WORDS[near]!r}?"
    names = [save] if isinstance(save, str) else save
    named = isinstance(names, (list, tuple)) and names and all(isinstance(name, str) for name in names)
    if named and what == "save" and all(name.isprintable() and name.strip() for name in names):
        return f"These are times; quantities are chosen by save=sd.Save(names={reprlib.repr(list(names))})."
    return ""


def _numbers(times: Any, what: str) -> np.ndarray:
    try:
        numbers = arguments.numeric(times)
    except (TypeError, ValueError):
        raise _not_a_schedule(times, what) from None
    if numbers.ndim != 1:
        raise _not_a_schedule(times, what)
    return numbers


def _at_times(times: np.ndarray, first: int, last: int, dt: float) -> np.ndarray:
    index, off = nearest_steps(times, dt)
    outside = off | ~((index >= first) & (index <= last))
    if outside.any():
        expected = f"a multiple of {dt:g} from {first * dt:g} to {last * dt:g}"
        raise errors.InputError("a time to save", expected=expected, got=f"{times[outside][0]:g}")
    return np.unique([*index.astype(int), last])
