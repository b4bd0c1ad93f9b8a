"""The section "Mutations" of ``docs/verification.md``, from ``mutations.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOUND = Path(__file__).with_name("mutations.json")

HEAD = """## Mutations

Do the orders and conserved quantities determine the numbers in the methods? `python tests/verification/mutations.py` replaces
every numeric literal that takes part in a step, one at a time ({total} in {files} modules of `semidirect.integrators`): a number
by a fifth more (an integer by 1 at least), 0.0 by ¼. Every method that uses the module, through other modules too, is then put to
these checks until one notices: order without noise against the declared one, on tops and a ball under forces in time, along a
smooth path and on SL(2) × SE(2) × T; strong errors at three steps for additive, single and general noise; weak errors of a step
by enumeration; Casimirs, spatial momentum, return under reversed time and the Poisson property to round-off. An order notices if
the slope changes by more than {slope:g}, or the last error grows by more than half; an error that is raised counts too.

Left out are, by rule, class attributes (declared orders, defaults of arguments), the properties and refusals that `Integrator`
declares beside `step`, `retraction` and `nodes`, mappings of orders, error texts, and the registry, which takes part in no step.

**{killed} of {total} are noticed.** {said}"""

HOW = {
    "same bits": "The results are the same to the bit.",
    "round-off": "The results differ by round-off.",
    "another method of the same order": "The results differ: it is another method of the same orders.",
}


def section(found: Mapping[str, Any] | None = None) -> str:
    """Counts by module, and the survivors with their reasons."""
    if found is None:
        found = json.loads(FOUND.read_text(encoding="utf-8"))
    total, killed = (sum(f[k] for f in found.values()) for k in ("mutants", "killed"))
    survivors = [(name, s) for name, f in found.items() for s in f["survivors"]]
    unknown = sum(not s["why"] for _, s in survivors)
    said = ("The others cannot be, for the reasons below; how they survive was checked." if not unknown
            else f"{unknown} survive for no known reason.")  # fmt: skip
    lines = [HEAD.format(total=total, files=len(found), killed=killed, slope=0.25, said=said), "",
             "| module | numbers | noticed | by |", "|---|---:|---:|---|"]  # fmt: skip
    for name, f in found.items():
        by = ", ".join(f"{check} {count}" for check, count in sorted(f["by"].items(), key=lambda b: -b[1]))
        lines.append(f"| `{name}` | {f['mutants']} | {f['killed']} | {by} |")
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    for name, s in survivors:
        groups.setdefault((name, s["function"], s["how"], s["why"]), []).append(f"{s['before']} → {s['after']}")
    for how, text in HOW.items():
        of_kind = [(k, v) for k, v in groups.items() if k[2] == how]
        if of_kind:
            lines += ["", text, ""]
        for (name, function, _, why), changes in of_kind:
            counted = dict.fromkeys(changes)
            said = ", ".join(f"{c}{f' ({changes.count(c)} times)' if changes.count(c) > 1 else ''}" for c in counted)
            lines.append(f"- `{name}`, `{function}`, {said}: {why or 'not known'}.")
    return "\n".join(lines)
