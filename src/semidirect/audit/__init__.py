"""The paper's displayed equations as executable statements, each with a verdict that is derived."""

from semidirect.audit.audit import Audit, audit, equations
from semidirect.audit.claim import Claim, Equation
from semidirect.audit.decide import decide
from semidirect.audit.finding import Difference, Finding, LineFinding, Verdict
from semidirect.audit.flips import flips
from semidirect.audit.formula import Formula

__all__ = [
    "Audit", "Claim", "Difference", "Equation", "Finding", "Formula", "LineFinding", "Verdict", "audit", "decide",
    "equations", "flips",
]  # fmt: skip
