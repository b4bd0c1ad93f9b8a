"""The first method for long runs of each installed system, over 10⁴ steps with noise: a table of the docs.

Usage: python tests/verification/advice.py [NAME … | --pages]

All of it takes some minutes, most of them compiling. What is measured goes into ``advice.json`` beside this file; names
measure some systems again, and ``--pages`` writes the table from what is there.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
import pages

import semidirect as sd
from semidirect.analysis import recommend
from semidirect.analysis.advice.trial import sizes_of
from semidirect.definition import plugins

MEASURED = Path(__file__).with_name("advice.json")
PAGE = Path(__file__).parents[2] / "docs" / "choose_an_integrator_in_detail.md"
STEPS, PATHS, SAVES = 10_000, 4, 100
KEPT = 1e-10
"""Largest change of what a method keeps, relative to the size of its terms."""


def changes(system: sd.System, method: str, names: list[str], dt: float, *, steps: int = STEPS, paths: int = PATHS,
            seed: int = 5, execution: sd.Execution | None = None) -> dict[str, float]:  # fmt: skip
    """The largest relative change of quantities on any path; nan if paths fail."""
    save = sd.Save(f"every:{max(1, steps // SAVES)}", names=names)
    run = system.simulate(
        t_end=steps * dt, dt=dt, paths=paths, seed=seed, method=method, save=save, execution=execution
    )
    sizes = sizes_of(system, names, None, dt)
    if not run.good.all():
        return dict.fromkeys(names, float("nan"))
    return {n: float(np.max(np.abs(run[n] - run[n][:, :1]))) / sizes[n] for n in names}


def measure(name: str) -> dict[str, Any]:
    """The recommendation for a system and what its first method does in a long run; all methods to what it does not keep."""
    system = sd.load(name)
    found = recommend(system)
    first, constant = found.candidates[0], list(found.constants.along_all)
    out: dict[str, Any] = {
        "method": first.method, "default": found.default, "dt": found.dt, "constant": constant, "keeps": list(first.keeps),
        "without_noise": [list(found.constants.along_drift), list(first.keeps_without_noise)],
        "drifts": {k: str(v) for k, v in found.drifts.items()},
    }  # fmt: skip
    if constant:
        out["changes"] = changes(system, first.method, constant, found.dt)
        out["default_changes"] = changes(system, found.default, constant, found.dt)
    lost = [n for n in constant if n not in first.keeps]
    if lost:
        out["others"] = {c.method: changes(system, c.method, lost, found.dt) for c in found.candidates[1:]}
    return out


def load() -> dict[str, dict[str, Any]]:
    """What was measured."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def table(measured: dict[str, dict[str, Any]]) -> str:
    """The table of the page."""
    rows = ["| system | first for long runs | keeps, of what is constant with noise | and without noise | default |",
            "|---|---|---|---|---|"]  # fmt: skip
    for name, of in sorted(measured.items()):
        kept = [f"{q} ({of['changes'][q]:.0e})" for q in of["keeps"]]
        lost = [f"not {q} ({of['changes'][q]:.0e}; {of['drifts'][q]})" for q in of["constant"] if q not in of["keeps"]]
        constant, still = of["without_noise"]
        alone = [*still, *(f"not {q}" for q in constant if q not in still)]
        rows.append(f"| `{name}` | `{of['method']}` | {', '.join([*kept, *lost]) or '–'} | {', '.join(alone) or '–'} | "
                    f"`{of['default']}` |")  # fmt: skip
    return "\n".join(rows)


def main(arguments: list[str]) -> None:
    """Measure, and write the page."""
    known = load() if MEASURED.exists() else {}
    if arguments != ["--pages"]:
        for name in arguments or sorted(plugins.available()):
            known[name] = measure(name)
            print(name, json.dumps(known[name]), flush=True)
            MEASURED.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(pages.between(text, "advice", table(known)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
