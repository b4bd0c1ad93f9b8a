"""One compiled kernel for each structure and method: noise, steps and reconstruction in a loop over lanes.

The kernel is the step of the integrator itself, traced; NumPy and the kernel do the same operations in the same order and
give the same bits. No fastmath.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from semidirect.integrators.integrator import Integrator
from semidirect.kernels.cache import load_module
from semidirect.kernels.model import Model
from semidirect.kernels.tracer import Phase, Trace, inputs

LANES = 64

_loaded: dict[Any, Callable[..., None]] = {}


def kernel(model: Model, method: Integrator, *, drawn: bool, per_path: bool = False) -> Callable[..., None]:
    """The compiled kernel of a model under a method.

    Parameters
    ----------
    drawn : bool
        Whether the kernel draws its normals itself (dt is the resolution of the noise), or takes increments.

    Returns
    -------
    callable
        ``run(y, s, p, dW, path, seed, first, steps, dt, root, unconverged)`` with lane blocks y ``(blocks, d, 64)``,
        s ``(blocks, r, 64)`` and p ``(blocks or 1, parameters, 64)``, dW ``(blocks, steps, m, 64)`` where they are given, path
        the number of the first path; y and s are advanced by ``steps`` steps from the step ``first`` on.
        ``unconverged (blocks, 64)`` receives the first step that did not converge, if it is −1.
    """
    key = (model.sde, method.label, drawn, per_path)
    if key not in _loaded:
        _loaded[key] = load_module(source(model, method, drawn=drawn, per_path=per_path)).run
    return _loaded[key]


def source(model: Model, method: Integrator, *, drawn: bool, per_path: bool) -> str:
    """The text of the kernel's module, which needs NumPy and Numba only."""
    trace = Trace()
    d, r, m, q = model.dimension, len(model.group.stored_names), model.wieners, len(model._parameters)
    plan = Layout(d, r, m, q if per_path else 0)
    traced = copy(model)
    traced._parameters = list(plan.inputs(trace, plan.p, q) if per_path else inputs(trace, "q{}", q))
    y, s = plan.inputs(trace, plan.y, d), plan.inputs(trace, plan.s, r)
    t: Any = trace.input("t")
    dt: Any = trace.input("dt")
    step = method.step(traced, y, t, dt, plan.inputs(trace, plan.w, m))
    stored = model.reconstruct(s, step.v, method.retraction(model))
    names = [trace.use(v) for v in (*step.y, *stored)]
    last = [f"{place(i)} = {name}" for i, name in enumerate(names)]
    if step.converged is not None:
        bad = trace.use(step.converged)
        last += [f"if not {bad} and unconverged[b, j] < 0:", "    unconverged[b, j] = first + n"]
    trace.phases[-1].lines += last
    body = "".join(_phase(phase) for phase in trace.phases)
    cells = plan.size
    body = re.sub(r"cell\[(\d+), j\]", lambda k: place(cells + int(k[1])), body)
    return _module(body, plan, len(trace.cells), len(trace.sweeps), drawn, q, per_path)


@dataclass(frozen=True)
class Layout:
    """Rows of 64 lanes in one buffer, at constant offsets, so that LLVM sees that they do not overlap."""

    d: int
    r: int
    m: int
    parameters: int

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
        """First row of the parameters, where they differ from path to path."""
        return self.w + 2 * self.m

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.p + self.parameters

    def inputs(self, trace: Trace, first: int, count: int) -> np.ndarray:
        """Rows as inputs of a trace."""
        return np.array([trace.input(place(first + i)) for i in range(count)], dtype=object)


def place(row: int) -> str:
    """One row of the buffer, at lane j."""
    return f"B[{64 * row} + j]"


def _phase(phase: Phase) -> str:
    lanes = "for j in range(64):"
    if phase.sweep is None:
        return _indented(8, [lanes, *("    " + line for line in phase.lines)]) if phase.lines else ""
    s = phase.sweep
    x = [phase.loaded[cell] for cell in s.cells]
    lines = [f"converged[{s.label}, :] = False", "active[:] = True", f"for sweep in range({s.limit}):", "    going = False",
             f"    {lanes}", *("        " + line for line in phase.lines), "        change = 0.0"]  # fmt: skip
    for old, new in zip(x, s.new, strict=True):
        lines += [f"        delta = np.abs({new} - {old})",
                  "        change = delta if delta > change or delta != delta else change"]  # fmt: skip
    lines += [
        f"        {cell} = {new} if active[j] else {old}" for cell, new, old in zip(s.cells, s.new, x, strict=True)
    ]
    lines += [
        f"        finished = active[j] and change <= {s.tolerance!r} * {s.scale}",
        f"        converged[{s.label}, j] = converged[{s.label}, j] or finished",
        "        active[j] = active[j] and not finished and change < np.inf",
        "        going = going or active[j]",
        "    if not going:",
        "        break",
    ]
    return _indented(8, lines)


def _indented(n: int, lines: list[str]) -> str:
    return "".join(f"{' ' * n}{line}\n" for line in lines)


def _module(body: str, plan: Layout, cells: int, sweeps: int, drawn: bool, q: int, per_path: bool) -> str:
    from semidirect.ensemble import generator
    from semidirect.kernels import lane_functions

    normals = inspect.getsource(generator).split("def _entry", 1)[0]
    functions = inspect.getsource(lane_functions).split("# <kernel>", 1)[1]
    m, lines = plan.m, []
    if m and drawn:
        lines += ["if n == 0 or step & 1 == 0:", "    pair = U(step >> 1)"]
        for c in range(m):
            lines += [
                f"    last = last_word(pair, U({c}), U(0))", "    for j in range(64):",
                "        number = start + U(j)",
                "        even, odd = normal_pair(pair & LOW_32, number & LOW_32, number >> S32, last, k0, k1)",
                f"        {place(plan.w + c)} = even * root", f"        {place(plan.w + m + c)} = odd * root",
            ]  # fmt: skip
        lines += ["if step & 1 == 1:", "    for j in range(64):"]
        lines += [f"        {place(plan.w + c)} = {place(plan.w + m + c)}" for c in range(m)]
    elif m:
        lines += ["for j in range(64):", *(f"    {place(plan.w + c)} = dW[b, n, {c}, j]" for c in range(m))]
    noise = _indented(8, lines)
    load = ["for j in range(64):", *(f"    {place(i)} = y[b, {i}, j]" for i in range(plan.d)),
            *(f"    {place(plan.s + i)} = s[b, {i}, j]" for i in range(plan.r)),
            *(f"    {place(plan.p + i)} = p[b, {i}, j]" for i in range(plan.parameters))]  # fmt: skip
    save = ["for j in range(64):", *(f"    y[b, {i}, j] = {place(i)}" for i in range(plan.d)),
            *(f"    s[b, {i}, j] = {place(plan.s + i)}" for i in range(plan.r))]  # fmt: skip
    scalars = [] if per_path else [f"q{i} = p[0, {i}, 0]" for i in range(q)]
    start = normals.index("from __future__")
    return f"""{normals[start:]}
{functions}

SIGNATURE = "void(f8[:,:,::1], f8[:,:,::1], f8[:,:,::1], f8[:,:,:,::1], u8, u8, i8, i8, f8, f8, i8[:,::1])"


@nb.njit(SIGNATURE, nogil=True, error_model="numpy", cache=True)
def run(y, s, p, dW, path, seed, first, steps, dt, root, unconverged):
    B = np.empty({64 * (plan.size + cells)})
    converged = np.empty(({max(sweeps, 1)}, 64), dtype=np.bool_)
    active = np.empty(64, dtype=np.bool_)
    k0, k1 = seed & LOW_32, seed >> S32
{_indented(4, scalars)}    for b in range(y.shape[0]):
      start = path + U(64) * U(b)
{_indented(6, load)}      for n in range(steps):
        step = first + n
        t = step * dt
{noise}{body}{_indented(6, save)}"""
