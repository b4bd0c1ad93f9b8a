"""The function of a rate: the vector field on one state, traced."""

from __future__ import annotations

from semidirect.compile.lane_code import LaneCode
from semidirect.compile.line import load
from semidirect.compile.llvm_printer import Rows
from semidirect.compile.loop_function import LoopFunction, indented
from semidirect.compile.tracer import Trace, inputs, with_tables
from semidirect.instructions import Instruction
from semidirect.model import NumericalSDE

__all__ = ["rate_function"]


def rate_function(model: NumericalSDE, halvings: int) -> LoopFunction:
    """The function ``run(t, x, p, dW, out)``, after the numbers and places of tables if there are any."""
    trace = Trace(halvings)
    traced = model.with_parameters(with_tables(trace, model.parameters, inputs(trace, "p", len(model.parameters))))
    x, dW = inputs(trace, "x", model.dimension + len(model.coordinates)), inputs(trace, "dW", model.wieners)
    program = trace.program(traced.flat_rate(trace.input("t"), x, dW))  # type: ignore[arg-type]
    code = LaneCode(program, _input, [("out", i) for i in range(len(program.results))], split=False)
    tables = "T: f8[:], places: f8[:], " if trace.tables else ""
    head = f"def run({tables}t: f8, x: f8[:], p: f8[:], dW: f8[:], out: f8[:]):\n"
    places = {name: Rows(name) for name in ("x", "p", "dW", "places", "out")}
    return LoopFunction(head + indented(4, ["body0()"]), code, places, {"tables": tuple(trace.tables)})


def _input(data: tuple[str, int | None]) -> Instruction:
    name, index = data
    return Instruction("argument", (), name) if index is None else load((name, index))
