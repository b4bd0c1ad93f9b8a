"""``semidirect evolution``: the evolution equation of an observable."""

from __future__ import annotations

from semidirect.cli.argument import Argument, Call
from semidirect.cli.command import Command
from semidirect.cli.equations import LATEX, NO_LEGEND, with_legend
from semidirect.cli.invariants import described_proof
from semidirect.core import Flag
from semidirect.text import printing


def execute(call: Call) -> int:
    """Carry it out."""
    from semidirect.pages import described_evolution, evolution_text

    form, legend = call.value("form") or "stratonovich", with_legend(call)
    system, observable, on = (call.value(name) for name in ("system", "quantity", "on"))
    evolution = system.evolution(observable)
    proof = None if on is None else system.prove(observable, on=on)
    if call.as_json:
        decided = {} if proof is None else {"on_level": described_proof(proof)}
        printing.print_json({"system": call.args.name, **described_evolution(evolution, form), **decided})
    else:
        text = evolution_text(system, evolution, form=form, latex=bool(call.args.latex), legend=legend)
        print(text) if call.args.latex else printing.print_text(text)
        if proof is not None and not call.args.latex:
            printing.print_text(proof)
    return 0


COMMAND = Command(
    "evolution", "print the evolution equation of an observable",
    ["semidirect:System.evolution", "semidirect.pages:evolution_text", "semidirect:invariants.prove"],
    topic="equations", examples=("evolution heavy-top 'dot(M, Gamma)'",),
    arguments={
        "quantity": Flag(
            "observable", "an observable or state variable ('show' lists them), or an expression such as 'dot(M, Gamma)**2/mass'",
            metavar="OBSERVABLE", position="one", completion="quantities",
        ),
        "latex": LATEX, "legend": Argument((NO_LEGEND,), with_legend),
    },
    help={"on": "also decide along which columns it is conserved on a level, e.g. --on 'dot(M, Gamma)=0'; may be repeated"},
    left_out={
        "evolution": "that of the observable", "along": "every column is decided", "parameters": "those of the system",
        "symbolic": "proofs try all that they can", "seed": "drawn anew each time",
    },
    exclusive=[("latex", "format")], execute=execute,
)  # fmt: skip
add = COMMAND.add
