"""``semidirect audit``: the displayed equations of the paper that state something, each with a verdict."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, whole
from semidirect.core.output import print_json, print_text
from semidirect.core.text_layout import table

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands
    from semidirect_holm_putkaradze.audit import Audit, Finding


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(
        commands, "audit", "test each displayed equation of the paper that states something against what is derived", execute,
        details="With labels: these equations, line by line, with corrections and counterexamples.",
    )  # fmt: skip
    parser.add_argument("labels", nargs="*", metavar="LABEL", help="the label of an equation, e.g. dE0 (default: all)")
    parser.add_argument("--seed", type=whole, default=0, metavar="N", help="of the random points (default: 0)")
    parser.add_argument(
        "--format", choices=("table", "json", "markdown"), default="table",
        help="for people, for programs, or the page of the documentation",
    )  # fmt: skip


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    from semidirect_holm_putkaradze.audit import audit
    from semidirect_holm_putkaradze.audit.page import page

    found = audit(args.labels, seed=args.seed)
    if args.format == "json":
        print_json(found.described())
    elif args.format == "markdown":
        print(page(found), end="")
    elif args.labels:
        print_text("\n\n".join(map(details, found)))
    else:
        print_text(text(found))
    return 0


def text(found: Audit) -> str:
    """One row for each equation, and the counts."""
    from semidirect_holm_putkaradze.audit.page import model_of

    rows = [[f.equation.label, str(f.verdict), model_of(f), f.equation.says] for f in found]
    counts = ", ".join(f"{verdict}: {n}" for verdict, n in found.counts.items())
    return f"{table(['equation', 'verdict', 'model', 'states'], rows)}\n\n{counts}"


def details(finding: Finding) -> str:
    """One equation with its lines, corrections and counterexamples."""
    from semidirect_holm_putkaradze.audit.page import items, verdict_of

    out = [f"{finding.equation.label}: {finding.equation.says}", f"verdict: {verdict_of(finding)}"]
    for line in finding.lines:
        out += ["", *(item.replace("`", "") for item in items(line))]
    return "\n".join(out)
