"""One compiled kernel for each structure and method: noise, steps and reconstruction in a loop over lanes.

The kernel is the step of the integrator itself, traced; NumPy and the kernel do the same operations in the same order and
give the same bits. No fastmath.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary, ref

import numpy as np

from semidirect.compile.loop_splitting import pieces
from semidirect.compile.packed_tables import Pair
from semidirect.compile.tracer import Phase, Trace, inputs, with_tables
from semidirect.core.addresses import address_of
from semidirect.core.collector import paused_collector
from semidirect.core.failure import LARGEST_TURN
from semidirect.core.locks import ForkSafeLock
from semidirect.core.reached_code import UnknownCodeError, reached_code
from semidirect.integrators.advance import Advance
from semidirect.integrators.integrator import Integrator
from semidirect.model.derived_equations import DerivedEquations
from semidirect.model.numerical_sde import NumericalSDE

LANES = 64
"""Paths in a block at most."""
FEWEST_LANES = 8
"""In a block of a system however large: a vector of the widest processors holds so many numbers."""
FEWEST_ITERATED = 16
"""The same where a step iterates until all lanes have converged: the compiler makes no vectors of such loops over 8 lanes,
and a step of the Routh sphere by ``implicit-midpoint`` takes 3 to 4 times as long.
"""
WORKING_SET = 2**15
"""Bytes that the rows of a block may take, so that they stay in the cache that a processor reads at once: 32 kB or more."""
WIDEST = 512
"""Bits of a vector, if the processor has such vectors; else the widest that it has."""
PAIRS_AHEAD = 8
"""Pairs of steps for which a kernel of single paths draws at once: a vector of paths has but one, a vector of pairs is full."""
LINE = 8
"""Numbers in a line of the cache."""
TABLES = "# interpolants: "
"""Begins the line that states the interpolants of a text."""
AT_ONCE = 3
"""Normals drawn in one loop: the generator is a long chain of operations, and a processor works on several at a time."""

_loaded: WeakKeyDictionary[DerivedEquations, dict[Any, Kernel]] = WeakKeyDictionary()
_codes: WeakKeyDictionary[type[Integrator], dict[Any, str]] = WeakKeyDictionary()
_one_at_a_time = ForkSafeLock()


@dataclass(frozen=True)
class Variant:
    """The properties of a kernel besides its equations and its method.

    Attributes
    ----------
    drawn : bool
        Whether it draws its noise itself (dt is the resolution of the noise), or takes increments.
    per_path : bool
        Whether parameters differ from path to path.
    correlated, weak : bool
        Whether drawn noises are mixed by a Cholesky factor; whether they are three-point variables.
    stages : int
        Increments of a step for each noise: one, or one per stage of the method.
    lanes : int or None
        Paths in a block: 1 for few paths, which then do not pay for empty lanes; ``None`` for as many as the rows of the block
        allow, see :func:`lanes_for`. The bits are the same.
    width : int
        Bits of the vectors that the compiler should prefer: on some processors its own choice is half of what they have, for
        the sake of programs that use vectors now and then. The bits of the results are the same.
    reconstructed : bool
        Whether the configuration s is carried along.
    along : tuple
        The directions of derivatives that are carried along: numbers of parameters, and ``None`` for those of the start.
    halvings : int
        How often a range of intervals of a table is halved to find that of a number.
    """

    drawn: bool
    per_path: bool = False
    correlated: bool = False
    weak: bool = False
    stages: int = 1
    lanes: int | None = None
    width: int = WIDEST
    reconstructed: bool = True
    along: tuple[int | None, ...] = ()
    halvings: int = 0


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel, and how many paths it takes in a block.

    Attributes
    ----------
    code : callable
        The machine code.
    lanes : int
        Paths in a block.
    numbers, masks : int
        The sizes of its working memory.
    tables : tuple
        Its interpolants.
    """

    code: Callable[..., None]
    lanes: int
    numbers: int
    masks: int
    tables: tuple[Pair, ...] = ()

    def run(self, y: np.ndarray, s: np.ndarray, p: np.ndarray, dW: np.ndarray | None, mix: np.ndarray | None,
            path: int, seed: int, first: int, steps: int, dt: float, root: float, unconverged: np.ndarray,
            tables: tuple[np.ndarray, np.ndarray] | None = None) -> None:  # fmt: skip
        """Advance lane blocks y ``(blocks, d, lanes)`` and s ``(blocks, r, lanes)`` by ``steps`` steps from step ``first`` on.

        The arrays are contiguous: p ``(blocks or 1, parameters, lanes)``, dW ``(blocks, steps, m, lanes)`` where increments are
        given, mix ``(m, m)`` the Cholesky factor of correlated noises; path is the number of the first path. If there are
        interpolants, ``tables`` are their numbers and their places ``(blocks, interpolants, lanes)``, see
        :class:`~.packed_tables.PackedTables`.
        ``unconverged (blocks, lanes)``, integers, receives the first step that did not converge, or the first step of all where a
        later one turned too far, if it is −1.
        """
        memory = np.empty(self.numbers + self.masks + LINE)
        # from the start of a cache line, which no row then straddles
        numbers = -(-address_of(memory) // (8 * LINE)) * 8 * LINE
        masks = numbers + 8 * self.numbers
        left = masks + 8 * (self.masks - self.lanes)
        given, mixed = 0 if dW is None else dW, 0 if mix is None else mix
        whole = (y, s, p, *(tables or (0, 0)), given, mixed, unconverged, numbers, masks, left)
        self.code(*whole, len(y), path, seed, first, steps, dt, root)


def lanes_for(rows: int) -> int:
    """The number of lanes with this many rows that fit into the processor's cache: a power of two from 8 to 64."""
    lanes = LANES
    while lanes > FEWEST_LANES and 8 * rows * lanes > WORKING_SET:
        lanes //= 2
    return lanes


def kernel(model: NumericalSDE, method: Integrator, variant: Variant) -> Kernel:
    """The compiled kernel of a model under a method."""
    label = _label(method, variant)
    key = (ref(type(method)), label)
    with _one_at_a_time:
        known = _loaded.setdefault(model.structure, {})
        if key in known:
            return known[key]
        with paused_collector():
            if label is not None and type(method).__module__.startswith("semidirect."):
                text = model.structure.text(label, lambda: source(model, method, variant))
            else:  # the code of a foreign method may not show everything that it does
                text = source(model, method, variant)
            made = loaded(text, f"the steps of {method.label}")
        if label is not None:
            known[key] = made
        return made


def loaded(text: str, purpose: str = "steps") -> Kernel:
    """The compiled kernel of a text."""
    from semidirect.core.cache.machine_code import compiled

    lanes, rows, masks = (int(number) for number in text.partition("\n")[0].partition(": ")[2].split(", "))
    code = compiled(text, "run", vocabulary(), library=library(), purpose=purpose)
    return Kernel(code, lanes, rows * lanes, masks * lanes, tables_of(text))


def tables_of(text: str) -> tuple[Pair, ...]:
    """The interpolants of a text, which a line of it states."""
    return tuple(ast.literal_eval(text.partition(TABLES)[2].partition("\n")[0]))


def known(model: NumericalSDE, method: Integrator, variant: Variant) -> bool:
    """Whether the kernel was compiled before, so that it can be loaded in a fraction of a second."""
    label = _label(method, variant)
    return label is not None and model.structure.knows(label)


def _label(method: Integrator, variant: Variant) -> str | None:
    """The key of a kernel; it includes the code of the method, since a foreign base class may have been edited.

    ``None`` if the code has no digest.
    """
    kinds, values = type(method).__mro__, tuple(vars(method).items())
    ours = all(kind.__module__.startswith("semidirect.") for kind in kinds if issubclass(kind, Integrator))
    try:
        if ours and all(isinstance(v, (str, int, float)) for _, v in values):
            known = _codes.setdefault(type(method), {})
            if values not in known:  # code of this package, which nobody edits while it runs
                known[values] = reached_code(method, own=kinds)
            code = known[values]
        else:
            code = reached_code(method, own=kinds)
        return f"kernel {method.label} {code} {variant}"
    except UnknownCodeError:
        return None


def source(model: NumericalSDE, method: Integrator, variant: Variant) -> str:
    """The text of the kernel."""
    trace = Trace(variant.halvings)
    d, r, q = len(model.state_names), len(model.coordinates), len(model.parameters)
    m = method.rows(model.wieners) * variant.stages
    per_path = variant.per_path
    plan = Layout(d, r, m, q if per_path else 0, 2 * PAIRS_AHEAD * m if variant.lanes == 1 and variant.drawn else 0)
    numbers = plan.inputs(trace, plan.p, q) if per_path else inputs(trace, "q{}", q)
    traced = model.with_parameters(with_tables(trace, model.parameters, numbers))
    y, s = plan.inputs(trace, plan.y, d), plan.inputs(trace, plan.s, r)
    t: Any = trace.input("t")
    dt: Any = trace.input("dt")
    step, stored = Advance(method, traced, scalars=True)(y, s, t, dt, plan.inputs(trace, plan.w, m))
    names = [trace.use(v) for v in (*step.y, *stored)]
    last = [f"{plan.place(i)} = {name}" for i, name in enumerate(names)]
    square = model.rotation_angle_sq(step.v) if method.geometric else None
    if square is not None:
        last += [f"turn = {trace.use(square)}", "largest[j] = select(turn > largest[j], turn, largest[j])"]
    trace.phases[-1].lines += last
    body = "".join(_phase(phase, variant.lanes != 1, trace) for phase in trace.phases)
    for iteration in trace.iterations:
        body += _indented(8, [
            EVERY_LANE, f"    if converged[{iteration.label}, j] == 0 and unconverged[b, j] < 0:",
            "        unconverged[b, j] = first + n",
        ])  # fmt: skip
    rows = plan.size + len(trace.cells) + (square is not None)
    lanes = variant.lanes or max(lanes_for(rows), FEWEST_ITERATED if trace.iterations else FEWEST_LANES)
    text = _function(body, plan, rows, len(trace.iterations), variant, q, square is not None, tuple(trace.tables))
    text = text.replace("largest[j]", plan.place(plan.size + len(trace.cells)))
    text = re.sub(r"cell\[(\d+), j\]", lambda k: plan.place(plan.size + int(k[1])), text)
    text = re.sub(r"row\[(\d+), j\]", lambda k: f"B[{lanes * int(k[1])} + j]", text)
    return text.replace("LANES", str(lanes))


@dataclass(frozen=True)
class Layout:
    """Rows of lanes in one buffer, which come to be at constant offsets, so that LLVM sees that they do not overlap."""

    d: int
    r: int
    m: int
    parameters: int
    ahead: int

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
    def size(self) -> int:
        """Number of rows."""
        return self.drawn + self.ahead

    def inputs(self, trace: Trace, first: int, count: int) -> np.ndarray:
        """Rows as inputs of a trace."""
        return np.array([trace.input(self.place(first + i)) for i in range(count)], dtype=object)

    def place(self, row: int) -> str:
        """One row of the buffer, at lane j."""
        return f"row[{row}, j]"


EVERY_LANE = "for j in range(LANES):"


def _phase(phase: Phase, many: bool, trace: Trace) -> str:
    if phase.iteration is None:
        bodies = pieces(phase.lines, trace) if many else [phase.lines]
        return "".join(_indented(8, _on_lanes(body)) for body in bodies if body)
    s = phase.iteration
    x = [phase.loaded[cell] for cell in s.cells]
    *first, last = pieces(phase.lines, trace, [*x, *s.new, s.scale]) if many else [phase.lines]
    # masks are integers of the width of a float, else LLVM does not vectorise
    last = [*last, "change = 0.0"]
    for old, new in zip(x, s.new, strict=True):
        last += [
            f"delta = np.abs({new} - {old})",
            "change = select((delta > change) | (delta != delta), delta, change)",
        ]
    last += ["on = left[j] > 0"]
    last += [f"{cell} = select(on, {new}, {old})" for cell, new, old in zip(s.cells, s.new, x, strict=True)]
    last += [
        f"close = (left[j] <= {s.after}) | (change <= {s.tolerance!r} * {s.scale})",
        "rest = select(change < np.inf, left[j] - select(close, 1, 0), -1)",
        "left[j] = select(on, rest, left[j])",
        "going |= select(left[j] > 0, 1, 0)",
    ]
    lines = [EVERY_LANE, f"    left[j] = {s.after + 1}", f"for iteration in range({s.limit + s.after}):", "    going = 0",
             *(f"    {line}" for body in first for line in _on_lanes(body)),
             *(f"    {line}" for line in _on_lanes(last)),
             "    if going == 0:", "        break",
             EVERY_LANE, f"    converged[{s.label}, j] = left[j] == 0"]  # fmt: skip
    return _indented(8, lines)


def _on_lanes(lines: Sequence[str]) -> list[str]:
    """A loop that runs straight lines on every lane."""
    return [EVERY_LANE, *(f"    {line}" for line in lines)]


def _indented(n: int, lines: list[str]) -> str:
    return "".join(f"{' ' * n}{line}\n" for line in lines)


def _drawing(plan: Layout, variant: Variant) -> list[str]:
    """The increments of a step; two steps share their random words."""
    m, place = plan.m, plan.place
    if not m:
        return []
    if not variant.drawn:
        return _on_lanes([f"{place(plan.w + c)} = dW[b, n, {c}, j]" for c in range(m)])
    if plan.ahead:
        return _drawing_ahead(plan, variant)
    pair = "three_point_pair" if variant.weak else "normal_pair"
    lines = ["if n == 0 or step & 1 == 0:", "    pair = U(step >> 1)"]
    for group in (range(c, min(c + AT_ONCE, m)) for c in range(0, m, AT_ONCE)):
        lines += [f"    last{c} = last_word(pair, U({c}), U(0))" for c in group]
        drawn = ["number = start + U(j)"]
        drawn += [
            f"even{c}, odd{c} = {pair}(pair & LOW_32, number & LOW_32, number >> S32, last{c}, k0, k1)" for c in group
        ]
        for c in group:
            drawn += [f"{place(plan.w + c)} = even{c} * root", f"{place(plan.w + m + c)} = odd{c} * root"]
        lines += [f"    {line}" for line in _on_lanes(drawn)]
    if variant.correlated:
        mixed = []
        for first in (plan.w, plan.w + m):
            mixed += [f"z{c} = {place(first + c)}" for c in range(m)] + _mixed(plan, first)
        lines += [f"    {line}" for line in _on_lanes(mixed)]
    odd = _on_lanes([f"{place(plan.w + c)} = {place(plan.w + m + c)}" for c in range(m)])
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
        drawn = ["now = (pair + U(i)) & LOW_32"]
        drawn += [f"even{c}, odd{c} = {pair}(now, start & LOW_32, start >> S32, last{c}, k0, k1)" for c in group]
        for c in group:
            drawn += [f"B[{places[c]} + i] = even{c} * root", f"B[{places[c] + PAIRS_AHEAD} + i] = odd{c} * root"]
        lines += [f"    for i in range({PAIRS_AHEAD}):", *(f"        {line}" for line in drawn)]
    lines += [f"at = (step & 1) * {PAIRS_AHEAD} + (step >> 1 & {PAIRS_AHEAD - 1})"]
    if not variant.correlated:
        return [*lines, *_on_lanes([f"{plan.place(plan.w + c)} = B[{places[c]} + at]" for c in range(m)])]
    return [*lines, *_on_lanes([*(f"z{c} = B[{places[c]} + at]" for c in range(m)), *_mixed(plan, plan.w)])]


def _mixed(plan: Layout, first: int) -> list[str]:
    """Rows from ``first`` on: correlated increments of the independent ones ``z0``, ``z1``, …"""
    sums = (" + ".join(f"mix[{i}, {c}] * z{c}" for c in range(i + 1)) for i in range(plan.m))
    return [f"{plan.place(first + i)} = {total}" for i, total in enumerate(sums)]


@cache
def library() -> str:
    """The text of the functions that kernels call."""
    from semidirect.compile import lane_functions, table_functions
    from semidirect.random import philox_normal

    return "".join(map(inspect.getsource, (philox_normal, lane_functions, table_functions)))


def vocabulary() -> dict[str, Any]:
    """The values of the global names of kernels."""
    from semidirect.compile import lane_functions, table_functions
    from semidirect.core import llvm_text
    from semidirect.random import philox_normal

    return {**vars(llvm_text), **vars(philox_normal), **vars(lane_functions), **vars(table_functions)}


def _function(body: str, plan: Layout, rows: int, iterations: int, variant: Variant, q: int, turns: bool,
              tables: tuple[Pair, ...]) -> str:  # fmt: skip
    place = plan.place
    noise = _indented(8, _drawing(plan, variant))
    loaded = [*(f"{place(i)} = y[b, {i}, j]" for i in range(plan.d)),
              *(f"{place(plan.s + i)} = s[b, {i}, j]" for i in range(plan.r)),
              *(f"{place(plan.p + i)} = p[b, {i}, j]" for i in range(plan.parameters))]  # fmt: skip
    saved = [*(f"y[b, {i}, j] = {place(i)}" for i in range(plan.d)),
             *(f"s[b, {i}, j] = {place(plan.s + i)}" for i in range(plan.r))]  # fmt: skip
    load, save = _on_lanes(loaded + ([f"{place(rows - 1)} = 0.0"] if turns else [])), _on_lanes(saved)
    if turns:
        save += [f"    if {place(rows - 1)} > {LARGEST_TURN * LARGEST_TURN!r} and unconverged[b, j] < 0:",
                 "        unconverged[b, j] = first"]  # fmt: skip
    scalars = [] if variant.per_path else [f"q{i} = p[0, {i}, 0]" for i in range(q)]
    wide = [f"prefer_vectors({variant.width})"] if variant.lanes != 1 else []
    return f"""# lanes, rows of numbers, rows of masks: LANES, {rows}, {iterations + 1 if iterations else 0}
{TABLES}{tables!r}
def run(y: f8[:, {plan.d}, LANES], s: f8[:, {plan.r}, LANES], p: f8[:, {max(1, q)}, LANES],
        T: f8[:], places: f8[:, {max(1, len(tables))}, LANES],
        dW: f8[:, steps, {plan.m}, LANES], mix: f8[:, {plan.m}], unconverged: i8[:, LANES],
        B: f8[:], converged: i8[:, LANES], left: i8[:],
        blocks: i8, path: u8, seed: u8, first: i8, steps: i8, dt: f8, root: f8):
{_indented(4, wide)}    k0, k1 = seed & LOW_32, seed >> S32
{_indented(4, scalars)}    for b in range(blocks):
      start = path + U(LANES) * U(b)
{_indented(6, load)}      for n in range(steps):
        step = first + n
        t = step * dt
{noise}{body}{_indented(6, save)}"""
