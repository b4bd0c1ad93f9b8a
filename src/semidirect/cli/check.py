"""``semidirect check``: the contract of a system, with a report."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, add_format, add_system, whole
from semidirect.core.output import print_json, print_text

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "check", "check a system against the contract, a line for each question", execute, topic="systems",
        examples=("check heavy-top --quick",),
        details="Each line says ok, warning, failed or not applicable, with what was measured; a failure or a warning says what "
        "to look at. Exit code 1 if a check failed; a warning is about something that may be intended.",
    )  # fmt: skip
    add_system(parser)
    parser.add_argument("--quick", action="store_true", help="leave out what compiles or measures orders")
    parser.add_argument("--seed", type=whole, default=0, help="of the random states")
    add_format(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.cli.values import read_settings
    from semidirect.laws import check, resolve

    choices = read_settings(resolve(args.name), args.settings)
    report = check(args.name, quick=args.quick, seed=args.seed, **choices)
    if args.format == "json":
        print_json(report.described())
    else:
        print_text(report)
    return 0 if report.good else 1
