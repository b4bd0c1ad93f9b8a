"""Emitted functions of numbers, in floats or in fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sympy as sp

from semidirect.core import functions
from semidirect.equations.emission.emitted import source
from semidirect.equations.program import Program


def numerical_function(
    program: Program, outputs: Sequence[sp.Expr], inputs: Sequence[sp.Symbol]
) -> Callable[..., tuple[Any, ...]]:
    """A function on floats, rows of paths or tracer scalars, one argument an input, one result an output."""
    return functions.build(source(program, outputs, inputs))


def exact_function(
    program: Program,
    outputs: Sequence[sp.Expr],
    inputs: Sequence[sp.Symbol],
    field: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
) -> Callable[..., tuple[Any, ...]]:
    """A function on exact numbers. Square roots must be rational, other functions are taken at 0 only.

    ``field`` may give functions for another field by name: ``number(p, q)`` of integers, ``constant(name)``, ``sqrt, sin, cos,
    tan, exp, log, absolute``, ``solve_symmetric`` and ``solve_pivoted`` ``(matrix, rhs)``.

    Raises
    ------
    ArithmeticError
        From the returned function, if a value leaves the field.
    """
    return functions.build(source(program, outputs, inputs, exact=True), {**functions.EXACT, **field})


def evaluate_exact(
    program: Program, values: Mapping[sp.Symbol, Any], field: Mapping[str, Callable[..., Any]] = MappingProxyType({})
) -> dict[str, list[Any]]:
    """Outputs of a program at exact values: fractions, or elements of another ``field``, see :func:`exact_function`."""
    names = [k for k, v in program.outputs.items() for _ in v]
    flat = [e for v in program.outputs.values() for e in v]
    results: dict[str, list[Any]] = {k: [] for k in program.outputs}
    inputs = [i for i in program.inputs if i in values]
    for name, value in zip(
        names, exact_function(program, flat, inputs, field)(*(values[i] for i in inputs)), strict=True
    ):
        results[name].append(value)
    return results
