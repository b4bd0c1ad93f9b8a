"""``semidirect evolution``: how an observable moves."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, add_format, add_level, add_system, level
from semidirect.cli.invariants import described_proof
from semidirect.cli.values import load
from semidirect.core.output import print_json, print_text

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "evolution",
        "print how an observable moves: its drift and each noise",
        execute,
        topic="equations",
        examples=("evolution heavy-top 'dot(M, Gamma)'",),
    )
    add_system(parser)
    parser.add_argument(
        "observable", metavar="OBSERVABLE",
        help="an observable or state variable ('show' lists them), or an expression such as 'dot(M, Gamma)**2/mass'",
    )  # fmt: skip
    parser.add_argument("--form", choices=("stratonovich", "ito"), default="stratonovich", help="default: stratonovich")
    add_level(
        parser,
        "also decide along which columns it is conserved on a level, e.g. --on 'dot(M, Gamma)=0'; may be repeated",
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--latex", action="store_true", help="print LaTeX")
    add_format(output)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.pages.described import described_evolution
    from semidirect.pages.printing import evolution_text

    system = load(args.name, args.settings)
    evolution = system.evolution(args.observable)
    on = level(args)
    proof = None if on is None else system.prove(args.observable, on=on)
    if args.format == "json":
        decided = {} if proof is None else {"on_level": described_proof(proof)}
        print_json({"system": args.name, **described_evolution(evolution, args.form), **decided})
    else:
        text = evolution_text(system, evolution, form=args.form, latex=args.latex)
        print(text) if args.latex else print_text(text)
        if proof is not None and not args.latex:
            print_text(proof)
    return 0
