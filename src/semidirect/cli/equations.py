"""``semidirect equations``: the stochastic differential equation that a principle gives."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, add_format, add_system
from semidirect.cli.values import load
from semidirect.core.errors import InputError
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
        examples=("equations heavy-top --form ito", "equations heavy-top --derivation"),
    )
    add_system(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--form", choices=("stratonovich", "ito"), default="stratonovich", help="default: stratonovich")
    what.add_argument(
        "--derivation", action="store_true", help="how the Stratonovich form follows from the principle, step by step"
    )
    parser.add_argument(
        "--principle", choices=("hamilton-pontryagin", "lagrange-dalembert"), default="hamilton-pontryagin",
        help="which derives them, to the same end (default: hamilton-pontryagin)",
    )  # fmt: skip
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--latex", action="store_true", help="print LaTeX")
    add_format(output)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.pages.derivation import Derivation
    from semidirect.pages.printing import Equations

    if args.derivation and args.principle != "hamilton-pontryagin":
        raise InputError("--derivation shows the one variation of δ∫l dt", hint="Leave out --principle.")
    system = load(args.name, args.settings)
    shown = Derivation(system) if args.derivation else Equations(system, args.form, args.principle)
    if args.format == "json":
        print_json({"system": args.name, **shown.described()})
    elif args.latex:
        print(shown.latex())
    else:
        print_text(shown)
    return 0
