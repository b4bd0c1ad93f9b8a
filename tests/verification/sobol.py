"""Variances of means over Sobol points against those of independent paths: a table of ``docs/sobol_points.md``.

Usage: python tests/verification/sobol.py [CASE … | --pages]

It takes some minutes and resumes where it stopped: a case that is in ``sobol.json`` beside this file is not run again. Of each
case there are ``REPLICATIONS`` replications of 2¹⁰ points, from whose spread the variance of a mean over 2¹⁰ points is estimated.
That of a mean over as many independent paths is the variance of the values, which Sobol points do not change, divided by their
number.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import chdtri

sys.path.insert(0, str(Path(__file__).parent))

import pages

import semidirect as sd

MEASURED = Path(__file__).with_name("sobol.json")
PAGE = Path(__file__).parents[2] / "docs" / "sobol_points.md"
POINTS, SEEDS, AT_ONCE = 1024, (1, 2, 3, 4), 32
REPLICATIONS = AT_ONCE * len(SEEDS)
SIGNIFICANCE = 0.01 / 31
"""That of one of the ratios, so that one of all is above its limit by chance in a hundred tables."""
BODY_NOISE = [[0.35, 0.0, 0.0], [0.0, 0.25, 0.0], [0.0, 0.0, 0.2]]
SYSTEMS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "rigid body": ("rigid-body", {"noise": BODY_NOISE, "advect_gamma": True}, {"t_end": 2.0, "dt": 1 / 16}),
    "rigid body, 16 s": ("rigid-body", {"noise": BODY_NOISE, "advect_gamma": True}, {"t_end": 16.0, "dt": 1 / 16}),
    "heavy top": ("heavy-top", {}, {"t_end": 1.0, "dt": 1 / 32}),
    "rolling ball": ("routh-sphere", {}, {"t_end": 1.0, "dt": 1 / 32}),
    "sleigh": ("chaplygin-sleigh", {}, {"t_end": 2.0, "dt": 1 / 16}),
    "rolling disk": ("rolling-disk", {}, {"t_end": 1.0, "dt": 1 / 32}),
    "Kirchhoff body": ("kirchhoff-body", {}, {"t_end": 1.0, "dt": 1 / 32}),
    "particle": ("nonholonomic-particle", {}, {"t_end": 1.0, "dt": 1 / 32}),
    "turntable ball": ("turntable-ball", {}, {"t_end": 1.0, "dt": 1 / 32}),
}
"""Name, options and times of the systems."""


def system(name: str) -> sd.System:
    """A system of the table."""
    key, options, _ = SYSTEMS[name]
    return sd.load(key, **options)


QUANTITIES: dict[str, tuple[str, ...]] = {
    "rigid body": (
        "M3",
        "Gamma3",
        "M1**2",
        "energy",
        "where(M2 > 0, 1, 0)",
        "where(energy > 1, 1, 0)",
        "where(Gamma1 > -0.7, 1, 0)",
    ),
    "rigid body, 16 s": ("M3", "Gamma3", "where(M2 > 0, 1, 0)", "where(energy > 1, 1, 0)"),
    "heavy top": ("Gamma2", "M1*M2", "where(Gamma2 > -0.26, 1, 0)"),
    "rolling ball": ("energy", "jellett", "x2", "where(x1 > 0.03, 1, 0)"),
    "sleigh": ("x", "energy", "where(y > 1.05, 1, 0)"),
    "rolling disk": ("x", "theta**2", "where(theta > 1.05, 1, 0)"),
    "Kirchhoff body": ("P2", "where(P2 > 0.2, 1, 0)"),
    "particle": ("x*y", "abs(z)", "where(z > 0.02, 1, 0)"),
    "turntable ball": ("energy", "where(energy > 10.5, 1, 0)"),
}
"""Quantities of the table at the end of the time."""
SMOOTH = {"rigid body": "M3", "rolling ball": "energy", "sleigh": "x"}
"""Three means of smooth quantities of three systems, whose variance has to be at least ``LEAST`` times smaller."""
LEAST, MOST = 30.0, 1.5


def means(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The means of the quantities in each replication ``(replications, quantities)``, and the variances of the values."""
    _, _, times = SYSTEMS[name]
    quantities = QUANTITIES[name]
    run = system(name).simulate(
        paths=POINTS * AT_ONCE,
        seed=seed,
        driver=sd.noise.Sobol(AT_ONCE),
        save=sd.Save("final", []),
        reduce=sd.Reduce(sd.Moments(quantities)),
        **times,
    )
    found = run.reductions["moments"]
    each = [[float(one.mean[q][-1]) for q in quantities] for one in found.replications]
    return np.array(each), np.array([float(found.variance[q][-1]) for q in quantities])


def measure(name: str) -> dict[str, dict[str, float]]:
    """The variances of a system, by quantity."""
    runs = [means(name, seed) for seed in SEEDS]
    ours = np.concatenate([each for each, _ in runs]).var(axis=0, ddof=1)
    plain = np.mean([variance for _, variance in runs], axis=0) / POINTS
    return {
        q: {"points": float(a), "independent": float(b)} for q, a, b in zip(QUANTITIES[name], ours, plain, strict=True)
    }


def least(one: dict[str, float]) -> float:
    """The smallest ratio of variances, points to independent paths, that is not excluded."""
    n = REPLICATIONS - 1
    return one["points"] / one["independent"] * n / float(chdtri(n, SIGNIFICANCE))


def load() -> dict[str, dict[str, dict[str, float]]]:
    """What was measured."""
    return json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}


def table(measured: dict[str, dict[str, dict[str, float]]]) -> str:
    """The table of the page."""
    rows = ["| system | quantity | variance, independent / Sobol |", "|---|---|---:|"]
    for name, by_quantity in measured.items():
        for q, one in by_quantity.items():
            ratio = one["independent"] / one["points"]
            rows.append(f"| {name} | `{q}` | {ratio:.3g} |")
    return "\n".join(rows)


def main(arguments: list[str]) -> None:
    """Measure what is missing, and write the page."""
    known = load()
    for name in [a for a in arguments if a != "--pages"] or ([] if "--pages" in arguments else list(SYSTEMS)):
        if name not in known:
            known[name] = measure(name)
            known = {k: known[k] for k in SYSTEMS if k in known}
            MEASURED.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
            print(name, {q: round(x["independent"] / x["points"], 2) for q, x in known[name].items()}, flush=True)
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(pages.between(text, "sobol", table(known)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
