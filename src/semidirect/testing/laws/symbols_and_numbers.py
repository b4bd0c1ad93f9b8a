"""The check that a definition gives the same for symbols and for numbers, at values on which it may branch."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from semidirect.core import interpolation
from semidirect.definition import SystemDefinition
from semidirect.testing.laws.report import Outcome, failed, ok
from semidirect.testing.laws.subject import Subject
from semidirect.testing.laws.symbolic_numeric_consistency import SymbolicNumericConsistency
from semidirect.testing.laws.system_variants import variants

LIVES = 1e-11
"""Relative. Measured over all installed systems: 8e-15."""


@interpolation.extended_tables()
def lives(subject: Subject) -> Outcome:
    """l, D, noise, forces and observables: symbols turned into numbers against the functions called with numbers."""
    worst, cases, regular = 0.0, subject.cases(variants), False
    comparisons = subject.known(_OfVariants)
    for label, system in cases.items():
        both = comparisons.of(system)
        for state in islice(subject.source.floats(f"lives {label}", system), 2):
            for name, symbolic, numeric in both.at(state):
                with np.errstate(all="ignore"):
                    rest = np.abs(numeric - symbolic)
                    off = float(np.max(rest / (1 + np.abs(symbolic)), initial=0.0))
                if name == "lagrangian" and not np.isfinite([*symbolic, *numeric]).any():
                    break  # it is the first: this is no state of the system
                regular = True
                both_undefined = bool(np.all(np.isfinite(symbolic) == np.isfinite(numeric))) and not np.isfinite(off)
                if both_undefined:
                    continue
                if not off <= LIVES:
                    at = "its parameters" if label == "default" else label
                    return failed(
                        f"{name} at {at}: symbols give {_shown(symbolic)}, numbers {_shown(numeric)}",
                        f"{name}: no Python if on a parameter or a state. Use ops.where, or make it an option (sd.option).",
                    )
                worst = max(worst, off)
    if not regular:
        subject.source.none_is_regular()
    return ok(f"{len(cases)} variants (defaults, bounds, 0, axes): off by {worst:.1e}")


def _shown(values: np.ndarray) -> str:
    return ", ".join(f"{x:.4g}" for x in values[:4]) + ("…" if len(values) > 4 else "")


class _OfVariants:
    """The comparisons of the variants of a system; those of one structure share what is compiled."""

    def __init__(self, system: SystemDefinition):
        self._of_structure: dict[Any, SymbolicNumericConsistency] = {}
        self._known: dict[int, SymbolicNumericConsistency] = {}

    def of(self, variant: SystemDefinition) -> SymbolicNumericConsistency:
        """The comparison of a variant, which it holds, so that its id stays its own."""
        if id(variant) not in self._known:
            comparison = SymbolicNumericConsistency(variant, self._of_structure.get(variant.workings.signature))
            self._known[id(variant)] = self._of_structure[variant.workings.signature] = comparison
        return self._known[id(variant)]
