"""The function of a trail: the step of a method, traced, in loops over steps and lanes that leave every state behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from semidirect.compile.kernel_frame import Layout, places, row, step_text
from semidirect.compile.lane_code import LARGEST, LaneCode
from semidirect.compile.lanes import FEWEST_ITERATED, FEWEST_LANES, lanes_for
from semidirect.compile.loop_function import LoopFunction, indented, on_lanes
from semidirect.compile.tracer import Trace, inputs, with_tables
from semidirect.compile.variant import Variant
from semidirect.core import failure, ops
from semidirect.integrators import Advance, Integrator
from semidirect.model import NumericalSDE

__all__ = ["trail_function"]


def trail_function(model: NumericalSDE, method: Integrator, variant: Variant, watched: Sequence[Any], noisy: bool
                   ) -> LoopFunction:  # fmt: skip
    """The function of a :class:`~.trail.Trail`, with the rows of quantities that it watches.

    ``noisy``: whether the slopes of these quantities along the noises before each step are watched, too. Those that vanish
    are left out: ``moved`` among the facts has the number of the quantity and of the noise of each that does not.
    """
    trace = Trace(variant.halvings)
    d, r, q = len(model.state_names), len(model.coordinates), len(model.parameters)
    m = method.rows(model.wieners) * variant.stages
    traced = model.with_parameters(with_tables(trace, model.parameters, inputs(trace, "q", q)))
    y, s = inputs(trace, "y", d), inputs(trace, "s", r)
    t, dt = inputs(trace, "t", 2)
    # before the step, as an iteration of a method begins a phase of its own
    slopes, slope_numbers = _slopes(traced, watched if noisy else (), y[: model.dimension], s, t)
    step, stored = Advance(method, traced, scalars=True)(y, s, t, dt, inputs(trace, "w", m))
    square = model.rotation_angle_sq(step.v) if method.geometric else None
    plain = traced.undifferentiated()
    after = (
        list(plain.read_rows(step.y[: model.dimension], stored, t + dt, {"watched": list(watched)})) if watched else []
    )
    outputs = [*after, *slopes]
    plan = Layout(d, r, m, q if variant.per_path else 0, 0, 2, len(outputs))
    results = [(value, ("row", i)) for i, value in enumerate((*step.y, *stored))]
    results += [(value, ("row", plan.out + i)) for i, value in enumerate(outputs)]
    if square is not None:
        results.append((square, LARGEST))
    program = trace.program(value for value, _ in results)
    code = LaneCode(program, plan.input, [place for _, place in results])
    rows = plan.size + code.cells + (square is not None)
    iterations = len(trace.iterations)
    lanes = variant.lanes or max(lanes_for(rows), FEWEST_ITERATED if iterations else FEWEST_LANES)
    masks = iterations + 1 if iterations else 0
    facts = {"lanes": lanes, "rows": rows, "masks": masks, "tables": tuple(trace.tables), "moved": slope_numbers}
    whole = _text(code, plan, variant, q, square is not None, len(trace.tables)).replace("LANES", str(lanes))
    return LoopFunction(whole, code, places(plan, lanes, code.cells), facts)


def _slopes(
    model: NumericalSDE, watched: Sequence[Any], y: Any, s: Any, t: Any
) -> tuple[list[Any], list[tuple[int, int]]]:
    """The slopes along noises that do not vanish, with the numbers of quantity and noise."""
    values, numbers = [], []
    for i, quantity in enumerate(watched):
        for k, slope in enumerate(model.noise_of(quantity, y, s, t)):
            if isinstance(slope, ops.Scalar) or float(slope) != 0:
                values.append(slope)
                numbers.append((i, k))
    return values, numbers


def _text(code: LaneCode, plan: Layout, variant: Variant, q: int, turns: bool, tables: int) -> str:
    """The function ``run``: as that of a kernel with given increments, where each lane has its own time and length of a step."""
    largest = row(plan.size + code.cells)
    begin = [*(f"{row(i)} = y[b, {i}, j]" for i in range(plan.d)),
             *(f"{row(plan.s + i)} = s[b, {i}, j]" for i in range(plan.r)),
             *(f"{row(plan.p + i)} = p[b, {i}, j]" for i in range(plan.parameters)),
             f"{row(plan.t + 1)} = times[b, 2, j]", *([f"{largest} = 0.0"] if turns else [])]  # fmt: skip
    each = [f"{row(plan.t)} = times[b, 0, j] + (times[b, 1, j] + n) * times[b, 2, j]",
            *(f"{row(plan.w + c)} = dW[b, n, {c}, j]" for c in range(plan.m))]  # fmt: skip
    row_numbers = [*range(plan.d + plan.r), *range(plan.out, plan.size)]
    end = on_lanes([f"out[b, n, {k}, j] = {row(i)}" for k, i in enumerate(row_numbers)])
    if turns:
        end += [*on_lanes([
            f"if {largest} > {failure.LARGEST_TURN * failure.LARGEST_TURN!r} and unconverged[b, j] < 0:",
            "    unconverged[b, j] = n",
        ])]  # fmt: skip
    scalars = [] if variant.per_path else [f"q{i} = p[0, {i}, 0]" for i in range(q)]
    return f"""def run(y: f8[:, {plan.d}, LANES], s: f8[:, {plan.r}, LANES], p: f8[:, {max(1, q)}, LANES],
        T: f8[:], places: f8[:, {max(1, tables)}, LANES],
        dW: f8[:, steps, {plan.m}, LANES], times: f8[:, 3, LANES], unconverged: i8[:, LANES],
        out: f8[:, steps, {len(row_numbers)}, LANES],
        B: f8[:], converged: i8[:, LANES], left: i8[:],
        blocks: i8, steps: i8):
    prefer_vectors({variant.width})
{indented(4, scalars)}    for b in range(blocks):
{indented(6, on_lanes(begin))}      for n in range(steps):
{indented(8, on_lanes(each))}{step_text(code, plan, "n")}{indented(8, end)}"""
