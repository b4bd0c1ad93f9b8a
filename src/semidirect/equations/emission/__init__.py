"""Staged programs as instructions, and as functions of rows of paths, exact fractions and tracer scalars."""

from semidirect.equations.emission.emitted import Signed, instructions, source
from semidirect.equations.emission.numbers import evaluate_exact, exact_function, numerical_function

__all__ = ["Signed", "evaluate_exact", "exact_function", "instructions", "numerical_function", "source"]
