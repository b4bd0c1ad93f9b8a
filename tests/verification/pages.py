"""The pages of the documentation that are written from measurements and from class attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import grid
import mutation_section
from preserved import DT, PATHS, T_END, WATCHED
from problems import CLASSES, PROBLEMS

from semidirect.analysis.convergence_study import PATHS as STUDY_PATHS
from semidirect.analysis.convergence_study import TOLERANCE
from semidirect.analysis.order_fit import FEWEST
from semidirect.analysis.resampling import RESAMPLES
from semidirect.integrators import integrator

NOISY = tuple(c for c in CLASSES if c != "none")

HEAD = """# Verification

<!-- Written by `python tests/verification/report.py`; do not edit. -->

Declared against measured order for every method and every class of noise that it declares an order for, on three non-linear
problems: the rigid body with inertia (1, 2, 3) and the vertical Γ carried along, a heavy top without symmetry, and the Routh
ball. The noise is transport noise in one direction (`single`) or in three (`general`), torques fixed in the body (`additive`),
or (`commutative`) transport noise ξ with a torque cΓ, for whose fields (Dg₁)[g₂] = (Dg₂)[g₁] ≠ 0; for the ball, torques Γ × τ_j.

Without noise and for strong orders a cell is what `semidirect convergence` measures: 6 steps from 1/16 s (1/4 s for methods of
order above 2) to t = 1 s, {strong} paths, one Brownian path at all steps. **The error is taken against the method's own solution
at a sixteenth of the smallest step**, as the root mean square of the state, each variable in units of its size; then the limit
is compared with that of another method, whose fine solution may differ by what halving the fine steps of both changes. In
brackets: the 95 % interval, by {resamples} resamples of the paths, or Student's over the steps where there is no noise.

Weak orders are measured without chance: with three-point increments a step has finitely many outcomes, and E φ after one step of
h is compared with E φ after two of h/2, for φ the state, its second moments and the configuration, at 7 steps from 1/8 s; the
order is that of the difference, less 1. The limit is that of `heun` if one step of both differs by a higher order than the first.
(Methods with Lévy areas have too many outcomes; their strong order 1 implies a weak order of at least 1 for Lipschitz φ.)

**Errors that are stated** are verified on a page of their own: {{doc}}`coverage` repeats estimates and counts how often the truth
is within their errors.

An order rests on at least {fewest} dyadic steps and is met within ±{tolerance:g}.

| sign | |
|---|---|
| ↑ | higher than declared |
| † | steps at a plateau or at round-off were left out |
| ? | not decided: fewer than {fewest} steps are left, the interval is wide, or the order still changes |
| **not met** | below the declared order |
| **another limit** | the method does not converge to the solution of the other method |
| angle(g), distance(x), s, products | the order of the configuration, or of second moments, where it is another |
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
        HEAD.format(strong=STUDY_PATHS["strong"], resamples=RESAMPLES, fewest=FEWEST,
                    tolerance=TOLERANCE), summary(cells),
    ]  # fmt: skip
    for kind, noise in grid.tables():
        rows = [c for c in cells if c["kind"] == kind and c["noise"] == noise]
        if not rows:
            continue
        parts += [f"## {TITLES[kind].format(noise)}", _order_table(rows, PROBLEMS)]
    parts += ["## What methods keep", kept_table(measured["preserved"])]
    notes = "\n".join(f"- `{m}`, {_noise(n)}: {text}." for (m, n), text in grid.REASONS.items())
    parts += ["## Where a measured order is not the declared one", notes, mutation_section.section()]
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
    """One line of a table of orders, in which an order stays on the line of its interval."""
    cells = (re.sub(r" (\[[^],]*,) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", t.replace("|", r"\|")) for t in texts)
    return f"| `{method}` | {declared:g} | {' | '.join(cells)} |"


def kept_table(preserved: Mapping[str, Any]) -> str:
    """Changes of conserved quantities, relative, and the slopes of their drifts."""
    heads = [f"{name}, {_noise(noise)}: {quantity}" for name, noise, quantity in WATCHED]
    keys = [f"{name}/{noise}/{quantity}" for name, noise, quantity in WATCHED]
    lines = [
        f"Quantities that the equations conserve, over t = {T_END:g} s at Δt = {DT:g} s, {PATHS} paths (1 without noise): the "
        "largest relative change |Q/Q(0) − 1|, and below it the slope of its drift with standard error [1/s]. Over 5,000 steps "
        "with noise, energy among them: {doc}`choose_an_integrator_in_detail`.",
        "", f"| method | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}",
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
    lost = f"<br>{found['failed_paths']} of {PATHS} fail" if found["failed_paths"] else ""
    return f"{found['largest']:.1e}<br>{found['slope']:+.0e}{error}{lost}"


def _noise(noise: str) -> str:
    return "no noise" if noise == "none" else f"{noise} noise"


def method_table() -> str:
    """What the methods declare, from their class attributes: two tables for users, orders first."""
    orders = [["method", *(f"strong, {c}" for c in NOISY), "weak", "no noise"], ["---", *["---:"] * 6]]
    keeps = [["method", "equations", "implicit", "on the group", "keeps"], ["---"] * 5]
    for label in [*grid.methods(), "dop853"]:
        m = integrator(label)
        form = {"stratonovich": "Stratonovich", "ito": "Itô", "ode": "no noise, or W(t) smooth"}[m.calculus]
        strong = [_number(m.strong_order.get(c)) for c in NOISY]
        orders.append([f"`{label}`", *strong, _weak(m.weak_order), _number(m.deterministic_order)])
        kept = m.preserves.replace("|", "\\|")
        keeps.append([f"`{label}`", form, _yes(m.implicit), _yes(m.geometric), kept])
    return "\n\n".join("\n".join(f"| {' | '.join(cells)} |" for cells in table) for table in (orders, keeps))


def _weak(orders: Mapping[str, float]) -> str:
    """The order for most classes of noise, then that for others."""
    values = list(orders.values())
    usual = max(values, key=values.count, default=None)
    others = [f"{c}: {v:g}" for c, v in orders.items() if v != usual]
    return ", ".join([_number(usual), *others, *(f"{c}: —" for c in NOISY if values and c not in orders)])


def _yes(value: bool) -> str:
    return "yes" if value else ""


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
