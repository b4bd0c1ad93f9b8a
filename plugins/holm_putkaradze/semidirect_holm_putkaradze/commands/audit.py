"""``semidirect audit``: the displayed equations of the paper that state something, each with a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semidirect.cli import Call, Command
from semidirect.core import Flag
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    from semidirect_holm_putkaradze.audit import Audit, Finding


def execute(call: Call) -> int:
    """Carry it out."""
    from semidirect_holm_putkaradze.audit.page import page

    audit = call.function()(**call.arguments())
    if call.as_json:
        printing.print_json(audit.described())
    elif call.args.format == "markdown":
        print(page(audit), end="")
    elif call.args.labels:
        printing.print_text("\n\n".join(map(details, audit)))
    else:
        printing.print_text(text(audit))
    return 0


def text(audit: Audit) -> str:
    """One row for each equation, and the counts."""
    from semidirect_holm_putkaradze.audit.page import model_of

    rows = [[f.equation.label, str(f.verdict), model_of(f), f.equation.says] for f in audit]
    counts = ", ".join(f"{verdict}: {n}" for verdict, n in audit.counts.items())
    return f"{text_layout.table(['equation', 'verdict', 'model', 'states'], rows)}\n\n{counts}"


def details(finding: Finding) -> str:
    """One equation with its lines, corrections and counterexamples."""
    from semidirect_holm_putkaradze.audit.page import items, verdict_of

    out = [f"{finding.equation.label}: {finding.equation.says}", f"verdict: {verdict_of(finding)}"]
    for line in finding.lines:
        out += ["", *(item.replace("`", "") for item in items(line))]
    return "\n".join(out)


COMMAND = Command(
    "audit", "compare the claims of the displayed equations of the paper with the derived equations",
    ["semidirect_holm_putkaradze.audit:audit"],
    details="With labels: these equations, line by line, with corrections and counterexamples.",
    arguments={
        "labels": Flag("labels", "the label of an equation, e.g. dE0 (default: all)", metavar="LABEL", position="several"),
    },
    help={"seed": "of the random points (default: 0)"},
    options=[
        Flag("format", "for people, for programs, or the page of the documentation (default: table)",
             choices=("table", "json", "markdown")),
    ],
    answer=None, execute=execute,
)  # fmt: skip
add = COMMAND.add
