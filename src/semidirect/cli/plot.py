"""``semidirect plot``: a picture of a saved run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command
from semidirect.core.errors import InputError, StoreError

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "plot", "draw a saved run", execute)
    parser.add_argument("run", type=Path, metavar="RUN", help="what 'semidirect run … -o RUN' wrote")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="a .png, .pdf or .svg (default: RUN.png)")
    parser.add_argument(
        "--quantity",
        action="append",
        metavar="Q",
        help="what to draw, e.g. energy; may be repeated (default: observables)",
    )


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.ensemble.run import Run

    run = Run.load(args.run)
    output = args.output or args.run.resolve().with_suffix(".png")
    if not output.parent.is_dir():
        raise StoreError(f"cannot write {output}: there is no folder {output.parent}", hint="Make it first.")

    from semidirect.analysis import style
    from semidirect.analysis.plots import plot_run

    figure = plot_run(run, args.quantity)
    kinds = [f".{kind}" for kind in figure.canvas.get_supported_filetypes()]
    if output.suffix.lower() not in kinds:
        raise InputError(f"cannot draw {output}", expected=f"a name that ends in one of {', '.join(kinds)}")
    try:
        with style.styled():
            figure.savefig(output)
    except OSError as error:
        raise StoreError(f"cannot write {output}: {error.strerror or error}") from error
    print(output)
    return 0
