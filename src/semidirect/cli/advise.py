"""``semidirect advise``: which method suits a system."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, add_driver, add_format, add_state, add_system, number
from semidirect.cli.values import load, read_driver, read_state
from semidirect.core.output import print_json, print_text

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "advise", "name the methods that suit a system, with the reasons", execute, topic="paths",
        examples=("advise suslov", "advise suslov --goal weak"),
        details="What is constant is proved along the drift and along each noise; what methods keep is measured in short runs "
        "with noise; the evaluations of a step are counted.",
    )  # fmt: skip
    add_system(parser)
    add_state(parser)
    parser.add_argument(
        "--goal", choices=("long-run", "strong", "weak", "deterministic"), default="long-run",
        help="constants in long runs (default), accurate paths, distributions, or accuracy without noise",
    )  # fmt: skip
    parser.add_argument(
        "--dt", type=number, metavar="S", help="step of the short runs [s] (default: by the rates at the start)"
    )
    parser.add_argument("--quantity", action="append", default=[], metavar="Q", help="a quantity more; may be repeated")
    add_driver(parser)
    add_format(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.analysis.advice import recommend

    state = read_state(args.state)
    system = load(args.name, args.settings)
    found = recommend(system, args.goal, dt=args.dt, state=state, driver=read_driver(args), quantities=args.quantity)
    if args.format == "json":
        print_json(found.described())
    else:
        print_text(found)
    return 0
