"""Declared against measured: what each observable of a run promises, and whether the run keeps it."""

from semidirect.analysis.monitor.expectations import EXPECTATIONS, Expectation, Judgement, Outcome
from semidirect.analysis.monitor.monitor import Finding, Monitor, monitor

__all__ = ["EXPECTATIONS", "Expectation", "Finding", "Judgement", "Monitor", "Outcome", "monitor"]
