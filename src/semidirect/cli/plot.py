"""``semidirect plot``: a picture of a saved run."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.cli.outputs import beside, output_flags
from semidirect.cli.pictures import picture_place, write_picture
from semidirect.cli.shared import SAVED_RUN

if TYPE_CHECKING:
    from semidirect.cli.parser import CommandParser, Commands

PANELS: tuple[tuple[str, Any, Any, str], ...] = (
    ("--quantity", "Q", None, "a quantity against time, e.g. energy or Omega1"),
    ("--plane", "POSITION", "?", "the path in the plane (default: of x)"),
    ("--sphere", "VECTOR", "?", "the direction of a vector on the sphere (default: Gamma)"),
    ("--phase", ("X", "Y"), 2, "one quantity against another"),
    ("--histogram", "Q", None, "the distribution of a quantity at the end"),
    ("--quantiles", "Q", None, "quantiles of a quantity against time"),
    ("--survival", "KEY", "?", "the probability that a level is not passed yet, e.g. first-passage:energy"),
)


class _Add(argparse.Action):
    """Collects panels in their order, as names of methods of a run and their arguments."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
                 option_string: str | None = None) -> None:  # fmt: skip
        name = "" if self.option_strings[0] == "--quantity" else self.option_strings[0].lstrip("-")
        arguments = [] if values is None else values if isinstance(values, list) else [values]
        namespace.panels = [*getattr(namespace, "panels", ()), (name, arguments)]


def _add_panels(parser: CommandParser) -> None:
    panels = parser.add_argument_group(
        "panels",
        "What to draw, each a panel; all may be repeated. Default: the observables, and the path in the plane.",
    )
    for flag, metavar, count, text in PANELS:
        action = panels.add_argument(
            flag, action=_Add, nargs=count, metavar=metavar, dest="panels", help=text, default=argparse.SUPPRESS
        )
        vars(action)["completion"] = "quantities"


def execute(call: Call) -> int:
    """Carry it out."""
    import semidirect as sd

    path = call.args.run
    run = sd.Run.load(path)
    force = bool(call.args.force)
    output = picture_place(call.args.output or beside(path, ".png"), force=force)

    from semidirect.analysis import pictures

    choices = getattr(call.args, "panels", ())
    plots = [(getattr(run.plot, name) if name else run.plot, values) for name, values in choices]
    panels = [lambda ax, draw=draw, values=values: draw(*values, ax=ax) for draw, values in plots]
    write_picture(pictures.draw_panels(run, panels) if panels else pictures.plot_run(run), output, force=force)
    print(output)
    return 0


COMMAND = Command(
    "plot", "draw a saved run", topic="pictures", examples=("plot top.zarr --quantity energy --sphere",),
    options=[SAVED_RUN, *output_flags("a .png, .pdf or .svg (default: RUN.png)", "a picture")], answer=None, execute=execute,
)  # fmt: skip


def add(commands: Commands) -> None:
    """Declare the command; panels are collected in the order in which they are typed."""
    COMMAND.add(commands)
    parser = commands.choices[COMMAND.name]
    parser.add_when_used(lambda: _add_panels(parser))
