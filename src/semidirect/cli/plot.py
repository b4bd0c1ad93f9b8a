"""``semidirect plot``: a picture of a saved run."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from semidirect.cli.arguments import add_command, place
from semidirect.cli.outputs import add_force
from semidirect.cli.pictures import picture_place, write_picture

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands, place


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "plot",
        "draw a saved run",
        execute,
        topic="pictures",
        examples=("plot top.zarr --quantity energy --sphere",),
    )
    parser.add_argument("run", type=place, metavar="RUN", help="what 'semidirect run … -o RUN' wrote")
    parser.add_argument("-o", "--output", type=place, metavar="FILE", help="a .png, .pdf or .svg (default: RUN.png)")
    add_force(parser, "a picture")
    panels = parser.add_argument_group(
        "panels",
        "What to draw, each a panel; all may be repeated. Default: the observables, and the path in the plane.",
    )
    for flag, metavar, count, text in PANELS:
        panels.add_argument(
            flag, action=_Add, nargs=count, metavar=metavar, dest="panels", help=text, default=argparse.SUPPRESS
        )


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
        given = [] if values is None else values if isinstance(values, list) else [values]
        namespace.panels = [*getattr(namespace, "panels", ()), (name, given)]


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.run import Run

    run = Run.load(args.run)
    output = picture_place(args.output or args.run.resolve().with_suffix(".png"), force=args.force)

    from semidirect.analysis.pictures import draw_panels, plot_run

    chosen = getattr(args, "panels", ())
    panels = [
        lambda ax, name=name, given=given: (getattr(run.plot, name) if name else run.plot)(*given, ax=ax)
        for name, given in chosen
    ]
    write_picture(draw_panels(run, panels) if panels else plot_run(run), output, force=args.force)
    print(output)
    return 0
