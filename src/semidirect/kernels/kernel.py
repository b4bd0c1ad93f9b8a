"""One compiled kernel for each structure and method: noise, steps and reconstruction in a loop over lanes.

The kernel is the step of the integrator itself, traced; NumPy and the kernel do the same operations in the same order and
give the same bits. No fastmath.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from semidirect.integrators.integrator import Integrator
from semidirect.kernels.cache import load_module
from semidirect.kernels.model import Model
from semidirect.kernels.tracer import Phase, Trace, inputs, stores

LANES = 64

_loaded: dict[Any, Callable[..., None]] = {}


def kernel(model: Model, method: Integrator, *, drawn: bool) -> Callable[..., None]:
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
    key = (model.sde, method.label, drawn, model.retractions(method))
    if key not in _loaded:
        _loaded[key] = load_module(source(model, method, drawn=drawn)).run
    return _loaded[key]


def source(model: Model, method: Integrator, *, drawn: bool) -> str:
    """The text of the kernel's module, which needs NumPy and Numba only."""
    trace = Trace()
    d, r, m = model.dimension, len(model.group.stored_names), model.wieners
    traced = copy(model)
    traced._parameters = list(inputs(trace, "p[b if many else 0, {}, j]", len(model._parameters)))
    y, s = inputs(trace, "y[b, {}, j]", d), inputs(trace, "s[b, {}, j]", r)
    dW = inputs(trace, "w[row, {}, j]" if drawn else "dW[b, n, {}, j]", m)
    t, dt = trace.input("t"), trace.input("dt")
    step = method.step(traced, y, t, dt, dW)
    stored = model.reconstruct(s, step.v, method.retraction(model))
    last = [*stores(trace, "y[b, {}, j]", step.y), *stores(trace, "s[b, {}, j]", stored)]
    if step.converged is not None:
        bad = trace.use(step.converged)
        last += [f"if not {bad} and unconverged[b, j] < 0:", "    unconverged[b, j] = first + n"]
    trace.phases[-1].lines += last
    body = "".join(_phase(phase) for phase in trace.phases)
    return _module(body, len(trace.cells), len(trace.sweeps), m, drawn)


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
    lines += [f"        {cell} = {new} if active[j] else {old}" for cell, new, old in zip(s.cells, s.new, x, strict=True)]
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


def _module(body: str, cells: int, sweeps: int, m: int, drawn: bool) -> str:
    from semidirect.ensemble import generator
    from semidirect.kernels import lane_functions

    normals = inspect.getsource(generator).split("def _entry", 1)[0]
    functions = inspect.getsource(lane_functions).split("# <kernel>", 1)[1]
    noise = f'''        if n == 0 or step & 1 == 0:
            pair = U(step >> 1)
            for c in range({m}):
                last = last_word(pair, U(c), U(0))
                for j in range(64):
                    number = path + U(64) * U(b) + U(j)
                    even, odd = normal_pair(pair & LOW_32, number & LOW_32, number >> S32, last, seed & LOW_32, seed >> S32)
                    w[0, c, j] = even * root
                    w[1, c, j] = odd * root
        row = step & 1
'''
    start = normals.index("from __future__")
    return f'''{normals[start:]}
{functions}

SIGNATURE = "void(f8[:,:,::1], f8[:,:,::1], f8[:,:,::1], f8[:,:,:,::1], u8, u8, i8, i8, f8, f8, i8[:,::1])"


@nb.njit(SIGNATURE, nogil=True, error_model="numpy", cache=True)
def run(y, s, p, dW, path, seed, first, steps, dt, root, unconverged):
    w = np.empty((2, {max(m, 1)}, 64))
    cell = np.empty(({max(cells, 1)}, 64))
    converged = np.empty(({max(sweeps, 1)}, 64), dtype=np.bool_)
    active = np.empty(64, dtype=np.bool_)
    many = p.shape[0] > 1
    for b in range(y.shape[0]):
      for n in range(steps):
        step = first + n
        t = step * dt
{noise if drawn and m else ""}{body}'''
