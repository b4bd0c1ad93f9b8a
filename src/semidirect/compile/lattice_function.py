"""The function of the kernel of a lattice: a step of a site, traced, in loops over all sites, one for each of its phases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from semidirect.compile.lane_code import LaneCode
from semidirect.compile.lattice_frame import lattice_text
from semidirect.compile.lattice_variant import LatticeVariant
from semidirect.compile.line import Place, load
from semidirect.compile.llvm_printer import Rows
from semidirect.compile.loop_function import LoopFunction
from semidirect.compile.tracer import Trace, inputs
from semidirect.instructions import Instruction
from semidirect.integrators import Integrator

__all__ = ["LatticeLayout", "lattice_function"]


@dataclass(frozen=True)
class LatticeLayout:
    """Rows of lanes: those of each tile, which stay from phase to phase, and those that all tiles use in turn.

    Attributes
    ----------
    d, m : int
        Rows of the state of a site and of its increments.
    variant : LatticeVariant
    edges : int
        Rows that the edges add up to.
    constants, iterations : int
        Parameters of an edge; iterations of a step.
    shown : tuple of int
        The first row of the values that edges read, for each time that they do.
    more : int
        Rows of values that are copied for edges.
    """

    d: int
    m: int
    variant: LatticeVariant
    edges: int
    constants: int
    iterations: int
    shown: tuple[int, ...] = ()
    more: int = 0

    @property
    def noise(self) -> int:
        """The first row of increments: of a tile where each site has its own, else of all tiles."""
        return self.d if self.variant.own else 2 * self.edges

    @property
    def increments(self) -> int:
        """Rows of increments: those of two steps if they are drawn."""
        return self.m * (2 if self.variant.drawn else 1)

    @property
    def parameters(self) -> int:
        """The first row of parameters."""
        return self.d + (self.increments if self.variant.own else 0)

    @property
    def copies(self) -> int:
        """The first row of values that are copied for edges."""
        return self.parameters + len(self.variant.varied)

    @property
    def cells(self) -> int:
        """The first row of values that are carried from phase to phase."""
        return self.copies + self.more

    @property
    def pieces(self) -> int:
        """The first row, of those that all tiles use in turn, of values that are carried from piece to piece."""
        return 2 * self.edges + (0 if self.variant.own else self.increments)

    def input(self, data: tuple[str, int | None]) -> Instruction:
        """The instruction that gives an input of a step."""
        name, index = data
        if index is None:
            return Instruction("argument", (), name)
        if name == "q":
            varied = self.variant.varied
            if index not in varied:
                return Instruction("argument", (), f"q{index}")
            return load(("row", self.parameters + varied.index(index)))
        return load((name, index) if name == "noise" else ("row", index))


def lattice_function(model: Any, method: Integrator, variant: LatticeVariant) -> LoopFunction:
    """The function of a kernel that steps all sites of some paths by a method; ``model`` are the equations of the lattice."""
    trace, sites = Trace(), model.stepped
    d, m = sites.dimension, method.rows(sites.wieners) * variant.stages
    traced = sites.with_parameters(inputs(trace, "q", len(sites.parameters)))
    t: Any = trace.input("t")
    dt: Any = trace.input("dt")
    step = method.step(traced, inputs(trace, "y", d), t, dt, inputs(trace, "noise", m))
    program = trace.program(step.y)
    plan = LatticeLayout(d, m, variant, sites.forces.count, len(sites.forces.parameters), len(trace.iterations))
    plan, copies = _with_copies(plan, program, sites.forces.first)
    code = LaneCode(program, plan.input, [("row", i) for i in range(d)], shown=copies)
    lanes, most = variant.lanes, plan.cells + code.kept
    kept, own = Rows("M", ("+x",), lanes), Rows("B", ("+j",), lanes)
    places = {
        "row": kept, "cell": replace(kept, first=plan.cells), "piece": replace(own, first=plan.pieces - code.kept),
        "force": own, "noise": Rows("M" if variant.own else "B", ("+v",), lanes, plan.noise),
        "left": Rows("M", ("+near",), lanes), "right": Rows("M", ("+far",), lanes),
        "sum": Rows("B", ("+h",), lanes), "converged": Rows("converged", ("tile", "", "j")),
        "same": Rows("E"), "edge": Rows("E", ("", "edge")), "path": Rows("E", ("b", "", "edge", "j")),
    }  # fmt: skip
    local = plan.pieces + code.cells - code.kept
    facts = {"paths": variant.paths, "lanes": lanes, "kept": most, "local": local, "iterations": len(trace.iterations)}
    ends = {f"at_{name}": _edge_code(sites.forces, name, variant) for name in ("left", "right")}
    q = [i for i in range(len(sites.parameters)) if i not in variant.varied]
    return LoopFunction(lattice_text(code, plan, q, most), code, places, facts, ends)


def _with_copies(plan: LatticeLayout, program: Any, first: int) -> tuple[LatticeLayout, list[list[Place] | None]]:
    """Where edges find the values of a site: in the state itself where it does not change in the meantime."""
    times = [phase.shown for phase in program.phases if phase.shown is not None]
    rows, copies, more = list[int](), list[list[Place] | None](), 0
    for k, shown in enumerate(times):
        same = [program.instructions[number] for number in shown]
        if k + 1 < len(times) and same == [Instruction("input", (), ("y", first + i)) for i in range(len(shown))]:
            rows.append(first)
            copies.append(None)
        else:
            rows.append(plan.copies + more)
            copies.append([("row", plan.copies + more + i) for i in range(len(shown))])
            more += len(shown)
    return replace(plan, shown=tuple(rows), more=more), copies


def _edge_code(forces: Any, end: str, variant: LatticeVariant) -> LaneCode:
    """What an edge adds to the sums of the site at one of its ends."""
    trace = Trace()
    ends = [inputs(trace, name, forces.count) for name in ("left", "right")]
    t = trace.input(end, forces.count) if forces.reads_t else 0.0
    slopes = forces.energy.evaluate(*ends, t, inputs(trace, "e", len(forces.parameters)))[1:]
    results, places = [], []
    for i, slope in enumerate(slopes[: forces.count] if end == "left" else slopes[forces.count :]):
        if not (type(slope) is int and slope == 0):
            row = i + (0 if end == "left" else forces.count)
            total = trace.input("sum", row)
            results.append(total + slope if forces.sign > 0 else total - slope)
            places.append(("sum", row))

    def given(data: tuple[str, int | None]) -> Instruction:
        name, index = data
        assert index is not None
        if name != "e":
            return load((name, index))
        return Instruction("argument", (), f"e{index}") if variant.edges == "same" else load((variant.edges, index))

    return LaneCode(trace.program(results), given, places, split=False)
