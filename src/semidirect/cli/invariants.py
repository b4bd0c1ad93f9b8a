"""``semidirect invariants``: finds and proves conserved quantities exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.cli.argument import Argument, Call
from semidirect.cli.command import Command
from semidirect.core import Flag, errors
from semidirect.text import printing

if TYPE_CHECKING:
    import semidirect as sd

FIND, RELATIONS, PROVE, RANK = range(4)
"""The functions that the command calls."""


def execute(call: Call) -> int:
    """Carry it out."""
    args = call.args
    if args.relations:
        unused = {"--prove": args.prove, "--along": args.along, "--times": args.times, "--rank": args.rank}
        if others := [option for option, value in unused.items() if value]:
            raise errors.InputError(
                "--relations", expected="a search along the drift without other tasks", got=others[0]
            )
        relations = call.function(RELATIONS)(**call.arguments(RELATIONS))
        printing.print_json(described_relations(relations)) if call.as_json else printing.print_text(relations)
        return 0
    number = FIND if args.prove is None else PROVE
    result: Any = call.function(number)(**call.arguments(number))
    rank = _rank(call, number) if args.rank else None
    if call.as_json:
        printing.print_json(described(result, rank) if number == FIND else described_proof(result))
    else:
        printing.print_text(result)
        if rank is not None:
            printing.print_text(rank)
    return int(number == PROVE and not result.holds)


def _rank(call: Call, number: int) -> sd.invariants.LieRank:
    """The rank along the columns of the task."""
    values = {"along": "drift" if number == FIND else "both"} | call.arguments(RANK)
    values.pop("parameters", None)
    rank: sd.invariants.LieRank = call.function(RANK)(**values)
    return rank


def described(invariants: sd.invariants.Invariants, rank: sd.invariants.LieRank | None = None) -> dict[str, Any]:
    """Invariants in JSON's types; polynomials as text that ``--prove`` reads."""
    out: dict[str, Any] = {
        "variables": list(invariants.variables),
        "degree": invariants.degree,
        "along": list(invariants.columns),
        **({} if invariants.level is None else {"on": str(invariants.level)}),
        "candidates": invariants.candidates,
        "dimension": invariants.dimension,
        "independent": invariants.rank,
        "generators": [str(g) for g in invariants.generators],
        "products": list(invariants.products),
        "spanned": invariants.spanned,
        "basis": [str(q.primitive()) for q in invariants.basis],
        "proved": [{"certificate": p.certified, "error": p.error} for p in invariants.proofs],
    }
    if rank is not None:
        out["lie_algebra"] = {"rank": rank.rank, "dimension": rank.dimension, "brackets": list(rank.brackets)}
    return out


def described_relations(relations: sd.invariants.Relations) -> dict[str, Any]:
    """Invariant relations in JSON's types; polynomials as text that ``--prove`` and ``--on`` read."""
    return {
        "variables": list(relations.variables),
        "degree": relations.degree,
        **({} if relations.level is None else {"on": str(relations.level)}),
        "candidates": relations.candidates,
        "relations": [
            {
                "polynomial": str(r.polynomial.primitive()),
                "cofactor": None if r.cofactor is None else str(r.cofactor),
                "proved": {"holds": r.proof.holds, "certificate": r.proof.certified, "error": r.proof.error},
            }
            for r in relations
        ],
    }


def described_proof(proof: sd.invariants.Proof) -> dict[str, Any]:
    """A proof in JSON's types; exact numbers as text."""
    return {
        "quantity": proof.quantity,
        "parameters": proof.parameters,
        **({} if proof.level is None else {"on": str(proof.level)}),
        "holds": proof.holds,
        "columns": {v.column: described_verdict(v) for v in proof.verdicts},
    }


def described_verdict(verdict: sd.invariants.Verdict) -> dict[str, Any]:
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


COMMAND = Command(
    "invariants", "find the polynomial first integrals up to a degree, or prove one",
    [f"semidirect:invariants.{name}" for name in ("find_invariants", "find_relations", "prove", "lie_rank")], topic="equations",
    examples=("invariants heavy-top", "invariants heavy-top --prove energy --along drift",
              "invariants heavy-top --on 'dot(M, Gamma)=0' --degree 1", "invariants routh-sphere --relations --degree 1"),
    details="Coefficients are exact. Exit code 1: the quantity of --prove is not conserved.",
    arguments={
        "degree": Flag("degree", "search up to this degree", "whole", "D"),
        "quantity": Flag("prove", "decide whether this is conserved: an observable, or an expression such as 'dot(M, Gamma)'",
                         metavar="QUANTITY", completion="quantities"),
        "along": Flag("along", "drift, noise (all), both, noise1, …; may be repeated (default: drift; with --prove: both)",
                      "texts", "COLUMN"),
        "restrict": Flag("restrict", "search in these only, e.g. --restrict Omega --restrict Gamma3; may be repeated", "texts",
                         "VARIABLE", completion="quantities"),
        "functions": Argument(
            (Flag("times", "a function by which monomials may be multiplied, e.g. 'sqrt(Q)'; may be repeated", "texts",
                  "EXPRESSION"),),
            lambda call: {f"({text})": text for text in call.read("times") or ()},
        ),
        "variables": Flag("variables", "polynomials of velocities or of momenta", choices=("velocity", "momentum")),
    },
    help={
        "on": "search and prove on a level, e.g. --on 'dot(M, Gamma)=0'; may be repeated",
        "parameters": "with --prove: at the parameters, at all of the same pattern of zeros and equal entries, or at any",
        "seed": "of the primes and random points, to repeat a call (default: drawn anew each time)",
    },
    defaults={"degree": 2, "quantity": None},
    options=[
        Flag("relations", "search invariant relations instead, polynomials Q with dQ = ΛQ: paths that start on Q = 0 stay there",
             "switch"),
        Flag("rank", "also print the rank of the Lie algebra of the fields, which bounds the number of invariants of any kind",
             "switch"),
    ],
    left_out={"symbolic": "proofs try all that they can"}, exclusive=[("degree", "prove")], execute=execute,
)  # fmt: skip
add = COMMAND.add
