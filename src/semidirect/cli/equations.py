"""``semidirect equations``: the stochastic differential equation that a principle gives."""

from __future__ import annotations

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.core import Flag, errors
from semidirect.text import printing

LATEX = Flag("latex", "print LaTeX", "switch")


def execute(call: Call) -> int:
    """Carry it out."""
    args, derivation = call.args, 1
    if args.derivation and args.principle not in (None, "hamilton-pontryagin"):
        raise errors.InputError("--derivation shows the one variation of δ∫l dt", hint="Leave out --principle.")
    number = derivation if args.derivation else 0
    page = call.function(number)(**call.arguments(number))
    if call.as_json:
        printing.print_json({"system": args.name, **page.described()})
    elif args.latex:
        print(page.latex())
    else:
        printing.print_text(page)
    return 0


COMMAND = Command(
    "equations", "print the equations of a system",
    ["semidirect.pages:Equations", "semidirect.pages:Derivation"], topic="equations",
    examples=("equations heavy-top --form ito", "equations heavy-top --derivation"),
    arguments={
        "principle": Flag("principle", "which derives them, to the same end (default: hamilton-pontryagin)",
                          choices=("hamilton-pontryagin", "lagrange-dalembert")),
    },
    options=[
        Flag("derivation", "how the Stratonovich form follows from the principle, step by step", "switch"), LATEX,
    ],
    exclusive=[("form", "derivation"), ("latex", "format")], execute=execute,
)  # fmt: skip
add = COMMAND.add
