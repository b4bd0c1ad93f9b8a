"""The pages of the documentation that are written from measurements and from class attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import grid
from preserved import DT, PATHS, T_END, WATCHED
from problems import PROBLEMS

from semidirect.analysis.convergence import FINER, PATHS as STUDY_PATHS, RESAMPLES, TOLERANCE
from semidirect.analysis.order_fit import FEWEST
from semidirect.integrators import METHODS, integrator

HEAD = """# Verification

<!-- Written by `python tests/verification/report.py`; do not edit. -->

Declared against measured order for every method and every class of noise that it declares an order for, on three non-linear
problems: the rigid body with inertia (1, 2, 3) and the vertical Γ carried along, a heavy top without symmetry, and the Routh
ball. The noise is transport noise in one direction (`single`) or in three (`general`), torques fixed in the body (`additive`),
or torques Γ × τ_j (`commutative`); the class is what {{py:func}}`semidirect.noise.noise_class.noise_class` finds.

Every cell is what `semidirect convergence` measures: {levels} steps from 1/16 s (1/8 s for weak orders, 1/4 s for methods of order
above 2) to t = 1 s, {strong} paths (strong) or {weak:,} (weak), one Brownian path at all steps. **The error is taken against the
method's own solution at a sixteenth of the smallest step**, as the root mean square (strong) or the mean difference (weak) of
the state, each variable in units of its size; then the limit is compared with that of another method, whose fine solution may
differ by what halving the fine steps of both changes. In brackets: the 95 % interval, by {resamples} resamples of the paths, or
Student's where there is no noise. An order rests on at least {fewest} dyadic steps and is met within ±{tolerance:g}.

| sign | |
|---|---|
| ↑ | higher than declared |
| † | a plateau was left out, so the order is met within ±0.25 |
| ? | not decided: fewer than {fewest} steps above round-off or chance, a wide interval, or an order that still changes |
| **not met** | below the declared order |
| **another limit** | the method does not converge to the solution of the other method |
| angle(g) …, distance(x) … | the order of the configuration, where it is more than 0.1 from that of the state |
"""

TITLES = {
    "deterministic": "Without noise",
    "strong": "Strong order, {} noise",
    "weak": "Weak order, {} noise",
}


def verification(measured: Mapping[str, Any]) -> str:
    """The page ``docs/verification.md``."""
    cells = measured["orders"]
    parts = [
        HEAD.format(levels="6 (weak: 5)", strong=STUDY_PATHS["strong"], weak=grid.WEAK_PATHS, resamples=RESAMPLES, fewest=FEWEST,
                    tolerance=TOLERANCE, finer=FINER), summary(cells),
    ]  # fmt: skip
    for kind, noise in grid.tables():
        rows = [c for c in cells if c["kind"] == kind and c["noise"] == noise]
        if not rows:
            continue
        names = PROBLEMS if kind != "weak" else (grid.WEAK_PROBLEM,)
        parts += [f"## {TITLES[kind].format(noise)}", _order_table(rows, names)]
    parts += ["## What methods keep", kept_table(measured["preserved"])]
    notes = "\n".join(f"- `{m}`, {_noise(n)}: {text}." for (m, n), text in grid.REASONS.items())
    parts += ["## Where a measured order is not the declared one", notes]
    return "\n\n".join(p.strip("\n") for p in parts) + "\n"


def summary(cells: Sequence[Mapping[str, Any]]) -> str:
    """Counts of verdicts."""
    studied = [c for c in cells if "verdict" in c]
    counts = {v: sum(c["verdict"] == v for c in studied) for v in ("met", "higher", "inconclusive", "not met", "exact")}
    wrong = sum(not c["right_limit"] for c in studied)
    said = {"met": "meet the declared order", "higher": "are above it", "inconclusive": "are not decided", "not met": "miss it",
            "exact": "have no error but round-off"}  # fmt: skip
    listed = ", ".join(f"{counts[v]} {text}" for v, text in said.items() if counts[v])
    limits = "all have the limit of the other method" if not wrong else f"{wrong} have another limit"
    return f"Of {len(studied)} studies {listed}; {limits}."


def _order_table(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    lines = [f"| method | declared | {' | '.join(names)} |", f"|---|---:|{'---|' * len(names)}"]
    for method in dict.fromkeys(r["method"] for r in rows):
        own = {r["problem"]: r for r in rows if r["method"] == method}
        declared = next(iter(own.values()))["declared"]
        lines.append(order_row(method, declared, [own.get(n, {}).get("text", "") for n in names]))
    return "\n".join(lines)


def order_row(method: str, declared: float, texts: Iterable[str]) -> str:
    """One line of a table of orders."""
    return f"| `{method}` | {declared:g} | {' | '.join(texts)} |"


def kept_table(preserved: Mapping[str, Any]) -> str:
    """Changes of conserved quantities, relative, and the slopes of their drifts."""
    heads = [f"{name}, {_noise(noise)}: {quantity}" for name, noise, quantity in WATCHED]
    keys = [f"{name}/{noise}/{quantity}" for name, noise, quantity in WATCHED]
    lines = [
        f"Quantities that the equations conserve, over t = {T_END:g} s at Δt = {DT:g} s, {PATHS} paths (1 without noise): the largest "
        "relative change |Q/Q(0) − 1|, and below it the slope of its drift with standard error [1/s]. Every method keeps s in its "
        "group to round-off, since s moves by group elements.",
        "", f"| method | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}",
    ]  # fmt: skip
    for method, found in preserved.items():
        lines.append(f"| `{method}` | {' | '.join(_kept(found.get(k, {})) for k in keys)} |")
    return "\n".join(lines)


def _kept(found: Mapping[str, Any]) -> str:
    if "refused" in found:
        return "—"
    if "failed" in found:
        return f"fails: {found['failed']}"
    if not found:
        return ""
    error = "" if found["slope_error"] is None else f" ± {found['slope_error']:.0e}"
    lost = f" ({found['failed_paths']} paths failed)" if found["failed_paths"] else ""
    return f"{found['largest']:.1e}<br>{found['slope']:+.0e}{error}{lost}"


def _noise(noise: str) -> str:
    return "no noise" if noise == "none" else f"{noise} noise"


def method_table() -> str:
    """What the methods declare, from their class attributes: the table of ``docs/choose_an_integrator.md``."""
    classes = ("additive", "single", "commutative", "general")
    lines = ["| method | equations | " + " | ".join(f"strong, {c}" for c in classes)
             + " | weak | no noise | implicit | on the group | keeps |", "|---|---|" + "---:|" * 6 + "---|---|---|"]  # fmt: skip
    for name, kind in METHODS.items():
        strong = [_number(kind.strong_order.get(c)) for c in classes]
        weak = getattr(kind, "weak_order", {})
        values = list(dict.fromkeys(_number(weak.get(c)) for c in classes))
        listed = values[0] if len(values) == 1 else ", ".join(f"{c}: {_number(weak[c])}" for c in classes if c in weak)
        form = {"stratonovich": "Stratonovich", "ito": "Itô", "ode": "no noise, or W(t) smooth"}[kind.calculus]
        lines.append(
            f"| `{name}` | {form} | {' | '.join(strong)} | {listed} | {_number(kind.deterministic_order)} | "
            f"{'yes' if kind.implicit else ''} | {'yes' if kind.geometric else ''} | {kind.preserves} |"
        )
    return "\n".join(lines)


def _number(order: float | None) -> str:
    return "—" if order is None else f"{order:g}"


def between(page: str, name: str, text: str) -> str:
    """The page with the text between its markers ``<!-- name -->`` and ``<!-- /name -->``."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no markers {begin.strip()} and {end}")
    return f"{before}{begin}\n{text}\n\n{end}{after}"


def known(label: str) -> bool:
    """Whether this version has the method."""
    return integrator(label).label == label
