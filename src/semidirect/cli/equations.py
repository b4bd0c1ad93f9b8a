"""``semidirect equations``: the stochastic differential equation that a principle gives."""

from __future__ import annotations

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.core import Flag, errors
from semidirect.text import printing

LATEX = Flag("latex", "print LaTeX", "switch")
NO_LEGEND = Flag(
    "no-legend", "with --latex, print the display without the sentence that explains its symbols", "switch"
)


def with_legend(call: Call) -> bool:
    """Whether LaTeX ends with the sentence on its letters."""
    if call.args.no_legend and not call.args.latex:
        raise errors.InputError("--no-legend", expected="beside --latex", hint="A text always has its legend.")
    return not call.args.no_legend


def execute(call: Call) -> int:
    """Carry it out."""
    args, derivation, legend = call.args, 1, with_legend(call)
    if args.derivation and args.principle not in (None, "hamilton-pontryagin"):
        raise errors.InputError("--derivation shows the one variation of δ∫l dt", hint="Leave out --principle.")
    number = derivation if args.derivation else 0
    page = call.function(number)(**call.arguments(number))
    if call.as_json:
        printing.print_json({"system": args.name, **page.described()})
    elif args.latex:
        print(page.latex(legend=legend))
    else:
        printing.print_text(page)
    return 0


COMMAND = Command(
    "equations", "print the equations of a system",
    ["semidirect.pages:Equations", "semidirect.pages:Derivation"], topic="equations",
    examples=("equations heavy-top --form ito", "equations heavy-top --derivation"),
    arguments={
        "principle": Flag("principle", "variational principle; both give the same equations (default: hamilton-pontryagin)",
                          choices=("hamilton-pontryagin", "lagrange-dalembert")),
    },
    options=[
        Flag("derivation", "show how the Stratonovich form follows from the principle, step by step", "switch"), LATEX,
        NO_LEGEND,
    ],
    exclusive=[("form", "derivation"), ("latex", "format")], execute=execute,
)  # fmt: skip
add = COMMAND.add
