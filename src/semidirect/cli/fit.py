"""``semidirect fit``: parameters of a system from data."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, number, whole
from semidirect.cli.config import completed, written
from semidirect.cli.problem import add_problem, add_result, read_problem, report, result_place
from semidirect.cli.values import read_numbers
from semidirect.core.entries import split_at_commas
from semidirect.core.errors import InputError

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "fit", "estimate parameters of a system from data, with confidence intervals", execute,
        topic="inference",
        examples=("fit heavy-top top.zarr --observe Gamma,Omega --noise 0.05 --every 20 --over mass --update ensemble-kalman "
                  "--particles 50",),
        details="The search begins at the values of the system, --set. Exit code 1 if it does not converge.",
    )  # fmt: skip
    add_problem(parser)
    parser.add_argument(
        "--over",
        action="append",
        metavar="P,…",
        help="what to fit: offset, an entry noise1_3, or all entries that are not zero",
    )
    parser.add_argument(
        "--bounds",
        action="append",
        default=[],
        metavar="KEY=JSON",
        help="of a parameter, e.g. --bounds 'offset=[0, 1]'",
    )
    parser.add_argument(
        "--starts", type=whole, metavar="N", help="random starts within the bounds, besides the values of the system"
    )
    parser.add_argument("--level", type=number, metavar="P", help="level of the intervals (default: 0.95)")
    parser.add_argument("--replicates", type=whole, metavar="N", help="seeds at the maximum (default: 3)")
    add_result(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.inference.fit import fit

    args = completed(args, ("name", "data"))
    target = result_place(args)
    over = [name for entry in args.over or () for name in split_at_commas(entry)]
    if not over:
        raise InputError(
            "--over", expected="parameters to fit", got="none", hint="Write for example --over offset,noise."
        )
    with written(args):
        system, observations, data, options = read_problem(args)
        given = {"level": args.level, "replicates": args.replicates, "starts": args.starts}
        options |= {k: v for k, v in given.items() if v is not None}
        found = fit(system, observations, data, over, bounds=read_numbers("--bounds", args.bounds), **options)
    report(args, target, found, found.described, found.__str__)
    return int(not found.converged)
