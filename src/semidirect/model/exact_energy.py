"""Whether equations keep a quadratic energy: an identity of rational functions, at random numbers without rounding."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.core import Results, functions
from semidirect.definition import ExactValue
from semidirect.equations import emission
from semidirect.model.derived_equations import Row

if TYPE_CHECKING:
    from semidirect.equations import Program
    from semidirect.model.numerical_model import NumericalSDE

LARGEST = 2**61
"""Of the random integers: a rational function that is not 0 vanishes at one with a probability of its degree by this."""
THIRD = 1, -3, 3, -1
"""The coefficients of a third difference, 0 along each line for a quadratic function."""
CASES = sp.Piecewise, sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside


def keeps_exactly(model: NumericalSDE, columns: Iterable[int]) -> bool | None:
    """Whether E is quadratic and DE vanishes along columns; ``None`` where that is not decided.

    It is not for parameters per path, for cases such as those of ``where``, and for values that are not rational.
    """
    if model.system.workings.paths is not None or model.system.workings.table_symbols:
        return None
    some = tuple(columns)
    cache, key = Results.of(model.sde), (keeps_exactly, some)
    if key not in cache:
        cache[key] = _function(model, some)
    inputs, values = cache[key]
    if values is None:
        return None
    random = Random(1)

    def draw() -> Fraction:
        return Fraction(random.randrange(1, LARGEST))

    numbers, certain = _parameters(model, draw)
    state = model.sde.state
    start, along = ({x: draw() for x in state} for _ in range(2))
    rest = {x: draw() for x in inputs if x not in start and x not in numbers}
    rows = []
    for k in range(len(THIRD)):
        at = {x: start[x] + k * along[x] for x in state}
        at |= numbers | rest | {model.sde.setting.t: draw()}
        try:
            rows.append(tuple(map(Fraction, values(*(at[x] for x in inputs)))))
        except (ArithmeticError, AttributeError, TypeError):  # a root, a sine, a constant
            return None
    energies, rates = [row[0] for row in rows], [x for row in rows for x in row[1:]]
    conserved = not any(rates) and not sum(c * e for c, e in zip(THIRD, energies, strict=True))
    return conserved if conserved or certain else None


def _function(model: NumericalSDE, columns: tuple[int, ...]) -> tuple[tuple[sp.Symbol, ...], Callable[..., Any] | None]:
    """Energy and its rates along columns as a function of exact numbers, and its inputs; ``None`` if they have cases."""
    sde = model.sde
    (energy,) = model.structure.expressions([Row("observable", "energy", 0)])
    whole, rates = sde.program, list[sp.Expr]()
    for k in columns:
        column = sde.column(k)
        whole = whole.joined(column)
        slope = whole.with_outputs(c=[energy]).jvp(dict(zip(sde.state, column.outputs["state"], strict=True)), f"!{k}")
        whole, rates = whole.joined(slope), [*rates, slope.outputs["c"][0]]
    program = whole.with_outputs(e=[energy, *rates])
    if _has_cases(program):
        return (), None
    inputs = tuple(x for x in program.inputs if x not in (sde.setting.dt, *sde.setting.dW))
    return inputs, functions.build(emission.source(program, program.outputs["e"], inputs, exact=True), functions.EXACT)


def _has_cases(program: Program) -> bool:
    names = program.needed()
    expressions = [e for s in program.statements if names.intersection(s.names) for e in s.written]
    return any(sp.sympify(e).has(*CASES) for e in (*expressions, *program.outputs["e"]))


def _parameters(model: NumericalSDE, draw: Callable[[], Fraction]) -> tuple[dict[sp.Symbol, Fraction], bool]:
    """The values of parameters, and whether these are all: a number that is not rational is drawn, as one of many."""
    system, certain = model.system, True
    parameters = type(system).workings.parameters()
    values: dict[sp.Symbol, Fraction] = {}
    for name, symbols in system.workings.parameter_symbols.items():
        entries = ExactValue(parameters[name], np.asarray(system.values[name])).entries()
        for x, (value, square) in zip(symbols.flat, entries, strict=True):
            certain &= square == 1
            values[x] = value if square == 1 else draw()
    return values, certain
