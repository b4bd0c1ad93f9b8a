"""``semidirect evaluate``: all fields at one state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from semidirect.cli.answer import Answer
from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.core import Flag
from semidirect.text import printing, text_layout


def execute(call: Call) -> int:
    """Carry it out."""
    arguments = call.arguments()
    stored = arguments["system"].group.stored_names
    answer = Answer(text=lambda result: text(result, stored), described=lambda result: result)
    return answer.give(call, call.function()(**arguments))


def text(result: dict[str, Any], stored: Sequence[str]) -> str:
    """The fields as text: observables, rates, derived quantities; ``stored`` are the coordinates of s."""
    noises = range(len(result["noise"]))
    header = ["value", "drift", *(f"noise {i + 1}" for i in noises), "Itô drift"]
    values = {**result["derived"], **result["state"]}
    moving = [
        (name, values[name], drift, *(result["noise"][i][name] for i in noises), result["ito_drift"][name])
        for name, drift in result["drift"].items()
    ]
    observed = [(n, o["value"], o["drift"], *o["noise"], o["ito_drift"]) for n, o in result["observables"].items()]
    derived = [(n, v) for n, v in result["derived"].items() if n not in result["drift"]]
    parts = {"observables": (header, observed), "state": (header, moving), "derived": (header[:1], derived)}
    return "\n\n".join(_section(title, *part, stored) for title, part in parts.items() if part[1])


def _section(title: str, header: list[str], quantities: list[tuple[Any, ...]], stored: Sequence[str]) -> str:
    rows = []
    for name, *columns in quantities:
        split = [list(printing.components(name, column, stored)) for column in columns]
        for cells in zip(*split, strict=True):
            rows.append([cells[0][0], *(printing.figures(value) for _, value in cells)])
    return text_layout.table([title, *header], rows, right=range(1, len(header) + 1))


COMMAND = Command(
    "evaluate", "evaluate drift, noise and observables at one state", ["semidirect.state:evaluate"], topic="equations",
    examples=("evaluate heavy-top --state 'Omega=[0, 0, 1]'",),
    arguments={"t": Flag("t", "time [s], for systems that depend on it", "number", "TIME")}, execute=execute,
)  # fmt: skip
add = COMMAND.add
