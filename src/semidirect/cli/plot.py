"""``semidirect plot``: a picture of a saved run."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, place
from semidirect.cli.pictures import add_force, picture_place, write_picture

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands, place


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "plot", "draw a saved run", execute)
    parser.add_argument("run", type=place, metavar="RUN", help="what 'semidirect run … -o RUN' wrote")
    parser.add_argument("-o", "--output", type=place, metavar="FILE", help="a .png, .pdf or .svg (default: RUN.png)")
    add_force(parser, "a picture")
    parser.add_argument(
        "--quantity",
        action="append",
        metavar="Q",
        help="what to draw, e.g. energy; may be repeated (default: observables)",
    )


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.run import Run

    run = Run.load(args.run)
    output = picture_place(args.output or args.run.resolve().with_suffix(".png"), force=args.force)

    from semidirect.analysis.plots import plot_run

    write_picture(plot_run(run, args.quantity), output, force=args.force)
    print(output)
    return 0
