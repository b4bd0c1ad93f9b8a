"""``semidirect equations``: the stochastic differential equation that a principle gives."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, add_format, add_system
from semidirect.cli.values import load
from semidirect.core.output import print_json, print_text

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "equations",
        "print the equations of a system",
        execute,
        topic="equations",
        examples=("equations heavy-top --form ito",),
    )
    add_system(parser)
    parser.add_argument("--form", choices=("stratonovich", "ito"), default="stratonovich", help="default: stratonovich")
    parser.add_argument(
        "--principle", choices=("hamilton-pontryagin", "lagrange-dalembert"), default="hamilton-pontryagin",
        help="which derives them, to the same end (default: hamilton-pontryagin)",
    )  # fmt: skip
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--latex", action="store_true", help="print LaTeX")
    add_format(output)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.pages.printing import Equations

    equations = Equations(load(args.name, args.settings), args.form, args.principle)
    if args.format == "json":
        print_json({"system": args.name, **equations.described()})
    elif args.latex:
        print(equations.latex())
    else:
        print_text(equations)
    return 0
