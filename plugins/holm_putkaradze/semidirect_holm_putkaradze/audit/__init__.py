"""The paper's displayed equations as executable statements, each with a verdict that is derived."""

from semidirect_holm_putkaradze.audit.audit import Audit, audit, equations
from semidirect_holm_putkaradze.audit.claim import Claim, Equation
from semidirect_holm_putkaradze.audit.decide import decide
from semidirect_holm_putkaradze.audit.finding import Difference, Finding, LineFinding, Verdict
from semidirect_holm_putkaradze.audit.flips import flips
from semidirect_holm_putkaradze.audit.formula import Formula

__all__ = [
    "Audit", "Claim", "Difference", "Equation", "Finding", "Formula", "LineFinding", "Verdict", "audit", "decide",
    "equations", "flips",
]  # fmt: skip
