"""Compares the observables of a run with their declared status."""

from semidirect.analysis.monitor.expectations import EXPECTATIONS, Expectation, Judgement, Outcome
from semidirect.analysis.monitor.monitor import Finding, Monitor, monitor

__all__ = ["EXPECTATIONS", "Expectation", "Finding", "Judgement", "Monitor", "Outcome", "monitor"]
