"""``semidirect reproduce``: the figures of the paper."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, place
from semidirect.cli.outputs import add_force

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands, place


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "reproduce", "draw the figures of the paper, with their data", execute)
    parser.add_argument("-o", "--output", type=place, default=Path("figures"), metavar="DIR", help="default: figures")
    add_force(parser, "what it writes")
    parser.add_argument("--config", type=place, metavar="FILE.toml", help="parameters that the paper does not give")


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect_holm_putkaradze.reproduce import reproduce

    made = reproduce(args.output, args.config, force=args.force)
    print(made.table())
    return int(made.failures > 0)
