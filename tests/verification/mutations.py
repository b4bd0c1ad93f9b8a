"""Change every number of the integrators, and ask whether the orders or what is kept notice.

Usage: python tests/verification/mutations.py [FILE …]

Each numeric literal of a module of ``semidirect.integrators`` that takes part in a step (:mod:`mutants` says which do) is replaced,
one at a time, by another. Every method that uses the module has to pass the checks of :mod:`checks` with the changed module; one
that does not kills the mutant. Survivors are named, with the reason why they have to survive, in ``EXPLAINED``: the script asks
whether they survive in the way that is said there. What was found goes into ``mutations.json`` beside this file, from which
``report.py --pages`` writes the section "Mutations" of ``docs/verification.md``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import grid
import numpy as np
from checks import CHECKS, Check, complaint
from mutants import FOLDER, Mutant, concerned, mutants, mutated

from semidirect.integrators import integrator

FOUND = Path(__file__).with_name("mutations.json")

MORE = ("lift(euler-heun)", "lift(heun, exp)", "rkmk4(exp)", "variational(exp)", "coadjoint-midpoint(exp)",
        "nonholonomic(exp)", "dop853")  # fmt: skip
"""Methods beside those of the grid, so that every branch of the modules is gone through."""

SAME, ROUND_OFF, OTHER = "same bits", "round-off", "another method of the same order"
EXPLAINED: Mapping[tuple[str, str, str, Any], tuple[str, str]] = {}
"""Survivors that are understood: file, function, text of the line, and the number → how they survive, and why no check can notice."""


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

    @property
    def explained(self) -> str:
        """Why it survives; nothing if that is not known, or if it survives in another way than is said."""
        m = self.mutant
        how, why = EXPLAINED.get((m.file, m.function, m.text, m.before), ("", ""))
        return why if how == self.survival else ""


def pairs(methods: Sequence[str]) -> list[tuple[Check, str]]:
    """Checks and methods, the cheapest first."""
    return sorted(((c, m) for c in CHECKS for m in methods if c.applies(integrator(m))), key=lambda p: cost(*p))


def cost(check: Check, label: str) -> float:
    """About how long a check takes [s]: sweeps, then stages, paths and steps."""
    method = integrator(label)
    stages = method.tableau.stages if method.tableau is not None else 4 if method.weak else 2
    sweeps = (12 if method.implicit else 1) * (2 if method.geometric else 1)
    return check.cost * stages * sweeps


def judge(mutant: Mutant, tried: Sequence[tuple[Check, str]]) -> Outcome:
    """Whether one of the checks notices."""
    try:
        with mutated(mutant) as fresh:
            methods = {label: fresh(label) for label in dict.fromkeys(m for _, m in tried)}
    except Exception as error:
        return Outcome(mutant, "", "import", type(error).__name__)
    for check, label in tried:
        said = complaint(check, label, methods[label])
        if said:
            return Outcome(mutant, label, check.name, said)
    return Outcome(mutant, survival=max((survival(methods[m], m) for m in methods), key=(SAME, ROUND_OFF, OTHER).index))


def survival(changed: Any, label: str) -> str:
    """How the results of a method differ from those of the method as it is."""
    most = 0.0
    for check in CHECKS:
        if check.applies(integrator(label)):
            with np.errstate(all="ignore"):
                now, before = check.results(changed), check.results(integrator(label))
            for a, b in zip(now, before, strict=True):
                if not np.array_equal(a, b):
                    most = max(most, 1e-300, float(np.max(np.abs(a - b))) / max(1.0, float(np.max(np.abs(b)))))
    return SAME if most == 0 else ROUND_OFF if most < 1e-11 else OTHER


def run(files: Sequence[str], every: int = 1) -> list[Outcome]:
    """The outcome of every mutant of some files, or of one in ``every``."""
    found = []
    for name in files:
        tried = pairs(concerned(name, labels()))
        found += [judge(m, tried) for m in mutants(FOLDER / name)[::every]] if tried else []
    return found


def record(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """What is written of a file."""
    kills: dict[str, int] = {}
    for o in outcomes:
        if o.killed:
            kills[o.check] = kills.get(o.check, 0) + 1
    return {
        "mutants": len(outcomes), "killed": sum(o.killed for o in outcomes), "by": kills, "seconds": round(seconds),
        "survivors": [{"mutant": str(o.mutant), "how": o.survival, "why": o.explained} for o in outcomes if not o.killed],
    }  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="modules of semidirect.integrators; without any, all")
    parser.add_argument("--verbose", action="store_true", help="print the killed too")
    args = parser.parse_args(arguments)
    known = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() else {}
    unknown = 0
    every = [f.name for f in sorted(FOLDER.glob("*.py")) if concerned(f.name, labels()) and mutants(f)]
    for name in args.files or every:
        began = time.perf_counter()
        outcomes = run([name])
        known[name] = record(outcomes, time.perf_counter() - began)
        print(f"{name}: {known[name]['killed']} of {len(outcomes)} killed, {known[name]['seconds']} s", flush=True)
        for o in outcomes:
            unknown += not o.killed and not o.explained
            if o.killed and args.verbose:
                print(f"  {o.mutant}: {o.method}, {o.check}: {o.said}", flush=True)
            elif not o.killed:
                print(f"  {o.mutant}: {o.survival}; {o.explained or 'NOT EXPLAINED'}", flush=True)
        FOUND.write_text(json.dumps({n: known[n] for n in every if n in known}, indent=1, ensure_ascii=False) + "\n",
                         encoding="utf-8")  # fmt: skip
    print(f"{unknown} survivors without an explanation")
    return int(unknown > 0)


if __name__ == "__main__":
    sys.exit(main())
