"""Laws of groups, constraints, systems and methods, checked at exact points; ``semidirect check`` reports them."""

from semidirect.definition.resolve import resolve
from semidirect.laws.check import LAWS, check
from semidirect.laws.law import Law
from semidirect.laws.report import Finding, Outcome, Report

__all__ = ["LAWS", "Finding", "Law", "Outcome", "Report", "check", "resolve"]
