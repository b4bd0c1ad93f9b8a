"""Change every number of the integrators, and ask whether the orders or what is kept notice.

Usage: python tests/verification/mutations.py [FILE …]

Each numeric literal of a module of ``semidirect.integrators`` that takes part in a step (:mod:`mutants` says which do) is
replaced, one at a time, by another. Every method that uses the module has to pass the checks of :mod:`checks` with the changed
module; one that does not kills the mutant. Survivors have their reasons in :mod:`survivors`, which count where they survive in
the way that is said there. What was found goes into ``mutations.json`` beside this file, from which ``report.py --pages`` writes
the section "Mutations" of ``docs/verification.md``.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import grid
import numpy as np
from checks import CHECKS, Check, complaint
from mutants import FOLDER, Mutant, concerned, mutants, mutated
from survivors import OTHER, ROUND_OFF, SAME, reason

from semidirect.integrators import Integrator, integrator

FOUND = Path(__file__).with_name("mutations.json")

MORE = ("lift(euler-heun)", "lift(heun, exp)", "rkmk4(exp)", "variational(exp)", "coadjoint-midpoint(exp)",
        "nonholonomic(exp)", "dop853")  # fmt: skip
"""Methods beside those of the grid, so that every branch of the modules is gone through."""

QUIET = ("gauss(3)", "rkmk4(exp)", "lift(heun, exp)", "variational(exp)", "coadjoint-midpoint(exp)")
"""Those whose strong orders say nothing beside those of another version: they are looked at without noise."""


def labels() -> list[str]:
    """All methods."""
    return [*grid.methods(), *MORE]


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: who killed it and how, or how it survives."""

    mutant: Mutant
    method: str = ""
    check: str = ""
    said: str = ""
    survival: str = ""

    @property
    def killed(self) -> bool:
        """Whether something noticed."""
        return not self.survival


def pairs(methods: Sequence[str]) -> list[tuple[Check, str]]:
    """Checks and methods, the cheapest first."""
    found = [(c, m) for c in CHECKS for m in methods if c.applies(integrator(m)) and not (m in QUIET and c.noisy)]
    return sorted(found, key=lambda p: cost(*p))


def cost(check: Check, label: str) -> float:
    """About how long a check takes [s]: iterations, then stages, paths and steps."""
    method = integrator(label)
    stages = method.tableau.stages if method.tableau is not None else 4 if method.weak else 2
    iterations = (12 if method.implicit else 1) * (2 if method.geometric else 1)
    return check.cost * stages * iterations


def judge(mutant: Mutant, tried: Sequence[tuple[Check, str]]) -> Outcome:
    """Whether one of the checks notices; one whose results are the same bits need not be asked."""
    try:
        with mutated(mutant) as fresh:
            methods = {label: fresh(label) for label in dict.fromkeys(m for _, m in tried)}
    except Exception as error:
        return Outcome(mutant, "", "import", type(error).__name__)
    most = 0.0
    for check, label in tried:
        try:
            apart = difference(check, label, methods[label])
        except Exception as error:
            return Outcome(mutant, label, check.name, type(error).__name__)
        if not apart:
            continue
        said = complaint(check, label, methods[label])
        if said:
            return Outcome(mutant, label, check.name, said)
        most = max(most, apart)
    return Outcome(mutant, survival=SAME if most == 0 else ROUND_OFF if most < 1e-11 else OTHER)


def difference(check: Check, label: str, method: Integrator) -> float:
    """How far results of a changed method are from those of the method as it is, relative; 0 only if they are the same bits."""
    before = results(check, label)
    if method.deterministic_order != integrator(label).deterministic_order:  # then its orders have to be looked at
        return np.inf
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        now = check.results(method)
    most = 0.0
    for a, b in zip(now, before, strict=True):
        if a.shape != b.shape or not np.all(np.isfinite(a)):
            return np.inf
        if not np.array_equal(a, b):
            most = max(most, 1e-300, float(np.max(np.abs(a - b))) / max(1.0, float(np.max(np.abs(b)))))
    return most


@cache
def results(check: Check, label: str) -> Sequence[np.ndarray]:
    """Those of a method as it is."""
    return check.results(integrator(label))


def run(name: str) -> Iterator[Outcome]:
    """The outcome of every mutant of a file."""
    tried = pairs(concerned(name, labels()))
    return (judge(m, tried) for m in mutants(FOLDER / name))


def record(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """What is written of a file."""
    kills: dict[str, int] = {}
    for o in outcomes:
        if o.killed:
            kills[o.check] = kills.get(o.check, 0) + 1
    return {
        "mutants": len(outcomes), "killed": sum(o.killed for o in outcomes), "by": kills, "seconds": round(seconds),
        "survivors": [
            {"function": o.mutant.function, "line": o.mutant.text, "before": repr(o.mutant.before), "after": repr(o.mutant.after),
             "how": o.survival, "why": ""} for o in outcomes if not o.killed
        ],
    }  # fmt: skip


def load() -> dict[str, Any]:
    """What is known."""
    return json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() else {}


def save(found: Mapping[str, Any]) -> None:
    """Write it, in the order of the names."""
    text = json.dumps({n: found[n] for n in sorted(found)}, indent=1, ensure_ascii=False)
    FOUND.write_text(f"{text}\n", encoding="utf-8")


def explain(found: Mapping[str, Any]) -> int:
    """Put the reasons beside the survivors; how many have none."""
    unknown = 0
    for name, f in found.items():
        for s in f["survivors"]:
            s["why"] = reason(name, s["function"], s["line"], ast.literal_eval(s["before"]), s["how"])
            unknown += not s["why"]
    return unknown


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="modules of semidirect.integrators; without any, all")
    parser.add_argument("--explain", action="store_true", help="only write the reasons again beside what is known")
    args = parser.parse_args(arguments)
    every = [f.name for f in sorted(FOLDER.glob("*.py")) if concerned(f.name, labels()) and mutants(f)]
    for name in () if args.explain else args.files or every:
        outcomes, began = [], time.perf_counter()
        for o in run(name):
            outcomes.append(o)
            print(
                f"{o.mutant}: {f'{o.method}, {o.check}: {o.said}' if o.killed else f'SURVIVES, {o.survival}'}",
                flush=True,
            )
        one = record(outcomes, time.perf_counter() - began)
        print(f"{name}: {one['killed']} of {one['mutants']} noticed, {one['seconds']} s", flush=True)
        save({**load(), name: one})
    found = {n: f for n, f in load().items() if n in every}
    unknown = explain(found)
    save(found)
    print(f"{unknown} survivors without an explanation")
    return int(unknown > 0)


if __name__ == "__main__":
    sys.exit(main())
