"""The function of a kernel: the step of a method, traced, in loops over steps and lanes."""

from __future__ import annotations

from typing import Any

from semidirect.compile.kernel_frame import PAIRS_AHEAD, Layout, places, text
from semidirect.compile.lane_code import LARGEST, LaneCode
from semidirect.compile.lanes import FEWEST_ITERATED, FEWEST_LANES, lanes_for
from semidirect.compile.loop_function import LoopFunction
from semidirect.compile.tracer import Trace, inputs, with_tables
from semidirect.compile.variant import Variant
from semidirect.integrators import Advance, Integrator
from semidirect.model import NumericalSDE

__all__ = ["step_function"]


def step_function(model: NumericalSDE, method: Integrator, variant: Variant) -> LoopFunction:
    """The function of a kernel."""
    trace = Trace(variant.halvings)
    d, r, q = len(model.state_names), len(model.coordinates), len(model.parameters)
    m = method.rows(model.wieners) * variant.stages
    ahead = 2 * PAIRS_AHEAD * m if variant.lanes == 1 and variant.drawn else 0
    plan = Layout(d, r, m, q if variant.per_path else 0, ahead)
    traced = model.with_parameters(with_tables(trace, model.parameters, inputs(trace, "q", q)))
    t: Any = trace.input("t")
    dt: Any = trace.input("dt")
    advance = Advance(method, traced, scalars=True)
    step, stored = advance(inputs(trace, "y", d), inputs(trace, "s", r), t, dt, inputs(trace, "w", m))
    square = model.rotation_angle_sq(step.v) if method.geometric else None
    results = [(value, ("row", i)) for i, value in enumerate((*step.y, *stored))]
    if square is not None:
        results.append((square, LARGEST))
    program = trace.program(value for value, _ in results)
    code = LaneCode(program, plan.input, [place for _, place in results], split=variant.lanes != 1)
    rows = plan.size + code.cells + (square is not None)
    iterations = len(trace.iterations)
    lanes = variant.lanes or max(lanes_for(rows), FEWEST_ITERATED if iterations else FEWEST_LANES)
    masks = iterations + 1 if iterations else 0
    facts = {"lanes": lanes, "rows": rows, "masks": masks, "tables": tuple(trace.tables)}
    whole = text(code, plan, lanes, variant, q, square is not None, len(trace.tables))
    return LoopFunction(whole, code, places(plan, lanes, code.cells), facts)
