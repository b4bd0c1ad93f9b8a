"""``semidirect multilevel``: the mean of a quantity to a given error."""

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
    place,
    whole,
)
from semidirect.cli.outputs import add_force
from semidirect.cli.pictures import picture_place, write_picture
from semidirect.cli.values import load, read_driver, read_run_argument, read_state
from semidirect.core.output import print_json, print_text

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "multilevel", "estimate a mean to a given error, from many coarse paths and few fine ones", execute,
        topic="paths", examples=("multilevel suslov energy --t-end 1 --rmse 0.1",),
        details="Levels have steps dt, dt/2, …; the two values of a difference belong to one Brownian path. Paths and levels "
        "follow from the measured variances and means.",
    )  # fmt: skip
    add_system(parser)
    parser.add_argument(
        "quantity", metavar="QUANTITY", help="a scalar: an observable, a component such as Omega1, an expression"
    )
    add_state(parser)
    parser.add_argument("--t-end", type=number, required=True, metavar="S", help="when the quantity is taken [s]")
    parser.add_argument("--rmse", type=number, required=True, metavar="E", help="the root mean square error asked for")
    parser.add_argument(
        "--dt", type=number, metavar="S", help="step of the first level [s] (default: by the rates at the start)"
    )
    add_t_start(parser)
    add_method(parser)
    parser.add_argument("--levels", type=whole, default=12, metavar="N", help="most levels (default: 12)")
    add_seed(parser)
    add_driver(parser)
    add_run_arguments(parser, "computation", "Execution")
    parser.add_argument("-o", "--output", type=place, metavar="FILE", help="draw the levels: a .png, .pdf or .svg")
    add_force(parser, "a picture")
    add_format(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.analysis.multilevel import multilevel

    state = read_state(args.state)
    system = load(args.name, args.settings)
    target = None if args.output is None else picture_place(args.output, force=args.force)
    found = multilevel(
        system, args.quantity, t_end=args.t_end, rmse=args.rmse, dt=args.dt, t_start=args.t_start, method=args.method,
        state=state, driver=read_driver(args), seed=args.seed, levels=args.levels, execution=read_run_argument("Execution", args),
    )  # fmt: skip
    if target is not None:
        write_picture(found.plot(), target, force=args.force)
    if args.format == "json":
        print_json(found.described())
    else:
        print_text(found)
        if target is not None:
            print(f"drawn in {target}")
    return 0
