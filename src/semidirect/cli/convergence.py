"""``semidirect convergence``: the order of a method on a system, measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.cli.answer import Answer, picture
from semidirect.cli.argument import Argument, Call
from semidirect.cli.command import Command
from semidirect.cli.pictures import new_picture
from semidirect.core import Flag
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    import semidirect as sd

KINDS = (
    Flag("strong", "error path by path (default if there is noise)", "switch"),
    Flag("weak", "error of the mean of the observables, with its statistical error", "switch"),
    Flag("deterministic", "without noise, or along a smooth --driver", "switch"),
)


def _kind(call: Call) -> str | None:
    return next((flag.name for flag in KINDS if call.read(flag)), None)


def _drawn(study: sd.analysis.Convergence) -> Any:
    return study.plot(ax=new_picture()).figure


def text(study: sd.analysis.Convergence) -> str:
    """The study for people."""
    count = f"{study.paths} path{'s' * (study.paths != 1)}"
    lost = f", {study.failed} failed and left out" if study.failed else ""
    noise = "" if study.kind == "deterministic" else f"; noise: {study.noise_class}, since {study.reason}"
    when = printing.span(study.t_start, study.t_end)
    lines = [f"{study.system} by {study.method}: {study.kind} order {when}, {count}{lost}, seed {study.seed}{noise}"]
    error = "bias ± standard error" if study.kind == "weak" else "error"
    parts = [*lines, _errors(f"{error} against its own solution at dt = {study.finest:.3g} s", study, own=True),
             _errors(f"{error} against {study.reference}", study, own=False)]  # fmt: skip
    parts.append(_orders(study))
    notes = [f"{c.name}: {note}" for c in study.curves for note in c.fit.notes if c.verdict != "exact"]
    for curve in study.curves:
        path_count = curve.needed_paths(study.paths)
        if path_count:
            notes.append(f"{curve.name}: about {path_count} paths would tell its smallest bias from chance")
    if notes:
        parts.append("\n".join(notes))
    parts.append(conclusion(study))
    return "\n\n".join(parts)


def conclusion(study: sd.analysis.Convergence) -> str:
    """One line on the order, one on the limit."""
    c = next((c for c in study.curves if c.verdict != "exact"), study.curves[0])
    measured = f"measured {c.fit.text()} in {c.name}"
    order_text = "" if c.declared is None else f"declared order {c.declared:g}"
    verdict = {
        "met": f"{order_text}: met, {measured}",
        "higher": f"{order_text}: more than met, {measured}",
        "not met": f"{order_text}: NOT met, {measured}",
        "inconclusive": f"{order_text}: not decided, {measured}",
        "not declared": f"no order is declared for {study.noise_class} noise: {measured}",
        "exact": "no error but round-off",
    }[c.verdict]
    others = [
        f"{x.name} {x.fit.text()} for {x.declared:g}" for x in study.curves if x is not c and x.verdict == "not met"
    ]
    if others:
        verdict += f"; NOT met by {', '.join(others)}"
    wrong = [x.name for x in study.curves if not x.right_limit]
    limit = (
        f"limit: that of {study.reference}"
        if not wrong
        else f"limit: NOT that of {study.reference}, in {', '.join(wrong)}"
    )
    return f"{verdict}\n{limit}"


def _errors(title: str, study: sd.analysis.Convergence, *, own: bool) -> str:
    rows = []
    for k, h in enumerate(study.steps):
        cells = []
        for c in study.curves:
            value = c.errors[k] if own else c.independent[k]
            chance = ""
            if own and c.standard_errors is not None:
                chance = f" ± {printing.standard_error(float(c.standard_errors[k]), c.size, '.1e')}"
            cells.append(f"{value:.2e}{chance}")
        rows.append([printing.figures(float(h)), *cells])
    header = ["dt [s]", *(c.label for c in study.curves)]
    return title + "\n" + text_layout.table(header, rows, right=range(len(header)), indent=2)


def _orders(study: sd.analysis.Convergence) -> str:
    rows = []
    for c in study.curves:
        apart = f"{c.limits:.1e} apart, {c.allowed:.1e} expected"
        own = "-" if c.verdict == "exact" else c.fit.text()
        same = "the same" if c.right_limit else "NOT the same"
        rows.append([c.name, own, printing.figures(c.declared), c.verdict, c.independent_fit.text(), same, apart])
    header = ["order", "own limit", "declared", "", f"against {study.reference}", "limits", ""]
    return text_layout.table(header, rows)


COMMAND = Command(
    "convergence", "measure the order of a method on a system", ["semidirect:analysis.convergence"], topic="paths",
    examples=("convergence rigid-body --deterministic --levels 5",),
    details="All steps use the same Brownian path; errors are measured against the method's own fine solution, then "
    "against another method's. Exit code 1 if a declared order is not met or the limit is wrong.",
    arguments={"kind": Argument(KINDS, _kind)}, exclusive=[[flag.name for flag in KINDS]],
    help={
        "t-end": "end [s] (default: 1 after the start)", "dt": "largest step [s] (default: a sixteenth of the time)",
        "levels": "number of steps dt/2^k", "paths": "default: 200 strong, 10000 weak, 1 deterministic",
        "reference": "the other method (default: one of another construction)",
    },
    left_out={"tolerance": "a verdict in Python", "finer": "of tests of the study itself"},
    answer=Answer(text, status=lambda study: int(not study.good), output=picture(_drawn)),
)  # fmt: skip
add = COMMAND.add
