"""The loops of a kernel around the bodies of a step: blocks of lanes, steps, noise, and iterations until all lanes converge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from semidirect.compile.lane_code import LaneCode, LaneIteration
from semidirect.compile.line import Place, load
from semidirect.compile.llvm_printer import Rows
from semidirect.compile.loop_function import EVERY_LANE, body_calls, indented, on_lanes
from semidirect.compile.variant import Variant
from semidirect.core import failure
from semidirect.instructions import Instruction

__all__ = ["PAIRS_AHEAD", "Layout", "next_point", "places", "row", "step_text", "text"]

PAIRS_AHEAD = 8
"""Pairs of steps for which a kernel of single paths draws at once: a vector of paths has but one, a vector of pairs is full."""
AT_ONCE = 3
"""Normals drawn in one loop: the generator is a long chain of operations, and a processor works on several at a time."""


@dataclass(frozen=True)
class Layout:
    """Rows of lanes in one buffer, which come to be at constant offsets, so that LLVM sees that they do not overlap."""

    d: int
    r: int
    m: int
    parameters: int
    ahead: int
    timed: int = 0
    watched: int = 0

    @property
    def y(self) -> int:
        """First row of the state."""
        return 0

    @property
    def s(self) -> int:
        """First row of the stored coordinates."""
        return self.d

    @property
    def w(self) -> int:
        """First row of the increments of this step; those of the next follow."""
        return self.s + self.r

    @property
    def p(self) -> int:
        """First row of the parameters, if they differ from path to path."""
        return self.w + 2 * self.m

    @property
    def drawn(self) -> int:
        """First of the numbers drawn ahead for a single path: of each noise, those of even steps, then those of odd ones."""
        return self.p + self.parameters

    @property
    def t(self) -> int:
        """The row of times and that of lengths of steps, if each lane has its own."""
        return self.drawn + self.ahead

    @property
    def out(self) -> int:
        """First row of what is watched after each step."""
        return self.t + self.timed

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.out + self.watched

    def input(self, data: tuple[str, int | None]) -> Instruction:
        """The instruction that gives an input of a step: the rows of arrays, else a name of the function."""
        name, index = data
        if index is None:
            return Instruction("argument", (), name)
        if name == "q" and not self.parameters:
            return Instruction("argument", (), f"q{index}")
        if name == "places":
            return load((name, index))
        return load(("row", {"y": self.y, "s": self.s, "w": self.w, "q": self.p, "t": self.t}[name] + index))


def places(plan: Layout, lanes: int, count: int) -> dict[str, Rows]:
    """Where the places of lines are: rows of lanes of the buffer, so many cells after those of the layout."""
    rows = Rows("B", ("+j",), lanes)
    cells = replace(rows, first=plan.size)
    return {
        "row": rows, "cell": cells, "piece": cells, "largest": replace(rows, first=plan.size + count),
        "places": Rows("places", ("b", "", "j")), "converged": Rows("converged", ("", "j")),
    }  # fmt: skip


def row(number: int) -> str:
    """One row of the buffer, at lane j."""
    return f"B[LANES * {number} + j]"


def text(code: LaneCode, plan: Layout, lanes: int, variant: Variant, q: int, turns: bool, tables: int) -> str:
    """The function ``run`` for a step.

    Parameters
    ----------
    q : int
        The number of parameters.
    turns : bool
        Whether the step computes by how much it turns.
    tables : int
        The number of interpolants.
    """
    body = step_text(code, plan, "first + n")
    return _function(body, code.cells, plan, variant, q, turns, tables).replace("LANES", str(lanes))


def step_text(code: LaneCode, plan: Layout, number: str) -> str:
    """A step of all lanes of a block, which notes its number where an iteration does not converge."""
    body, iterations = "", [phase.iteration for phase in code.phases if phase.iteration is not None]
    for phase, calls in zip(code.phases, body_calls(code), strict=True):
        if phase.iteration is None:
            body += indented(8, [line for call, one in zip(calls, phase.bodies, strict=True) if one.lines
                                 for line in on_lanes([call])])  # fmt: skip
        else:
            body += indented(8, _iterated(phase.iteration, calls, plan))
    for iteration in iterations:
        body += indented(8, [
            EVERY_LANE, f"    if converged[{iteration.iteration.label}, j] == 0 and unconverged[b, j] < 0:",
            f"        unconverged[b, j] = {number}",
        ])  # fmt: skip
    return body


def _iterated(one: LaneIteration, calls: Sequence[str], plan: Layout) -> list[str]:
    """The loop of an iteration."""

    def cell(place: Place) -> str:
        return row(plan.size + place[1])

    s = one.iteration
    *first, last = calls
    lines = next_point(one, last, cell, "left[j]")
    return [EVERY_LANE, f"    left[j] = {s.after + 1}", f"for iteration in range({s.limit + s.after}):", "    going = 0",
            *(f"    {line}" for call in first for line in on_lanes([call])),
            *(f"    {line}" for line in on_lanes(lines)),
            "    if going == 0:", "        break",
            EVERY_LANE, f"    converged[{s.label}, j] = left[j] == 0"]  # fmt: skip


def next_point(one: LaneIteration, last: str, cell: Callable[[Place], str], left: str) -> list[str]:
    """The end of a body of an iteration: ``left`` counts how often a lane is still iterated."""
    s, count, scale = one.iteration, len(one.cells), "scale" if one.scale is None else cell(one.scale)
    old, new = [f"old{i}" for i in range(count)], [f"new{i}" for i in range(count)]
    # masks are integers of the width of a float, else LLVM does not vectorise
    lines = [f"{', '.join([*old, *new, *([scale] if one.scale is None else [])])} = {last}", "change = 0.0"]
    for a, b in zip(old, new, strict=True):
        lines += [f"delta = np.abs({b} - {a})", "change = delta if (delta > change) | (delta != delta) else change"]
    lines += [f"on = {left} > 0"]
    lines += [f"{cell(place)} = {b} if on else {a}" for place, a, b in zip(one.cells, old, new, strict=True)]
    lines += [
        f"close = ({left} <= {s.after}) | (change <= {s.tolerance!r} * {scale})",
        f"rest = {left} - (1 if close else 0) if change < np.inf else -1",
        f"{left} = rest if on else {left}",
        f"going |= 1 if {left} > 0 else 0",
    ]
    return lines


def _drawing(plan: Layout, variant: Variant) -> list[str]:
    """The increments of a step; two steps share their random words."""
    m, place = plan.m, row
    if not m:
        return []
    if not variant.drawn:
        return on_lanes([f"{place(plan.w + c)} = dW[b, n, {c}, j]" for c in range(m)])
    if plan.ahead:
        return _drawing_ahead(plan, variant)
    pair = "three_point_pair" if variant.weak else "normal_pair"
    lines = ["if n == 0 or step & 1 == 0:", "    pair = U(step >> 1)"]
    for group in (range(c, min(c + AT_ONCE, m)) for c in range(0, m, AT_ONCE)):
        lines += [f"    last{c} = last_word(pair, U({c}), U(0))" for c in group]
        draws = ["number = start + U(j)"]
        draws += [
            f"even{c}, odd{c} = {pair}(pair & LOW_32, number & LOW_32, number >> S32, last{c}, k0, k1)" for c in group
        ]
        for c in group:
            draws += [f"{place(plan.w + c)} = even{c} * root", f"{place(plan.w + m + c)} = odd{c} * root"]
        lines += [f"    {line}" for line in on_lanes(draws)]
    if variant.correlated:
        mixed = []
        for first in (plan.w, plan.w + m):
            mixed += [f"z{c} = {place(first + c)}" for c in range(m)] + _mixed(plan, first)
        lines += [f"    {line}" for line in on_lanes(mixed)]
    odd = on_lanes([f"{place(plan.w + c)} = {place(plan.w + m + c)}" for c in range(m)])
    return [*lines, "if step & 1 == 1:", *(f"    {line}" for line in odd)]


def _drawing_ahead(plan: Layout, variant: Variant) -> list[str]:
    """The increments of a step of one path, which draws those of some pairs of steps in a loop that fills vectors."""
    m, pair = plan.m, "three_point_pair" if variant.weak else "normal_pair"
    lines = [
        f"if n == 0 or step & {2 * PAIRS_AHEAD - 1} == 0:",
        f"    pair = U(step >> {PAIRS_AHEAD.bit_length()} << {PAIRS_AHEAD.bit_length() - 1})",
    ]
    places = [plan.drawn + 2 * PAIRS_AHEAD * c for c in range(m)]
    for group in (range(c, min(c + AT_ONCE, m)) for c in range(0, m, AT_ONCE)):
        lines += [f"    last{c} = last_word(pair, U({c}), U(0))" for c in group]
        draws = ["now = (pair + U(i)) & LOW_32"]
        draws += [f"even{c}, odd{c} = {pair}(now, start & LOW_32, start >> S32, last{c}, k0, k1)" for c in group]
        for c in group:
            draws += [f"B[{places[c]} + i] = even{c} * root", f"B[{places[c] + PAIRS_AHEAD} + i] = odd{c} * root"]
        lines += [f"    for i in range({PAIRS_AHEAD}):", *(f"        {line}" for line in draws)]
    lines += [f"at = (step & 1) * {PAIRS_AHEAD} + (step >> 1 & {PAIRS_AHEAD - 1})"]
    if not variant.correlated:
        return [*lines, *on_lanes([f"{row(plan.w + c)} = B[{places[c]} + at]" for c in range(m)])]
    return [*lines, *on_lanes([*(f"z{c} = B[{places[c]} + at]" for c in range(m)), *_mixed(plan, plan.w)])]


def _mixed(plan: Layout, first: int) -> list[str]:
    """Rows from ``first`` on: correlated increments of the independent ones ``z0``, ``z1``, …"""
    sums = (" + ".join(f"mix[{i}, {c}] * z{c}" for c in range(i + 1)) for i in range(plan.m))
    return [f"{row(first + i)} = {total}" for i, total in enumerate(sums)]


def _function(body: str, cells: int, plan: Layout, variant: Variant, q: int, turns: bool, tables: int) -> str:
    noise, largest = indented(8, _drawing(plan, variant)), row(plan.size + cells)
    begin = [*(f"{row(i)} = y[b, {i}, j]" for i in range(plan.d)),
             *(f"{row(plan.s + i)} = s[b, {i}, j]" for i in range(plan.r)),
             *(f"{row(plan.p + i)} = p[b, {i}, j]" for i in range(plan.parameters)),
             *([f"{largest} = 0.0"] if turns else [])]  # fmt: skip
    end = on_lanes([*(f"y[b, {i}, j] = {row(i)}" for i in range(plan.d)),
                    *(f"s[b, {i}, j] = {row(plan.s + i)}" for i in range(plan.r))])  # fmt: skip
    if turns:
        end += [f"    if {largest} > {failure.LARGEST_TURN * failure.LARGEST_TURN!r} and unconverged[b, j] < 0:",
                "        unconverged[b, j] = first"]  # fmt: skip
    scalars = [] if variant.per_path else [f"q{i} = p[0, {i}, 0]" for i in range(q)]
    wide = [f"prefer_vectors({variant.width})"] if variant.lanes != 1 else []
    return f"""def run(y: f8[:, {plan.d}, LANES], s: f8[:, {plan.r}, LANES], p: f8[:, {max(1, q)}, LANES],
        T: f8[:], places: f8[:, {max(1, tables)}, LANES],
        dW: f8[:, steps, {plan.m}, LANES], mix: f8[:, {plan.m}], unconverged: i8[:, LANES],
        B: f8[:], converged: i8[:, LANES], left: i8[:],
        blocks: i8, path: u8, seed: u8, first: i8, steps: i8, dt: f8, root: f8, origin: f8):
{indented(4, wide)}    k0, k1 = seed & LOW_32, seed >> S32
{indented(4, scalars)}    for b in range(blocks):
      start = path + U(LANES) * U(b)
{indented(6, on_lanes(begin))}      for n in range(steps):
        step = first + n
        t = origin + step * dt
{noise}{body}{indented(6, end)}"""
