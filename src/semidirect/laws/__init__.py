"""The contract of a system as a report: what ``semidirect check`` asks, without pytest or Hypothesis."""

from semidirect.definition.resolve import resolve
from semidirect.laws.check import CHECKS, Check, check
from semidirect.laws.report import Finding, Outcome, Report

__all__ = ["CHECKS", "Check", "Finding", "Outcome", "Report", "check", "resolve"]
