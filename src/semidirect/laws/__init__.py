"""Laws of groups, constraints, systems and methods, checked at exact points; ``semidirect check`` reports them."""

from semidirect.definition.resolve import resolve
from semidirect.laws.check import CHECKS, Check, check
from semidirect.laws.report import Finding, Outcome, Report

__all__ = ["CHECKS", "Check", "Finding", "Outcome", "Report", "check", "resolve"]
