"""The contract of a system as a report: what ``semidirect check`` asks, without pytest or Hypothesis."""

from semidirect.checking.check import CHECKS, Check, check
from semidirect.checking.report import Finding, Outcome, Report
from semidirect.resolve import resolve

__all__ = ["CHECKS", "Check", "Finding", "Outcome", "Report", "check", "resolve"]
