"""The audit: every displayed equation of the paper that states something, and what was found of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

from semidirect.core import errors
from semidirect_holm_putkaradze.audit.claim import Equation
from semidirect_holm_putkaradze.audit.decide import decide
from semidirect_holm_putkaradze.audit.finding import Finding, LineFinding, Verdict
from semidirect_holm_putkaradze.audit.writing import written

NOT_JUDGED: Mapping[str, str] = {
    "Q(t) = g(t)P + x(t), before (spat-constraint)": "says how a configuration is written",
    "x(t) ∈ ℝ³, before (spat-constraint)": "names the components of x",
    "ad*, before (ad-star-def)": "says between which spaces ad* maps",
    "◇, before (ad-star-def)": "says between which spaces ◇ maps",
    "Fdef": "defines F, which stands in (Routh_cons)",
}
"""Displays that can be neither true nor false, with what they do; the names as those of equations."""


@lru_cache(maxsize=1)
def equations() -> dict[str, Equation]:
    """All equations by label, in the order of the paper."""
    from semidirect_holm_putkaradze.audit import (
        ball_equations,
        centred_equations,
        conserved_equations,
        disk_equations,
        principle_equations,
        routh_equations,
    )

    families = (
        principle_equations, ball_equations, disk_equations, conserved_equations, centred_equations, routh_equations,
    )  # fmt: skip
    return {equation.label: equation for family in families for equation in family.EQUATIONS}


@final
@dataclass(frozen=True)
class Audit:
    """The findings for some equations.

    Attributes
    ----------
    findings : tuple of Finding
    """

    findings: tuple[Finding, ...]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __getitem__(self, label: str) -> Finding:
        for finding in self.findings:
            if finding.equation.label == label:
                return finding
        raise errors.UnknownNameError("equation of the audit", label, [f.equation.label for f in self.findings])

    @property
    def counts(self) -> dict[str, int]:
        """How many equations have each verdict."""
        counts = Counter(f.verdict for f in self.findings)
        return {str(v): counts[v] for v in Verdict}

    def described(self) -> dict[str, Any]:
        """In JSON's types; exact numbers as text."""
        return {"counts": self.counts, "equations": [described(f) for f in self.findings]}


def audit(labels: Sequence[str] = (), *, seed: int = 0) -> Audit:
    """Test the displayed equations of Holm and Putkaradze against what the framework derives.

    An equation is a formula as printed. It is tested as an identity at random points: as it stands, for the variational and
    the printed coupling of the ball, and with a correction. The verdict is which of these readings is true.

    Parameters
    ----------
    labels : sequence of str
        Labels of equations; all by default.
    seed : int
        Of the random points.

    Raises
    ------
    UnknownNameError
        For a label that the audit does not have.
    """
    by_label = equations()
    for label in labels:
        if label not in by_label:
            raise errors.UnknownNameError("equation of the audit", label, by_label)
    return Audit(tuple(decide(by_label[label], seed=seed) for label in (labels or by_label)))


def described(finding: Finding) -> dict[str, Any]:
    """One finding in JSON's types."""
    return {
        "label": finding.equation.label, "says": finding.equation.says, "verdict": str(finding.verdict),
        "models": [m for m in finding.models if m != "principle"], "error": finding.error,
        "lines": [_line(line) for line in finding.lines],
    }  # fmt: skip


def _line(line: LineFinding) -> dict[str, Any]:
    difference = line.difference
    return {
        "printed": written(line.claim.formula), "where": line.claim.setting.title, "verdict": str(line.verdict),
        "holds": {model: list(columns) for model, columns in line.holds.items()},
        "corrected": {model: written(formula) for model, formula in line.corrected.items()},
        "counterexample": None if difference is None else {
            "model": difference.model, "coefficient": difference.column, "state": dict(difference.state),
            "derived": list(difference.derived), "printed": list(difference.printed),
        },
    }  # fmt: skip
