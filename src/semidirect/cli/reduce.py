"""The grammar of ``--stop`` and ``--crossing``, and the output of statistics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from semidirect.core import Flag, errors

if TYPE_CHECKING:
    import semidirect as sd

STOP = (
    Flag("stop", "stop a path at an event, e.g. 'energy>=2', 'Gamma3<=0', or a crossing as below; repeatable", "texts", "EVENT",
         completion="quantities>="),
    Flag("stop-every", "check for the event every K steps (default: 1)", "whole", "K"),
    Flag("locate", "compute the time and the state of a stop within the step, with noise by bridges", "switch"),
)  # fmt: skip
CROSSING = Flag(
    "crossing", "record where a quantity crosses a level, e.g. 'Gamma3=0' or 'Gamma3=0,rising'; repeatable", "texts",
    "NAME=LEVEL", completion="quantities=",
)  # fmt: skip

_LEVEL = r"(>=|<=|=)\s*([^\s<>=,]+)\s*(?:,\s*(rising|falling|both)\s*)?"
_CONDITION = re.compile(rf"\s*([^\s\[\]<>=]+)\s*(?:\[(\d+)\])?\s*{_LEVEL}")
_CONDITION_ON_EXPRESSION = re.compile(rf"\s*(.+?)\s*()(?<![<>=]){_LEVEL}")


def read_stops(
    texts: Sequence[str] | None, every: int | None, locate: bool | None
) -> list[sd.Stop | sd.Crossing] | None:
    """Conditions that stop a path, from ``NAME>=LEVEL``, ``NAME[K]<=LEVEL``, ``EXPRESSION>=LEVEL``, or as :func:`read_crossings`.

    Raises
    ------
    InputError
        For any other text.
    """
    if texts is None:
        if every is not None or locate:
            raise errors.InputError("--stop-every" if every is not None else "--locate", expected="--stop NAME>=LEVEL with it",
                                    got="none")  # fmt: skip
        return None
    import semidirect as sd

    stops: list[sd.Stop | sd.Crossing] = []
    for text in texts:
        name, component, sign, level, direction = _condition("--stop", text, "'energy>=2' or 'Gamma3=0,falling'")
        if sign == "=":
            stops.append(_crossing(name, component, level, direction))
        else:
            above, below = (level, None) if sign == ">=" else (None, level)
            stops.append(sd.Stop(name, above, below, component, 1 if every is None else every, bool(locate)))
    return stops


def read_crossings(texts: Sequence[str] | None) -> list[sd.Crossing] | None:
    """Crossings from ``NAME=LEVEL`` or ``NAME[K]=LEVEL,DIRECTION``; K counts components from 0.

    Raises
    ------
    InputError
        For any other text.
    """
    if texts is None:
        return None
    crossings = []
    for text in texts:
        name, component, sign, level, direction = _condition("--crossing", text, "'Gamma3=0,rising'")
        if sign != "=":
            raise errors.InputError(
                "--crossing", expected="NAME=LEVEL", got=repr(text), hint="A level is crossed, not exceeded."
            )
        crossings.append(_crossing(name, component, level, direction))
    return crossings


def _crossing(name: str, component: int | None, level: float, direction: Any) -> sd.Crossing:
    import semidirect as sd

    return sd.Crossing(name, level, direction, component)


def _condition(flag: str, text: str, example: str) -> tuple[str, int | None, str, float, str]:
    match = _CONDITION.fullmatch(text) or _CONDITION_ON_EXPRESSION.fullmatch(text)
    try:
        level = float(match[4]) if match else None
    except ValueError:
        level = None
    if match is None or level is None or (match[5] and match[3] != "="):
        expected = "NAME=LEVEL" if flag == "--crossing" else "NAME>=LEVEL, NAME<=LEVEL or NAME=LEVEL"
        raise errors.InputError(flag, expected=expected, got=repr(text), hint=f"Write for example {flag} {example}.")
    return match[1], int(match[2]) if match[2] else None, match[3], level, match[5] or "both"


def described(run: sd.Run) -> dict[str, Any]:
    """All statistics of a run in JSON's types: times, and tables by name."""
    return {
        key: {
            "times": reduced.times.tolist(),
            **{name: values.tolist() for name, (_, values) in reduced.tables().items()},
        }
        for key, reduced in run.reductions.items()
    }


def text(run: sd.Run) -> str:
    """The statistics at the last of their times, for people."""
    return "\n\n".join(
        f"{key} at t = {reduced.times[-1]:g} s\n{reduced.text()}" for key, reduced in run.reductions.items()
    )
