"""Cost and error of multilevel Monte Carlo against the error asked for: a table of ``docs/multilevel.md``.

Usage: python tests/verification/multilevel.py [CASE … | --pages]

It takes some minutes. What is measured goes into ``multilevel.json`` beside this file; ``--pages`` writes the table from it.
The reference is the mean from the generator on spherical harmonics, see ``momentum_mean.py``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import pages
from momentum_mean import mean_momentum

import semidirect as sd

MEASURED = Path(__file__).with_name("multilevel.json")
PAGE = Path(__file__).parents[2] / "docs" / "multilevel.md"
T_END, DT, SEED = 4.0, 0.125, 1
ERRORS = (1e-2, 10**-2.5, 1e-3, 10**-3.5)
CASES = {
    "one noise": (((0.35, 0.25, 0.2),), 2),
    "three noises": (((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5)), 0),
}
"""Amplitudes ξ_i in the body, for which ``lie-heun`` has strong order 1 and ½, and the component of M."""


def body(case: str) -> sd.System:
    """The rigid body of a case."""
    return sd.load("rigid-body", noise=CASES[case][0])


def exact(case: str) -> float:
    """The mean at the end."""
    system, (noise, component) = body(case), CASES[case]
    start = [i * w for i, w in zip(system.values["inertia"], system.initial["Omega"], strict=True)]
    return float(mean_momentum(system.values["inertia"], noise, start, T_END)[component])


def measure(case: str, rmse: float, seed: int = SEED) -> sd.analysis.Multilevel:
    """An estimate of the mean."""
    component = f"M{CASES[case][1] + 1}"
    return sd.multilevel(body(case), component, t_end=T_END, rmse=rmse, dt=DT, method="lie-heun", seed=seed)


def load() -> dict[str, dict[str, Any]]:
    """What was measured."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def table(measured: dict[str, dict[str, Any]]) -> str:
    """The table of the page."""
    rows = ["| case | ε | estimate − mean | stated error | levels | steps | steps × ε² | β | plain / multilevel |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    for case, of in measured.items():
        name = f"{case}, E\u00a0M{'₁₂₃'[CASES[case][1]]}"
        rows += [
            f"| {name} | {x['rmse']:.1e} | {x['estimate'] - of['exact']:+.1e} | {x['error']:.1e} | {len(x['levels'])} | "
            f"{x['cost']:.2e} | {x['cost'] * x['rmse'] ** 2:.1f} | {x['variance_order']:.2f} | {x['gain']:.1f} |"
            for x in of["estimates"]
        ]  # fmt: skip
    return "\n".join(rows)


def main(arguments: list[str]) -> None:
    """Measure, and write the page."""
    known = load() if MEASURED.exists() else {}
    if arguments != ["--pages"]:
        for case in arguments or CASES:
            known[case] = {"exact": exact(case), "estimates": []}
            for rmse in ERRORS:
                found = measure(case, rmse)
                known[case]["estimates"].append(found.described())
                print(found, flush=True)
            MEASURED.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(pages.between(text, "multilevel", table(known)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
