"""``semidirect lyapunov``: the rates at which neighbouring states separate."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import (
    add_command,
    add_driver,
    add_format,
    add_method,
    add_run_arguments,
    add_seed,
    add_state,
    add_system,
    add_t_start,
    number,
    whole,
)
from semidirect.cli.values import load, read_driver, read_run_argument, read_state
from semidirect.core.output import print_json, print_text

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "lyapunov", "the Lyapunov exponents of a system under its noise, with errors", execute, topic="paths",
        examples=("lyapunov rigid-body --t-end 10 --paths 24", "lyapunov heavy-top --t-end 10 --dt 0.02 --exponents 2"),
        details="The growth of tangent vectors, averaged over time, is compared with the divergence of the equations. "
        "Exit code 1 if paths failed; the means are over the others.",
    )  # fmt: skip
    add_system(parser)
    add_state(parser)
    parser.add_argument(
        "--paths", type=whole, metavar="N", help="number of paths (default: 1, or as many as states given)"
    )
    parser.add_argument("--dt", type=number, default=0.01, metavar="S", help="step [s] (default: 0.01)")
    add_t_start(parser)
    parser.add_argument("--t-end", type=number, required=True, metavar="S", help="end [s], a multiple of every * dt")
    add_method(parser)
    add_seed(parser)
    parser.add_argument(
        "--every", type=whole, default=10, metavar="K", help="steps between re-orthonormalisations (default: 10)"
    )
    parser.add_argument("--exponents", type=whole, metavar="N", help="how many, from the largest on (default: all)")
    parser.add_argument(
        "--configuration",
        action="store_true",
        help="in the phase space with the configuration, not of the reduced equations",
    )
    parser.add_argument(
        "--burn-in",
        type=number,
        default=0.1,
        metavar="F",
        help="share of the time that is left out first (default: 0.1)",
    )
    parser.add_argument(
        "--batches", type=whole, default=32, metavar="N", help="batches of times for the errors, at least (default: 32)"
    )
    add_driver(parser)
    add_run_arguments(parser, "computation", "Execution")
    add_format(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.analysis.lyapunov import lyapunov

    state = read_state(args.state)
    system = load(args.name, args.settings)
    found = lyapunov(
        system, t_end=args.t_end, dt=args.dt, every=args.every, exponents=args.exponents, configuration=args.configuration,
        burn_in=args.burn_in, batches=args.batches, t_start=args.t_start, paths=args.paths, seed=args.seed, method=args.method,
        state=state, driver=read_driver(args), execution=read_run_argument("Execution", args),
    )  # fmt: skip
    if args.format == "json":
        print_json(found.described())
    else:
        print_text(found)
    return int(found.failed > 0)
