"""The rate of a system's state and configuration as one compiled function of one state, for solvers that choose their steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from semidirect.compile.lane_code import LaneCode
from semidirect.compile.lane_function import LaneFunction, indented
from semidirect.compile.lane_function import loaded as loaded_function
from semidirect.compile.line import load
from semidirect.compile.llvm_printer import Rows
from semidirect.compile.of_equations import OfEquations
from semidirect.compile.packed_tables import PackedTables, Pair, halvings
from semidirect.compile.tracer import Trace, inputs, with_tables
from semidirect.instructions.instruction import Instruction
from semidirect.integrators.dop853 import flat_rate
from semidirect.model.numerical_sde import NumericalSDE

_LABEL = "rate"
RATES: OfEquations[tuple[Callable[..., None], tuple[Pair, ...]]] = OfEquations()


def compiled_rate(model: NumericalSDE) -> Callable[..., None]:
    """:func:`~semidirect.integrators.dop853.flat_rate`, compiled, with the same bits: ``run(t, x, p, dW, out)`` with the
    parameters ``p`` of the path.
    """

    def make() -> tuple[Callable[..., None], tuple[Pair, ...]]:
        rate = cache(lambda: rate_function(model))
        code, facts = loaded_function(model.structure.text(_label(model), lambda: rate().described), rate, "rates")
        return code, tuple(map(tuple, facts["tables"]))

    code, pairs = RATES.get(model.structure, _key(model), make)
    if not pairs:
        return code
    tables = PackedTables.of(model.parameters, pairs)
    return partial(code, tables.numbers, np.ascontiguousarray(tables.places[:, 0]))


def loaded(model: NumericalSDE) -> bool:
    """Whether the function is loaded."""
    return RATES.knows(model.structure, _key(model))


def known(model: NumericalSDE) -> bool:
    """Whether it was compiled before, so that it can be loaded in a fraction of a second."""
    return model.structure.knows(_label(model))


def _key(model: NumericalSDE) -> tuple[bool, int]:
    return model.reconstructs, model.known("halvings", lambda: halvings(model.parameters))


def _label(model: NumericalSDE) -> str:
    label, halved = _LABEL if model.reconstructs else f"{_LABEL}, reduced", _key(model)[1]
    return f"{label}, {halved} halvings" if halved else label


def rate_function(model: NumericalSDE) -> LaneFunction:
    """The function."""
    trace = Trace(_key(model)[1])
    traced = model.with_parameters(with_tables(trace, model.parameters, inputs(trace, "p", len(model.parameters))))
    x, dW = inputs(trace, "x", model.dimension + len(model.coordinates)), inputs(trace, "dW", model.wieners)
    program = trace.program(flat_rate(traced, trace.input("t"), x, dW))  # type: ignore[arg-type]
    code = LaneCode(program, _input, [("out", i) for i in range(len(program.results))], split=False)
    tables = "T: f8[:], places: f8[:], " if trace.tables else ""
    head = f"def run({tables}t: f8, x: f8[:], p: f8[:], dW: f8[:], out: f8[:]):\n"
    places = {name: Rows(name) for name in ("x", "p", "dW", "places", "out")}
    return LaneFunction(head + indented(4, ["body0()"]), code, places, {"tables": tuple(trace.tables)})


def _input(data: tuple[str, int | None]) -> Instruction:
    name, index = data
    return Instruction("argument", (), name) if index is None else load((name, index))
