"""``semidirect evaluate``: all fields at one state."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from semidirect.cli.arguments import add_command, add_format, add_state, add_system, number
from semidirect.cli.values import load, read_state
from semidirect.core.output import components, figures, print_json, print_text
from semidirect.core.text_layout import table

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "evaluate",
        "evaluate drift, noise and observables at one state",
        execute,
        topic="equations",
        examples=("evaluate heavy-top --state 'Omega=[0, 0, 1]'",),
    )
    add_system(parser)
    add_state(parser)
    parser.add_argument("--t", type=number, default=0.0, metavar="TIME", help="time [s], for what depends on it")
    add_format(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    state = read_state(args.state)
    system = load(args.name, args.settings)
    result = system.evaluate(state, t=args.t)
    if args.format == "json":
        print_json(result)
    else:
        print_text(text(result, system.group.stored_names))
    return 0


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
        split = [list(components(name, column, stored)) for column in columns]
        for cells in zip(*split, strict=True):
            rows.append([cells[0][0], *(figures(value) for _, value in cells)])
    return table([title, *header], rows, right=range(1, len(header) + 1))
