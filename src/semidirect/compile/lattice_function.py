"""The function of the kernel of a lattice: a step of a site, traced, in loops over all sites, one for each of its phases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from semidirect.compile.lane_code import LaneCode
from semidirect.compile.lattice_frame import lattice_text
from semidirect.compile.lattice_layout import LatticeLayout
from semidirect.compile.lattice_variant import LatticeVariant
from semidirect.compile.line import Place, load
from semidirect.compile.llvm_printer import Rows
from semidirect.compile.loop_function import LoopFunction
from semidirect.compile.tracer import Trace, inputs
from semidirect.instructions import Instruction
from semidirect.integrators import Integrator

__all__ = ["lattice_function"]


def lattice_function(model: Any, method: Integrator, variant: LatticeVariant) -> LoopFunction:
    """The function of a kernel that advances all sites of some paths by a method; ``model`` are the equations of the lattice."""
    trace, sites = Trace(), model.stepped
    d, m = sites.dimension, method.rows(sites.wieners) * variant.stages
    traced = sites.with_parameters(inputs(trace, "q", len(sites.parameters)))
    t: Any = trace.input("t")
    dt: Any = trace.input("dt")
    step = method.step(traced, inputs(trace, "y", d), t, dt, inputs(trace, "noise", m))
    program = trace.program(step.y)
    forces = sites.forces
    rows = tuple((tuple(map(int, one.rows[0])), tuple(map(int, one.rows[1]))) for one in forces.energies.kinds)
    plan = LatticeLayout(d, m, variant, forces.count, rows, len(forces.parameters), len(trace.iterations))
    plan, copies = _with_copies(plan, program, forces.first)
    code = LaneCode(program, plan.input, [("row", i) for i in range(d)], at_ends=copies)
    lanes, most = variant.lanes, plan.cells + code.kept
    of_tile, own = Rows("M", ("+x",), lanes), Rows("B", ("+j",), lanes)
    places = {
        "row": of_tile, "cell": replace(of_tile, first=plan.cells), "piece": replace(own, first=plan.pieces - code.kept),
        "force": own, "noise": Rows("M" if variant.own else "B", ("+v",), lanes, plan.noise),
        "left": Rows("M", ("+near",), lanes), "right": Rows("M", ("+far",), lanes),
        "sum": Rows("B", ("+h",), lanes), "converged": Rows("converged", ("tile", "", "j")),
        "same": Rows("E"), "edge": Rows("E", ("", "edge")), "path": Rows("E", ("b", "", "edge", "j")),
    }  # fmt: skip
    local = plan.pieces + code.cells - code.kept
    facts = {
        "paths": variant.paths,
        "lanes": lanes,
        "of_tile": most,
        "local": local,
        "iterations": len(trace.iterations),
    }
    ends = {
        f"at_{name}{k}": _edge_code(forces, k, name, plan)
        for k in range(len(rows)) for name in ("left", "right")
    }  # fmt: skip
    q = [i for i in range(len(sites.parameters)) if i not in variant.varied]
    return LoopFunction(lattice_text(code, plan, q, most), code, places, facts, ends)


def _with_copies(plan: LatticeLayout, program: Any, first: int) -> tuple[LatticeLayout, list[list[Place] | None]]:
    """Where edges find the values of a site: in the state itself where it does not change in the meantime."""
    times = [phase.at_ends for phase in program.phases if phase.at_ends is not None]
    rows, copies, more = list[int](), list[list[Place] | None](), 0
    for k, ends in enumerate(times):
        same = [program.instructions[number] for number in ends]
        if k + 1 < len(times) and same == [Instruction("input", (), ("y", first + i)) for i in range(len(ends))]:
            rows.append(first)
            copies.append(None)
        else:
            rows.append(plan.copies + more)
            copies.append([("row", plan.copies + more + i) for i in range(len(ends))])
            more += len(ends)
    return replace(plan, at_ends=tuple(rows), more=more), copies


def _edge_code(forces: Any, kind: int, end: str, plan: LatticeLayout) -> LaneCode:
    """The contributions of an edge of a kind to the sums of the site at one of its ends."""
    trace, variant, one = Trace(), plan.variant, forces.energies.kinds[kind]
    left, right = plan.ends[kind]
    ends = [[trace.input(name, row) for row in rows] for name, rows in (("left", left), ("right", right))]
    t = trace.input(end, forces.count) if forces.reads_t else 0.0
    slopes = one.energy.evaluate(*ends, t, inputs(trace, "e", len(forces.parameters)))[1:]
    results, places = [], []
    begin = plan.starts[kind][end == "right"]
    for i, slope in enumerate(slopes[: len(left)] if end == "left" else slopes[len(left) :]):
        if not (type(slope) is int and slope == 0):
            total = trace.input("sum", begin + i)
            results.append(total + slope if forces.sign > 0 else total - slope)
            places.append(("sum", begin + i))

    def given(data: tuple[str, int | None]) -> Instruction:
        name, index = data
        assert index is not None
        if name != "e":
            return load((name, index))
        return Instruction("argument", (), f"e{index}") if variant.edges == "same" else load((variant.edges, index))

    return LaneCode(trace.program(results), given, places, split=False)
