"""``semidirect structure``: the geometry behind a system's equations."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from semidirect.cli.arguments import add_command, add_format, add_state, add_system
from semidirect.cli.values import load, read_state
from semidirect.core.output import print_json, print_text

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands
    from semidirect.system import System

PARTS = ("integrability", "measure", "casimirs", "symmetries", "momenta", "rank", "principles")


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "structure",
        "print what kind of constraint, measure, bracket, symmetries and nonholonomic momenta a system has", execute,
        topic="equations", examples=("structure suslov --part measure",),
    )  # fmt: skip
    add_system(parser)
    parser.add_argument(
        "--part", action="append", choices=PARTS, help="print this only; may be repeated (default: all)"
    )
    parser.add_argument(
        "--factor", action="append", default=[], metavar="EXPRESSION",
        help="a factor of the densities that are tried, e.g. 'Q'; may be repeated",
    )  # fmt: skip
    parser.add_argument("--latex", action="store_true", help="print the nonholonomic momentum equations in LaTeX")
    add_state(parser)
    add_format(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.core.errors import InputError
    from semidirect.invariants import nonholonomic_momenta

    system, state = load(args.name, args.settings), read_state(args.state)
    if state:
        system.evaluate(state)  # an invalid one is an error here, not the text of a part
    if args.latex:
        if args.format == "json" or set(args.part or ["momenta"]) != {"momenta"}:
            raise InputError("--latex", expected="--part momenta alone, printed as text", got=_given(args))
        print(nonholonomic_momenta(system).latex())
        return 0
    found = {part: _part(system, part, args.factor, state) for part in args.part or PARTS}
    if args.format == "json":
        print_json({name: _plain(part) for name, part in found.items()})
    else:
        print_text("\n".join(map(str, found.values())))
    return 0


def _given(args: argparse.Namespace) -> str:
    return " ".join([*(f"--part {part}" for part in args.part or ()), f"--format {args.format}"])


def _plain(found: Any) -> list[Any]:
    """A part in JSON's types: lines of text, or momenta by their properties."""
    from semidirect.invariants import NonholonomicMomenta

    return found.described() if isinstance(found, NonholonomicMomenta) else str(found).split("\n")


def _part(system: System, part: str, factors: list[str], state: Any) -> Any:
    from semidirect import invariants
    from semidirect.core.errors import InputError

    match part:
        case "integrability":
            return str(invariants.integrability(system))
        case "measure":
            found = [str(invariants.find_measure(system, along=a, factors=factors)) for a in ("drift", "both")]
            return "\n".join(dict.fromkeys(found))  # both are the same without noise
        case "casimirs":
            return str(invariants.find_casimirs(system))
        case "symmetries":
            return str(invariants.find_symmetries(system))
        case "momenta":
            return invariants.nonholonomic_momenta(system)
        case "rank":
            return str(invariants.lie_rank(system))
    try:
        return f"principles at a state\n{invariants.compare_principles(system, state)}"
    except InputError as error:
        return f"principles: {error}"
