"""Derivatives of steps against central differences on one noise: ``python sensitivities.py [SYSTEM …]`` tries all pairs.

Each system is stepped by each method that applies to it, with increments that are the same for all paths; some paths differ
from the first in one parameter or in one direction of the start, by multiples of a small number, and differences of order 8
between them are compared with the derivatives that the first path carries along.
"""

import sys
from itertools import product

import numpy as np

import semidirect as sd
from semidirect.core.errors import MethodError
from semidirect.core.parameters import PerPath
from semidirect.definition import plugins
from semidirect.integrators.advance import Advance
from semidirect.integrators.registry import METHODS, integrator
from semidirect.model.directions import tangents_of
from semidirect.state.start_slopes import with_slopes
from semidirect.state.state import initial_state

STEPS, DT, H = 4, 0.01, 2.0**-9
DIFFERENCES = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
MULTIPLES = [0, *(sign * m for m, _ in DIFFERENCES for sign in (1, -1))]
ALLOWED = 1e-8
METHOD_NAMES = [
    *(n for n in METHODS.built_in if n not in ("dop853", "gauss", "lift", "sdelab")),
    "gauss(2)", "sdelab(1)", "sdelab(0.5)", "lift(heun)", "lift(gauss(2), exp)", "lie-heun(exp)", "milstein(areas)",
]  # fmt: skip


def increments(method, model, seed=1):
    """Rows ``(steps, rows, 1)`` as a driver would draw them."""
    rng, m = np.random.default_rng(seed), model.wieners
    out = np.sqrt(DT) * rng.normal(size=(STEPS, method.rows(m), 1))
    if method.weak:
        out = np.sqrt(DT) * np.sign(out)
    elif method.rows(m) > m:
        out[:, m:] *= np.sqrt(DT) / 4
    return out


def end(method, model, y, stored, dW):
    """State and coordinates of s after all steps, ``(d + r, paths)``."""
    advance = Advance(method, model)
    y, stored = (np.array(x) for x in (y, stored))
    for n in range(STEPS):
        with np.errstate(all="ignore"):
            step, stored = advance(y, stored, n * DT, DT, np.broadcast_to(dW[n], (dW.shape[1], y.shape[1])))
        if step.converged is not None:
            assert np.all(step.converged & 1)
        y = step.y
    return y, stored


def start_of(system, model, state=None):
    start = initial_state(system, state, model=model, validate=state is None)  # moved velocities may leave a constraint
    y = start.vector(model, 0.0)
    paths = max(y.shape[1], start.stored.shape[1], system.paths or 1)
    return tuple(np.repeat(x, paths, axis=1) if x.shape[1] < paths else x for x in (y, start.stored))


def moved_parameter(system, number):
    """A system with a path for each multiple of the small number that is added to one parameter, and that number."""
    name, index = system.symbol_places[number]
    h = H * max(abs(float(system.values[name][index])), 1.0 if system.values[name][index] == 0 else 0.0)
    values = np.repeat(np.array(system.values[name], dtype=float)[None], len(MULTIPLES), axis=0)
    for i in np.ndindex(values.shape[1:]):
        if system.symbol_names[name][i] == system.symbol_names[name][index]:
            values[(slice(None), *i)] += h * np.array(MULTIPLES)
    return system.with_values({**system.values, name: PerPath(values)}), h  # some values are at their bounds


def moved_state(system, model, direction):
    """The state with a path for each multiple of the small number by which it is moved."""
    start = initial_state(system, None, model=model)
    velocity = system.model(variables="velocity").structure.shape.variables
    steps = H * np.array(MULTIPLES)
    u, stored = (np.repeat(x, len(MULTIPLES), axis=1) for x in (start.u, start.stored))
    if direction.kind == "velocity":
        u[direction.number] += steps
    else:
        v = np.zeros((model.group.dimension, len(MULTIPLES)))
        v[direction.number] = steps
        stored = model.group.move(stored, v, "exp")
    state, at = {}, 0
    for variable in velocity:
        if variable.kind == "velocity":
            state[variable.name] = u[at : at + variable.dimension].T
            at += variable.dimension
    names = model.group.stored_names
    state |= dict(zip(names, stored, strict=True))
    return {k: v[:, 0] if v.ndim == 2 and v.shape[1] == 1 else v for k, v in state.items()}


def chosen(system, model, parameters):
    """Parameters that differ in kind, and directions of the start: the first of each variable, and one of the configuration."""
    every = tangents_of(model, ["state"]).directions
    first = {d.group: d for d in every if d.kind in ("velocity", "configuration")}
    names = dict.fromkeys(name for name, _ in system.symbol_places)
    places = [next(i for i, (n, _) in enumerate(system.symbol_places) if n == name) for name in names]
    return places[:parameters] if parameters else places, list(first.values())


def worst(system, label, parameters=0):
    """The largest difference from central differences, relative to the size of the derivative, over some directions."""
    method, model = integrator(label), system.model()
    method.retraction(model)  # raises an error for equations to which the method does not apply
    places, directions = chosen(system, model, parameters)
    labels = [system.symbol_places[p][0] + "_".join(str(i + 1) for i in system.symbol_places[p][1]) for p in places]
    labels += [d.label for d in directions]
    with_tangents = model.differentiated(tangents_of(model, labels))
    start = with_slopes(initial_state(system, None, model=model), with_tangents, None, 0.0, validate=True, located=True)
    dW = increments(method, model)
    y, stored = end(method, with_tangents, start.vector(with_tangents, 0.0), start.stored, dW)
    d, r = model.dimension, len(stored)
    plain = end(method, model, *start_of(system, model), dW)
    assert np.array_equal(y[:d], plain[0])
    assert np.array_equal(stored, plain[1])
    ours = y[d:].reshape(len(labels), d + r)
    found = {}
    for k, label_of in enumerate(labels):
        if k < len(places):
            other, h = moved_parameter(system, places[k])
            begin = start_of(other, other.model())
            both = np.concatenate(end(method, other.model(), *begin, dW))
        else:
            h, begin = H, start_of(system, model, moved_state(system, model, directions[k - len(places)]))
            both = np.concatenate(end(method, model, *begin, dW))
        theirs = sum(w * (both[:, 2 * m - 1] - both[:, 2 * m]) for m, w in DIFFERENCES) / h
        found[label_of] = float(np.max(np.abs(ours[k] - theirs)) / max(np.max(np.abs(theirs)), 1e-3))
    return found


def main():
    """All pairs of systems and methods; exit status 1 if a derivative is wrong."""
    wrong = 0
    for name, label in product(sys.argv[1:] or plugins.available(), METHOD_NAMES):
        try:
            found = worst(sd.load(name), label)
        except MethodError as error:
            print(f"{name:24s} {label:20s} {str(error)[:60]}", flush=True)
            continue
        largest = max(found, key=found.get)
        wrong += found[largest] > ALLOWED
        print(
            f"{name:24s} {label:20s} {found[largest]:.1e} {largest}", "WRONG" * (found[largest] > ALLOWED), flush=True
        )
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
