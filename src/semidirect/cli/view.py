"""``semidirect view``: a page in which a saved run moves."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, place, whole
from semidirect.cli.outputs import add_force

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "view", "write a page in which a saved run moves", execute, topic="pictures",
        examples=("view top.zarr",),
        details="It is one HTML file, which needs no network: open it in a browser.",
    )  # fmt: skip
    parser.add_argument("run", type=place, metavar="RUN", help="what 'semidirect run … -o RUN' wrote")
    parser.add_argument("-o", "--output", type=place, metavar="FILE", help="an .html (default: RUN.html)")
    parser.add_argument("--paths", type=whole, metavar="N", help="how many paths are shown (default: 20)")
    parser.add_argument("--frames", type=whole, metavar="N", help="how many times are shown at most (default: 1000)")
    add_force(parser, "a page")


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.run import Run

    how = {name: n for name, n in (("paths", args.paths), ("frames", args.frames)) if n is not None}
    output = args.output or args.run.resolve().with_suffix(".html")
    print(Run.load(args.run).view(**how).save(output, force=args.force))
    return 0
