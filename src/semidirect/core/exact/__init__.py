"""Exact numbers: integers and fractions as coefficients, their products with any kind of entry, and linear systems of them."""

from semidirect.core.exact.arrays import assemble, contract, exact_array, exact_beside, objects
from semidirect.core.exact.elimination import nearest_solution, null_space, reduce_rows, solve_exactly
from semidirect.core.exact.numbers import (
    HALF,
    Coefficient,
    Exact,
    divide,
    exact_number,
    is_exact,
    is_rounded,
    is_zero,
    simplest,
    times,
    whole_root,
)

__all__ = [
    "Coefficient",
    "Exact",
    "HALF",
    "assemble",
    "contract",
    "divide",
    "exact_array",
    "exact_beside",
    "exact_number",
    "is_exact",
    "is_rounded",
    "is_zero",
    "nearest_solution",
    "null_space",
    "objects",
    "reduce_rows",
    "simplest",
    "solve_exactly",
    "times",
    "whole_root",
]
