"""``semidirect animate``: a saved run as a GIF or an MP4."""

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
        commands,
        "animate",
        "write a saved run as a GIF or an MP4",
        execute,
        topic="pictures",
        examples=("animate top.zarr --fps 5",),
    )
    parser.add_argument("run", type=place, metavar="RUN", help="what 'semidirect run … -o RUN' wrote")
    parser.add_argument(
        "-o", "--output", type=place, metavar="FILE", help="a .gif, or an .mp4 where ffmpeg is there (default: RUN.gif)"
    )
    parser.add_argument("--path", type=whole, default=0, metavar="N", help="which path, counted from 0 (default: 0)")
    parser.add_argument("--fps", type=whole, default=20, metavar="N", help="frames per second (default: 20)")
    add_force(parser, "an animation")


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.run import Run

    output = args.output or args.run.resolve().with_suffix(".gif")
    view = Run.load(args.run).view(paths=max(args.path, 0) + 1)
    print(view.animate(output, number=args.path, fps=args.fps, force=args.force))
    return 0
