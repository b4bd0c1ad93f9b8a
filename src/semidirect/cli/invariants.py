"""``semidirect invariants``: finds and proves conserved quantities exactly."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from semidirect.cli.arguments import add_command, add_format, add_level, add_system, level, whole
from semidirect.cli.values import load
from semidirect.core.output import print_json, print_text

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands
    from semidirect.invariants import Invariants, LieRank, Proof, Relations, Verdict


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "invariants", "find the polynomial first integrals up to a degree, or prove one", execute, topic="equations",
        examples=("invariants heavy-top", "invariants heavy-top --prove energy --along drift",
                  "invariants heavy-top --on 'dot(M, Gamma)=0' --degree 1", "invariants routh-sphere --relations --degree 1"),
        details="Coefficients are exact. Exit code 1: the quantity of --prove is not conserved.",
    )  # fmt: skip
    add_system(parser)
    task = parser.add_mutually_exclusive_group()
    task.add_argument("--degree", type=whole, default=2, metavar="D", help="search up to this degree (default: 2)")
    task.add_argument(
        "--prove", metavar="QUANTITY",
        help="decide whether this is conserved: an observable, or an expression such as 'dot(M, Gamma)'",
    )  # fmt: skip
    parser.add_argument(
        "--relations", action="store_true",
        help="search invariant relations instead, polynomials Q with dQ = ΛQ, which paths that start on Q = 0 keep",
    )  # fmt: skip
    parser.add_argument(
        "--along", action="append", metavar="COLUMN",
        help="drift, noise (all), both, noise1, …; may be repeated (default: drift; with --prove: both)",
    )  # fmt: skip
    add_level(parser, "search and prove on a level, e.g. --on 'dot(M, Gamma)=0'; may be repeated")
    parser.add_argument(
        "--restrict", action="append", metavar="VARIABLE",
        help="search in these only, e.g. --restrict Omega --restrict Gamma3; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--times", action="append", default=[], metavar="EXPRESSION",
        help="a function by which monomials may be multiplied, e.g. 'sqrt(Q)'; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--variables", choices=("velocity", "momentum"), default="velocity",
        help="polynomials of velocities or of momenta (default: velocity)",
    )  # fmt: skip
    parser.add_argument(
        "--parameters", choices=("given", "generic", "free"), default="given",
        help="with --prove: at the parameters, at all of the same pattern of zeros and equal entries, or at any "
        "(default: given)",
    )  # fmt: skip
    parser.add_argument(
        "--rank", action="store_true",
        help="also print the rank of the Lie algebra of the fields, which bounds the number of invariants of any kind",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=whole, help="of the primes and random points, to repeat a call (default: drawn anew each time)"
    )
    add_format(parser)


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect.core.errors import InputError
    from semidirect.invariants import find_invariants, find_relations, lie_rank, prove

    system = load(args.name, args.settings)
    along = args.along or (["both"] if args.prove is not None else ["drift"])
    found: Any
    if args.relations:
        unused = {"--prove": args.prove, "--along": args.along, "--times": args.times, "--rank": args.rank}
        if given := [option for option, value in unused.items() if value]:
            raise InputError("--relations", expected="a search along the drift without other tasks", got=given[0])
        found = find_relations(
            system, args.degree, on=level(args), restrict=args.restrict, variables=args.variables, seed=args.seed
        )
        if args.format == "json":
            print_json(described_relations(found))
        else:
            print_text(found)
        return 0
    if args.prove is not None:
        found = prove(system, args.prove, on=level(args), along=along, parameters=args.parameters, seed=args.seed)
    else:
        found = find_invariants(
            system, args.degree, on=level(args), along=along, restrict=args.restrict, variables=args.variables,
            functions={f"({text})": text for text in args.times}, seed=args.seed,
        )  # fmt: skip
    rank = lie_rank(system, along, seed=args.seed) if args.rank else None
    if args.format == "json":
        print_json(described_proof(found) if args.prove is not None else described(found, rank))
    else:
        print_text(found)
        if rank is not None:
            print_text(rank)
    return 0 if args.prove is None or found.holds else 1


def described(found: Invariants, rank: LieRank | None = None) -> dict[str, Any]:
    """Invariants in JSON's types; polynomials as text that ``--prove`` reads."""
    out: dict[str, Any] = {
        "variables": list(found.variables),
        "degree": found.degree,
        "along": list(found.columns),
        **({} if found.level is None else {"on": str(found.level)}),
        "candidates": found.candidates,
        "dimension": found.dimension,
        "independent": found.rank,
        "generators": [str(g) for g in found.generators],
        "products": list(found.products),
        "spanned": found.spanned,
        "basis": [str(q.primitive()) for q in found.basis],
        "proved": [{"certificate": p.certified, "error": p.error} for p in found.proofs],
    }
    if rank is not None:
        out["lie_algebra"] = {"rank": rank.rank, "dimension": rank.dimension, "brackets": list(rank.brackets)}
    return out


def described_relations(found: Relations) -> dict[str, Any]:
    """Invariant relations in JSON's types; polynomials as text that ``--prove`` and ``--on`` read."""
    return {
        "variables": list(found.variables),
        "degree": found.degree,
        **({} if found.level is None else {"on": str(found.level)}),
        "candidates": found.candidates,
        "relations": [
            {
                "polynomial": str(r.polynomial.primitive()),
                "cofactor": None if r.cofactor is None else str(r.cofactor),
                "proved": {"holds": r.proof.holds, "certificate": r.proof.certified, "error": r.proof.error},
            }
            for r in found
        ],
    }


def described_proof(proof: Proof) -> dict[str, Any]:
    """A proof in JSON's types; exact numbers as text."""
    return {
        "quantity": proof.quantity,
        "parameters": proof.parameters,
        **({} if proof.level is None else {"on": str(proof.level)}),
        "holds": proof.holds,
        "columns": {v.column: described_verdict(v) for v in proof.verdicts},
    }


def described_verdict(verdict: Verdict) -> dict[str, Any]:
    """A verdict in JSON's types."""
    example = verdict.counterexample
    state = {} if example is None else {
        k: list(map(str, x)) if isinstance(x, tuple) else str(x) for k, x in example.state.items()
    }  # fmt: skip
    return {
        "holds": verdict.holds,
        "certificate": verdict.certificate,
        "points": verdict.points,
        "degree": verdict.degree,
        "error": verdict.error,
        "counterexample": None if example is None else {"state": state, "value": str(example.value)},
    }
